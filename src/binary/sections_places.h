/* What the parts of sections.h know of a text. */
#ifndef WHITTLE_BINARY_SECTIONS_PLACES_H
#define WHITTLE_BINARY_SECTIONS_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "binary/found.h"

/* A line that is neither blank nor a comment. */
struct row {
	uint32_t begin, end; /* line end included */
	uint32_t words;
	uint32_t list; /* of which it is an element, or ROW_FREE */
	uint64_t head; /* what its first word is; 0: a number */
};

enum {
	ROW_FREE = UINT32_MAX,
	SECTIONS_HEADERS = 24, /* rows at the top whose numbers are looked at together */
	SECTIONS_WORDS = 8,    /* of a row in which numbers are looked for */
};

static inline bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* A word of digits. */
struct count {
	uint32_t row, at, width;
	uint64_t value, key; /* KEY: of the words before it on its line */
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

/* Finds out which numbers are places in lists. */
void sections_find_places(struct sections *s);

#endif
