#include "bisect/bisect_sides.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/installed.h"

/* The program as the script's interpreter; by way of the shell where the kernel would not take its
 * name. */
static char *first_lines(const char *path)
{
	enum { KERNELS_MAX = 120 };
	if (strlen(path) < KERNELS_MAX && !strpbrk(path, " \t"))
		return mem_printf("#!%s\n", path);
	return mem_printf("#!/bin/sh\nexec \"%s\" \"$0\" \"$@\"\n", path);
}

static int write_script(const char *dir, const char *about, struct err *err)
{
	MEM_SCOPED char *path = mem_printf("%s/two-sided", dir),
			*exe = mem_printf("%s/whittle-sides", installed_programs()),
			*head = first_lines(exe);
	MEM_SCOPED char *text = mem_printf("%s%s", head, about);
	int rc = access(exe, X_OK) < 0 ? err_errno(err, "cannot run %s", exe) : 0;
	if (rc == 0)
		rc = io_replace_file(path, text, strlen(text), 0755, err);
	return rc;
}

/* There it must be before the test is fenced. */
static int make_file(const char *dir, const char *leaf, struct err *err)
{
	MEM_SCOPED char *path = mem_printf("%s/%s", dir, leaf);
	IO_SCOPED int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	return fd < 0 ? err_errno(err, "cannot make %s", path) : 0;
}

int sides_write(const char *dir, const struct sides *s, const char *about, struct err *err)
{
	BUF_SCOPED struct buf b = { 0 };
	buf_addf(&b, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", s->repeat, s->limit_ns, s->seats);
	const char *paths[] = { s->tree[SIDE_BAD], s->tree[SIDE_GOOD], s->test };
	for (int i = 0; i < 3; i++)
		buf_add(&b, paths[i], strlen(paths[i]) + 1);
	MEM_SCOPED char *path = mem_printf("%s/sides", dir);
	int rc = io_replace_file(path, b.data, b.len, 0666, err);
	if (rc == 0 &&
	    (make_file(dir, SIDES_SEATS, err) < 0 || make_file(dir, SIDES_SCORES, err) < 0))
		rc = -1;
	return rc < 0 ? -1 : write_script(dir, about, err);
}

int sides_read(const char *dir, struct sides *s, struct err *err)
{
	BUF_SCOPED struct buf b = { 0 };
	MEM_SCOPED char *path = mem_printf("%s/sides", dir);
	int end = 0, rc = io_read_file(path, &b, err);
	*s = (struct sides){ 0 };
	if (rc == 0 && (sscanf(b.data, "%" SCNu64 " %" SCNu64 " %" SCNu64 "%n", &s->repeat,
	                       &s->limit_ns, &s->seats, &end) != 3 ||
	                b.data[end] != '\n'))
		rc = err_set(err, ERR_SYSTEM, "%s is damaged", path);
	char **paths[] = { &s->tree[SIDE_BAD], &s->tree[SIDE_GOOD], &s->test };
	size_t at = (size_t)end + 1;
	for (int i = 0; rc == 0 && i < 3; i++) {
		*paths[i] = at < b.len ? mem_strdup(b.data + at) : mem_strdup("");
		at += strlen(*paths[i]) + 1;
	}
	return rc;
}

/* The side with the lower ratio of time to its chance to decide runs first: A first takes tA +
 * (1 - dA) tB, B first tB + (1 - dB) tA. At the beginning the bad side counts as deciding three
 * times out of four, since most candidates do not show the bug; the good side counts as deciding
 * once out of four. */
enum side sides_first(const struct side_score scores[SIDES])
{
	double t[SIDES], d[SIDES];
	for (int i = 0; i < SIDES; i++) {
		double runs = (double)scores[i].runs;
		t[i] = runs > 0 ? (double)scores[i].ns / runs : 0;
		d[i] = ((double)scores[i].decisive + (i == SIDE_BAD ? 3 : 1)) / (runs + 4);
	}
	if (t[SIDE_BAD] <= 0 || t[SIDE_GOOD] <= 0)
		t[SIDE_BAD] = t[SIDE_GOOD] = 1;
	return t[SIDE_GOOD] / d[SIDE_GOOD] < t[SIDE_BAD] / d[SIDE_BAD] ? SIDE_GOOD : SIDE_BAD;
}
