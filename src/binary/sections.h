/* Numbers in text that say how many lines or blocks of lines follow, several of them in one header
 * or each in front of its own, and numbers that are places in what they count. No format is known:
 * what agrees with where lines begin to look different is taken to be meant (sections.c), and then
 * what goes from one end of a list to the other (sections_places.c).
 */
#ifndef WHITTLE_BINARY_SECTIONS_H
#define WHITTLE_BINARY_SECTIONS_H

#include "binary/record.h"

/* Lines and blocks as records, with the numbers as fields; NULL: there are none. Takes time linear
 * in SIZE but for what stands in the first lines, of which few combinations are tried. */
struct records *sections_find(const uint8_t *bytes, uint32_t size);

#endif
