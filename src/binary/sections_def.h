/* Inside of finding what numbers in text say of its lines. Shared by sections*.c only. */
#pragma once

#include <string.h>

#include "binary/found.h"

/* A line that is neither blank nor a comment. */
struct row {
	uint32_t begin; /* it ends with the line (line_end) */
	uint32_t words;
	uint32_t said; /* the number that is its first word; 0: it is none */
	uint32_t list; /* of which it is an element, or ROW_FREE */
	uint32_t head; /* what its first word is, hashed; 0: a number */
};

enum { ROW_FREE = UINT32_MAX };

static inline bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A word of digits. */
struct count {
	uint64_t key; /* of the words before it on its line */
	uint32_t row, at, value;
	uint8_t width;
	bool taken;
};

struct sections {
	const uint8_t *bytes;
	uint32_t size;
	uint32_t n_rows, cap_rows, n_counts, cap_counts, n_lists, cap_lists;
	struct row *rows;
	struct count *counts;
	struct element_list *lists; /* of what is listed in FOUND */
	struct found found;
};

/* Behind the line end of the line that begins at AT. */
static inline uint32_t line_end(const struct sections *s, uint32_t at)
{
	const uint8_t *nl = memchr(s->bytes + at, '\n', s->size - at);
	return nl ? (uint32_t)(nl - s->bytes) + 1 : s->size;
}

/* Finds numbers that are places in lists of rows, which are those that are counted and, of the
 * others, those that begin with the same word. */
void sections_find_places(struct sections *s);

/* The same where nothing is counted; lists that places surely say are records. */
void sections_find_uncounted(struct sections *s);
