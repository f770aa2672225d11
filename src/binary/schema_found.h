/* What a schema finds in a file, while it may still turn out not to fit. Used by schema_match.c
 * only. */
#ifndef WHITTLE_BINARY_SCHEMA_FOUND_H
#define WHITTLE_BINARY_SCHEMA_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "binary/records.h"
#include "binary/schema_def.h"

/* One that a list has. */
struct listed {
	uint32_t begin, end, list;
};

/* A record goes with the one of list WITH that is where it is in its own list. */
struct pairing {
	uint32_t record, list, with;
};

/* To go back is to set these to what they were. */
struct found_counts {
	uint32_t records, fields, listed, pairs;
	uint32_t lists; /* numbered: first one for each type, then those that counts count */
};

/* Zero-initialise. */
struct found {
	struct found_counts n;
	uint32_t cap_records, cap_fields, cap_listed, cap_pairs;
	struct record *records;
	struct field *fields;
	struct listed *listed;
	struct pairing *pairs;
};

void found_record(struct found *found, struct record record);
void found_field(struct found *found, struct field field);
void found_pair(struct found *found, struct pairing pair);
/* The number that AMOUNT comes from as a field of KIND; false when it does not. */
bool found_number(const struct amount *amount, enum field_kind kind, struct field *out);
/* [from, to) is as long as AMOUNT says. DEPTH: records around. */
void found_length(struct found *found, uint32_t depth, const struct amount *amount, uint32_t from,
                  uint32_t to);
/* The number that AMOUNT comes from, and stands at BEGIN or behind it, may become 0 where
 * [from, to), which begins behind it, goes. */
void found_zero(struct found *found, uint32_t depth, const struct amount *amount, uint32_t begin,
                uint32_t from, uint32_t to);
/* AMOUNT is where TO is in the file, or from its base. */
void found_offset(struct found *found, uint32_t depth, const struct amount *amount, uint32_t to);
/* The number of the element in `listed`. */
uint32_t found_listed(struct found *found, uint32_t list, uint32_t begin, uint32_t end);

/* All of it as records of BYTES, without fields that say what is not so; LOOSE ones are not
 * proven. */
struct records *found_take(struct found *found, const uint8_t *bytes, uint32_t size, bool loose);
void found_release(struct found *found);

#endif
