/* Values that a tag and a length in DER's way stand in front of, and that hold others. Where the
 * tag says that a value holds others, they fill it to the last byte, or nothing here is one; any
 * other value may happen to hold one more, with a zero in front at most (the string of bits around
 * a key). It tells small files, in which too little speaks for a chain (chains.h).
 */
#ifndef WHITTLE_BINARY_TAGGED_H
#define WHITTLE_BINARY_TAGGED_H

#include "binary/record.h"

/* The values as records; NULL: BYTES are anything else. Takes time linear in SIZE. */
struct records *tagged_find(const uint8_t *bytes, uint32_t size);

#endif
