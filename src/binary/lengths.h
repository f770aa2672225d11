/* Numbers in digits that say where things are in a file, without a chain of records: behind a word
 * a length, of bytes that begin some lines later; with zeros in front an offset, at which a line
 * begins. What all numbers behind one word say, or all of one width, is taken to be meant. */
#ifndef WHITTLE_BINARY_LENGTHS_H
#define WHITTLE_BINARY_LENGTHS_H

#include "binary/record.h"

/* The bytes that lengths count and what is between offsets as records in any order, with the
 * numbers as fields; NULL: there are none. Takes time linear in SIZE. */
struct records *lengths_find(const uint8_t *bytes, uint32_t size);

#endif
