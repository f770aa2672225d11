/* Numbers in text that say what follows: in a header how many lines are below it (one number of
 * all lines or pairs of lines, or several of one part after the other), how many there are above
 * the last ones, or how many bytes there are after the first blank line. Only numbers that are
 * exactly right count. */
#ifndef WHITTLE_BINARY_COUNTS_H
#define WHITTLE_BINARY_COUNTS_H

#include "binary/record.h"

/* The lines that are counted as records, with the numbers as fields; NULL: there are none. Takes
 * time linear in SIZE. */
struct records *counts_find(const uint8_t *bytes, uint32_t size);

#endif
