/* Records that were found, see records.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "binary/repair.h"

struct record {
	uint32_t begin, end;     /* all of it, padding included */
	uint32_t body, body_end; /* what its length counts and may go; no trailing checksum */
	uint32_t twin, twin_end; /* what elsewhere goes with it, after it; empty: nothing */
	uint16_t depth;          /* records around it */
	bool zero;      /* a number, which becomes 0 where its twin goes, which it is about */
	bool table;     /* is of a list whose elements numbers refer to (element_list) */
	uint8_t stored; /* a stored block of an open layer (layers.h), of this kind; 0: none */
};

/* Bytes that go as a whole. */
static inline struct record record_plain(uint32_t begin, uint32_t end)
{
	return (struct record){ .begin = begin, .end = end, .body = end, .body_end = end };
}

struct records {
	unsigned refs;
	bool proven;
	bool is_text; /* lines that a number counts (counts.c), or layers alone (layers.h); the tree
	                 is the tokens' all the same */
	uint16_t max_depth;
	uint32_t n;
	struct record *list; /* in document order, the outer one first */
	struct repair *repair;
};
