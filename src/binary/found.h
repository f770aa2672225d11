/* What is being found in a file: records, fields about them, and lists that they are elements of;
 * by a schema that may still turn out not to fit, or by what agrees with the bytes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "binary/record.h"

/* One that a list has. */
struct listed {
	uint32_t begin, end, list;
};

/* To go back is to set these to what they were. */
struct found_counts {
	uint32_t records, fields, listed;
	uint32_t lists; /* numbered: first one for each type, then those that counts count */
};

/* Zero-initialise. */
struct found {
	struct found_counts n;
	uint32_t cap_records, cap_fields, cap_listed;
	struct record *records;
	struct field *fields;
	struct listed *listed;
};

void found_record(struct found *found, struct record record);
void found_field(struct found *found, struct field field);
/* The number of the element in `listed`. */
uint32_t found_listed(struct found *found, uint32_t list, uint32_t begin, uint32_t end);

/* Adds a record that is an element of LIST, too. */
void found_element(struct found *found, uint32_t list, struct record record);

/* All of it as records, which the caller owns; FOUND is empty then. NULL: there are no records. */
struct records *found_records(struct found *found, bool is_text);

/* Its fields and lists alone, likewise; the fields are gone then. */
struct repair *found_repair(struct found *found);

/* Adds them to what is known of KNOWN; the fields are gone then. */
void found_join(struct found *found, struct records *known);

/* As found_records, of BYTES, without fields that say what is not so; LOOSE ones are not proven. */
struct records *found_take(struct found *found, const uint8_t *bytes, uint32_t size, bool loose);
/* RECORDS without those in RANGE, and the fields there. */
void found_drop(struct records *records, struct element range);
/* Puts the list of RECORDS in order. */
void found_sort(struct records *records);
/* Of each the one around it, FOUND_NONE: there is none; the caller's. */
enum { FOUND_NONE = UINT32_MAX };
uint32_t *found_outer(const struct records *records);
void found_release(struct found *found);
