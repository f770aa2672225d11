/* Directories: at the end of a file a table that says where things in front of it begin, as
 * archives have it. A table is found by its description, which says how large it is and where it
 * begins, and is where that ends; its entries begin alike, and so does what they point at.
 * Nothing is known of any format. */
#ifndef WHITTLE_BINARY_DIRECTORY_H
#define WHITTLE_BINARY_DIRECTORY_H

#include "binary/record.h"

/* What the entries point at as records, each with its entry as twin; offsets, counts and the size
 * of the table as fields. NULL: there is no directory. */
struct records *directory_find(const uint8_t *bytes, uint32_t size);

#endif
