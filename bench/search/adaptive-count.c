/* How many calls plain sequential adaptive deletion (seed 002, with its loop until nothing changes)
 * needs to reduce the lines of FILE to those that are also lines of LIST, when it needs all of
 * them. adaptive-count FILE LIST Prints the calls. The order is the document's: from the first line
 * on. No process is started. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "search/integers.h"

struct lines {
	size_t n, cap;
	char **list; /* point into the text */
};

/* Cuts TEXT into its lines. */
static struct lines lines_of(char *text)
{
	struct lines lines = { 0 };
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		MEM_GROW(lines.list, lines.n, lines.cap);
		lines.list[lines.n++] = line;
	}
	return lines;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* needed[i]: how many of the lines before i are needed. */
static uint32_t *count_needed(const struct lines *all, struct lines *kept)
{
	uint32_t *needed = mem_zero(all->n + 1, sizeof *needed);
	qsort(kept->list, kept->n, sizeof *kept->list, by_text);
	for (size_t i = 0; i < all->n; i++)
		needed[i + 1] = needed[i] + (bsearch(&all->list[i], kept->list, kept->n,
		                                     sizeof *kept->list, by_text) != NULL);
	return needed;
}

static uint64_t adaptive_deletion(uint32_t *needed, uint32_t n)
{
	uint64_t calls = 0;
	uint32_t before;
	do {
		before = n;
		for (uint32_t i = 0; i < n; i++) {
			struct find_change_point f = find_change_point_start(n - i);
			for (; !f.done; calls++)
				find_change_point_tell(
					&f, needed[i] == needed[i + find_change_point_next(&f)]);
			memmove(needed + i, needed + i + f.good,
			        (n - i - f.good + 1) * sizeof *needed);
			n -= f.good;
		}
	} while (n != before);
	return calls;
}

static struct lines read_lines(const char *path, struct buf *text)
{
	struct err err = { 0 };
	if (io_read_file(path, text, &err) < 0) {
		fprintf(stderr, "adaptive-count: %s\n", err.msg);
		exit((int)err.code);
	}
	buf_add(text, "", 1);
	return lines_of(text->data);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: adaptive-count FILE LIST\n", stderr);
		return ERR_USAGE;
	}
	struct buf texts[2] = { 0 };
	struct lines all = read_lines(argv[1], &texts[0]), kept = read_lines(argv[2], &texts[1]);
	uint32_t *needed = count_needed(&all, &kept);
	if (needed[all.n] != kept.n)
		return ERR_USAGE;
	printf("%llu\n", (unsigned long long)adaptive_deletion(needed, (uint32_t)all.n));
	free(needed);
	free(all.list);
	free(kept.list);
	buf_release(&texts[0]);
	buf_release(&texts[1]);
	return 0;
}
