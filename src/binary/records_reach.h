/* Which records of a table nothing refers to: those whose places no number says that stands outside
 * of the table, or in a record that something refers to, as a tracing garbage collector finds them
 * (McCarthy, 1960). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "binary/record.h"

/* Elements of tables (element_list) of RECORDS that are not reached, in document order; the caller
 * frees *OUT. ROOTS: only those that no other of them refers to. Their number. */
uint32_t records_unreached(const struct records *records, const uint8_t *bytes, bool roots,
                           struct element **out);

/* What leaves others unreached, and those: [first, first + n) of a list. The loss of a record, or
 * that FIELD, which says a place, says VALUE instead. */
struct cascade {
	uint32_t record, first, n;
	const struct field *field;
	uint64_t value;
};

/* Of the records of no table those that are the only ones to reach some of a table; INNER: those
 * that are within one of a table, or not; at most RECORDS_CASCADES are looked at. *OUT and *GONE,
 * the elements that go with them, are the caller's to free. */
enum { RECORDS_CASCADES = 512 };
uint32_t records_cascades(const struct records *records, const uint8_t *bytes, bool inner,
                          struct cascade **out, struct element **gone);

/* Likewise where a place becomes one that stands in what it says: of several the first, or the
 * LAST. */
uint32_t records_lifts(const struct records *records, const uint8_t *bytes, bool last,
                       struct cascade **out, struct element **gone);
