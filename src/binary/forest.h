/* The records of a test case while they are being found. Internal to records_find. */
#pragma once

#include "binary/chains.h"
#include "binary/found.h"

enum { FOREST_TAG = 4 }; /* bytes of a tag that are looked at */

/* A record as it was found. */
struct leaf {
	struct format_record r;
	uint32_t body, body_end, twin, twin_end;
	uint32_t tag; /* what kind of record it is, as far as can be told */
	uint16_t depth;
	uint16_t format; /* index of its format */
};

/* A chain in a region. */
struct grove {
	uint32_t begin, end; /* the region */
	uint32_t chain, chain_end;
	uint32_t first, n; /* leaves */
	uint16_t depth;
	uint32_t with;  /* the grove whose members its elements, which are none, go with; 0: none */
	bool backwards; /* the first goes with the last of them */
	bool named;     /* as of element_list */
};

struct forest {
	const uint8_t *bytes;
	uint32_t size;
	struct background background;
	struct chain_budget budget;
	uint32_t n_formats, cap_formats, n_leaves, cap_leaves, n_groves, cap_groves;
	struct format *formats;
	struct leaf *leaves;
	struct grove *groves;
	struct found found; /* the fields */
	bool weak;          /* little speaks for the outermost chain alone */
	bool digits;        /* the outermost chain's lengths are in digits */
	uint32_t explained; /* from here on the head says nothing more */
	uint32_t rival; /* a chain that goes so far and begins before that may be better; 0: none is
	                 */
};

/* Control characters that text hardly has. */
uint32_t bytes_controls(const uint8_t *bytes, uint32_t size);

/* Text is UTF-8 with few control characters, or has none. */
bool bytes_are_text(const uint8_t *bytes, uint32_t size);

/* Finds chains, unless there are some, and what is nested in them. */
void forest_grow(struct forest *f);

/* Finds a chain of records whose lengths are in digits, which may be text; false: there is none. */
bool forest_grow_digits(struct forest *f);

/* Finds members that rows say the place or the length of, in tables of any form; or that are rows
 * themselves, where a number says how many there are (TEXT: only these); false: there are none. */
bool forest_grow_tables(struct forest *f, bool text);

/* The chain of FORMAT in [begin, end) as a grove of the outermost depth. */
void forest_plant(struct forest *f, const struct format *format, uint32_t begin, uint32_t end);

/* Begins a grove in [begin, end) that goes with WITH, as yet without members. */
void forest_begin(struct forest *f, uint32_t begin, uint32_t end, uint32_t with);

/* Finds chains in the midst of what is none; false: there are none. */
bool forest_grow_loose(struct forest *f);

/* Finds the checksums of the leaves [first, last), which are of one kind; false: they have none. */
bool forest_find_sums(struct forest *f, uint32_t first, uint32_t last);

/* Bytes at the end that are a checksum of all before them; 0: none are. */
uint32_t forest_tail(const struct forest *f);
