/* Records of binary formats that nobody names: chains that fill a region exactly (chains.h),
 * nested, with counts in front of them, checksums, and words that say how large all is. Everything
 * is found by what agrees with the bytes, once; afterwards records follow the edits, as spans do.
 *
 * What is found may be wrong. `proven` says that a test accepted an edit that cut records or
 * repaired something.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "text/edit.h"
#include "binary/record.h"
#include "binary/repair.h"
#include "text/spans.h"

/* What is in SIZE bytes; NULL: nothing. Takes a bounded number of steps. */
struct records *records_find(const uint8_t *bytes, uint32_t size);
struct records *records_ref(struct records *records);
void records_unref(struct records *records); /* NULL is fine */

/* Does EDIT write a field of theirs anew? */
bool records_repaired(const struct records *records, struct edit edit);

/* The records and their bodies as items. */
struct spans *records_spans(const struct records *records);

/* The records after EDIT, which made BYTES of the size SIZE. LEFT: what of their repair is still
 * one (NULL: all); when that is nothing, there are no records. PROVEN: EDIT shows that they are
 * what they seem. */
struct records *records_map(const struct records *records, const struct repair *left,
                            struct edit edit, const uint8_t *bytes, uint32_t size, bool proven);
