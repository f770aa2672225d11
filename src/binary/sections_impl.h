/* What the parts of sections.h know of a text. */
#ifndef WHITTLE_BINARY_SECTIONS_IMPL_H
#define WHITTLE_BINARY_SECTIONS_IMPL_H

#include <stdbool.h>
#include <stdint.h>

#include "binary/repair.h"

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

/* A word of digits. */
struct count {
	uint32_t row, at, width;
	uint64_t value, key; /* KEY: of the words before it on its line */
	bool taken;
};

struct sections {
	const uint8_t *bytes;
	uint32_t size;
	uint32_t n_rows, cap_rows, n_counts, cap_counts, n_fields, cap_fields;
	uint32_t n_lists, cap_lists, n_elements, cap_elements;
	struct row *rows;
	struct count *counts;
	struct field *fields;
	struct element_list *lists;
	struct element *elements;
};

/* x bits of evidence: the logarithm of N, 0 for 0. */
double sections_bits(double n);

void sections_add_field(struct sections *s, struct field field);

void sections_add_element(struct sections *s, uint32_t begin, uint32_t end);

/* COUNT counts the elements from FIRST on; the rows from ROW on. */
void sections_take(struct sections *s, struct count *count, uint32_t first);
void sections_take_rows(struct sections *s, struct count *count, uint32_t row);

/* Are just the N rows from ROW on a list? */
bool sections_listed(const struct sections *s, uint32_t row, uint64_t n);

/* Finds numbers of the first HEADERS rows that count rows or blocks somewhere below. */
void sections_find_below(struct sections *s);

/* Finds numbers behind one word, each in front of the rows that it counts. */
void sections_find_keyed(struct sections *s);

/* Finds out which numbers are places in lists. */
void sections_find_places(struct sections *s);

#endif
