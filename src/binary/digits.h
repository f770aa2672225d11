/* Chains of records whose lengths are written in digits, as in archives, network protocols and
 * library catalogues: a header with a number of any base, of a given width or as wide as it needs,
 * what it counts, perhaps padding. As with chains of binary lengths (chains.h) the layout is found
 * by what fits exactly; the last record may have nothing but zeros behind it.
 */
#ifndef WHITTLE_BINARY_DIGITS_H
#define WHITTLE_BINARY_DIGITS_H

#include <stdint.h>

#include "binary/chains.h"

/* The chain in BYTES; bits <= 0: there is none. Takes a bounded number of steps. */
struct chain digits_find(const uint8_t *bytes, uint32_t size);

/* Where the body of a record of such a format begins. */
uint32_t digits_body(const struct format *f, const struct format_record *r);

#endif
