/* What layers.c and layers_fields.c, which tells what the file says of layers, have in common. */
#ifndef WHITTLE_BINARY_LAYER_STORED_H
#define WHITTLE_BINARY_LAYER_STORED_H

#include <stdbool.h>
#include <stdint.h>

#include "binary/inflate.h"
#include "binary/repair.h"

struct arena;
struct edit_part;
struct inflater;
struct layer;
struct records;

enum {
	MOST_HELD = 1 << 26, /* bytes in a layer */
	PIECES = 1 << 12,    /* records that it goes over */
};

enum { XZ_FIELDS = 7 };

/* What a stream that is open says about its blocks, which are the elements of LIST. */
void xz_fields(const struct layer *l, const uint8_t *bytes, uint32_t list,
               struct field out[XZ_FIELDS]);

#endif
