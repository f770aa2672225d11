/* Reading the words of a schema that hold no records. Used by schema_match.c only. */
#ifndef WHITTLE_BINARY_SCHEMA_WORDS_H
#define WHITTLE_BINARY_SCHEMA_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "binary/found.h"
#include "binary/schema_def.h"

enum { MAX_MEMBERS = 4 }; /* lists that a record may be a member of, by `member` */

/* The record that was last asked for by its place, in `listed`; AT is UINT32_MAX: none. */
struct named {
	uint32_t at, list;
	int64_t place;
};

/* A file that is being read: where, and what was found so far. */
struct match {
	const struct schema *schema;
	const uint8_t *bytes;
	uint32_t size, at, end, farthest;
	bool little, loose;     /* loose: what does not fit is bytes, lists may be shorter */
	uint32_t depth, nested; /* nested: records around */
	uint64_t work;          /* at most SCHEMA_WORK */
	struct named named;
	uint32_t n_bindings, cap_bindings;
	struct binding *bindings;
	struct found found;
};

/* What a record is found to be while it is read. */
struct enclosing {
	uint32_t begin, body, body_end, twin, twin_end, slots, n_members;
	uint32_t to_end;               /* in `fields`, plus 1: its range ends where the record does;
	                                  0: none */
	uint32_t with;                 /* a type, plus 1: it goes with one of that; 0: none */
	uint32_t members[MAX_MEMBERS]; /* in `listed` */
};

/* The number that AMOUNT comes from as a field of KIND; false when it does not. */
bool found_number(const struct amount *amount, enum field_kind kind, struct field *out);
/* [from, to) is as long as AMOUNT says. DEPTH: records around. */
void found_length(struct found *found, uint32_t depth, const struct amount *amount, uint32_t from,
                  uint32_t to);
/* The number that AMOUNT comes from, and stands at BEGIN or behind it, may become 0 where
 * [from, to), which begins behind it, goes. */
void found_zero(struct found *found, uint32_t depth, const struct amount *amount, uint32_t begin,
                uint32_t from, uint32_t to);

/* The value of an expression here; false: it has none. */
bool match_eval(struct match *m, int expr, struct amount *out);

/* Reads a word without records; FRAME is the record that it is in. False: it does not fit. */
bool match_plain(struct match *m, const struct schema_word *w, struct enclosing *frame);

#endif
