/* The record of a replacement that was killed: whatever stands in it, nothing changes but the
 * targets beside it. Input: the record, with {in} for the
 * directory it is in, {out} for another one, {inode} for its own, {ID NAME} for the stamp of the
 * file NAME beside it, and a line's end for each NUL. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "fuzz.h"
#include "disk/replace.h"
#include "disk/replace_record.h"
#include "disk/stamp.h"

/* Places, new things for them, and (the last two) what is nobody's business. */
static const char *const inside[] = { "file",   "file.whittle-01234567",
	                              "second", "second.whittle-01234567",
	                              "x",      "file.whittle-note" };
enum { N_INSIDE = sizeof inside / sizeof *inside, N_OURS = N_INSIDE - 2 };

static void write_text(const char *dir, const char *name, const char *text, size_t len)
{
	struct err err;
	char *path = mem_printf("%s/%s", dir, name);
	FUZZ_REQUIRE(io_replace_file(path, text, len, 0600, &err) == 0);
	free(path);
}

/* Of a file beside the record; elsewhere there may be millions. */
static void add_stamp(struct buf *out, const char *dir, const char *name, size_t len)
{
	bool beside = len && *name != '.' && !memchr(name, '/', len);
	char *path = mem_printf("%s/%.*s", dir, (int)len, name);
	struct hash stamp = beside ? stamp_of(path) : (struct hash){ 0 };
	buf_addf(out, "%016" PRIx64 "%016" PRIx64, stamp.hi, stamp.lo);
	free(path);
}

/* The record that TEMPLATE describes. */
static struct buf expand(const char *template, const char *in, const char *out, ino_t inode)
{
	struct buf text = { 0 };
	for (const char *p = template; *p; p++) {
		size_t len = strcspn(p, "}");
		if (!strncmp(p, "{in}", 4))
			buf_addf(&text, "%s", in), p += 3;
		else if (!strncmp(p, "{out}", 5))
			buf_addf(&text, "%s", out), p += 4;
		else if (!strncmp(p, "{inode}", 7))
			buf_addf(&text, "%ju", (uintmax_t)inode), p += 6;
		else if (!strncmp(p, "{ID ", 4) && p[len])
			add_stamp(&text, in, p + 4, len - 4), p += len;
		else
			buf_addch(&text, *p == '\n' ? '\0' : *p);
	}
	return text;
}

static void check_text(const char *dir, const char *name, const char *text)
{
	struct buf now = { 0 };
	struct err err;
	char *path = mem_printf("%s/%s", dir, name);
	FUZZ_REQUIRE(io_read_file(path, &now, &err) == 0);
	FUZZ_REQUIRE(now.len == strlen(text) && !memcmp(now.data, text, now.len));
	buf_release(&now);
	free(path);
}

int target_replacement(const uint8_t *data, size_t size)
{
	struct fuzz input = { data, data + size };
	char *in = mem_printf("%s/in", fuzz_directory()),
	     *out = mem_printf("%s/out", fuzz_directory());
	char *first = mem_printf("%s/file", in), *template = fuzz_string(input);
	FUZZ_REQUIRE(mkdir(in, 0700) == 0 && mkdir(out, 0700) == 0);
	write_text(out, "victim", "untouched", 9);
	for (unsigned i = 0; i < N_INSIDE; i++)
		write_text(in, inside[i], inside[i], strlen(inside[i]));
	char *record = mem_printf("%s.whittle-replace", first),
	     *second = mem_printf("%s/second", in);
	char *const targets[] = { first, second };
	int fd = open(record, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct stat st;
	FUZZ_REQUIRE(fd >= 0 && fstat(fd, &st) == 0);
	struct buf text = expand(template, in, out, st.st_ino);
	FUZZ_REQUIRE(io_write_all(fd, text.len ? text.data : "", text.len) == 0 && close(fd) == 0);
	const struct replacement_left left = { .first = first, .targets = targets, .n_targets = 2 };
	struct err err;
	replacement_finish(&left, &err);
	check_text(out, "victim", "untouched");
	for (unsigned i = N_OURS; i < N_INSIDE; i++)
		check_text(in, inside[i], inside[i]);
	free(second);
	free(record);
	io_remove_tree(-1, in);
	io_remove_tree(-1, out);
	buf_release(&text);
	free(template);
	free(first);
	free(out);
	free(in);
	return 0;
}
