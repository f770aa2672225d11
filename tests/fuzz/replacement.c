/* The record of a replacement that was killed: whatever stands in it, nothing changes but the
 * places beside it. Input: the record, with {in} for the directory it is in, {out} for another one,
 * {ID NAME} for what the record says of the file NAME beside it, and a NUL for each line's end. */
#include <inttypes.h>
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
#include "reduce/replace.h"

static const char *const inside[] = { "file", "file.whittle-tmp.1", "second", "x" };
enum { N_INSIDE = sizeof inside / sizeof *inside };

static void write_text(const char *dir, const char *name, const char *text, size_t len)
{
	struct err err;
	char *path = mem_printf("%s/%s", dir, name);
	FUZZ_REQUIRE(io_replace_file(path, text, len, 0600, &err) == 0);
	free(path);
}

static void add_identity(struct buf *out, const char *dir, const char *name, size_t len)
{
	struct stat st;
	char *path = mem_printf("%s/%.*s", dir, (int)len, name);
	if (lstat(path, &st) < 0)
		buf_addf(out, "none");
	else
		buf_addf(out, "%" PRIuMAX " %" PRIdMAX " %" PRIdMAX ".%09ld", (uintmax_t)st.st_ino,
		         (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	free(path);
}

/* The record that TEMPLATE describes. */
static struct buf expand(const char *template, const char *in, const char *out)
{
	struct buf text = { 0 };
	for (const char *p = template; *p; p++) {
		size_t len = strcspn(p, "}");
		if (!strncmp(p, "{in}", 4))
			buf_addf(&text, "%s", in), p += 3;
		else if (!strncmp(p, "{out}", 5))
			buf_addf(&text, "%s", out), p += 4;
		else if (!strncmp(p, "{ID ", 4) && p[len])
			add_identity(&text, in, p + 4, len - 4), p += len;
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz input = { data, data + size };
	char *in = mem_printf("%s/in", fuzz_directory()),
	     *out = mem_printf("%s/out", fuzz_directory());
	char *first = mem_printf("%s/file", in), *template = fuzz_string(input);
	FUZZ_REQUIRE(mkdir(in, 0700) == 0 && mkdir(out, 0700) == 0);
	write_text(out, "victim", "untouched", 9);
	for (unsigned i = 0; i < N_INSIDE; i++)
		write_text(in, inside[i], inside[i], strlen(inside[i]));
	struct buf record = expand(template, in, out);
	write_text(in, "file.whittle-replace", record.len ? record.data : "", record.len);
	replacement_finish(first);
	check_text(out, "victim", "untouched");
	io_remove_tree(-1, in);
	io_remove_tree(-1, out);
	buf_release(&record);
	free(template);
	free(first);
	free(out);
	free(in);
	return 0;
}
