/* What finding layers and telling what the file says of them have in common. Internal to layers.c
 * and layers_fields.c. */
#ifndef WHITTLE_TEXT_LAYERS_IMPL_H
#define WHITTLE_TEXT_LAYERS_IMPL_H

#include <stdint.h>

#include "text/repair.h"

struct layer;

/* The data of the stored blocks that fill LAYER, the first MAX of them in OUT; how many there are,
 * 0 when there is anything else. */
uint32_t stored_blocks(const uint8_t *bytes, const struct layer *layer, struct element *out,
                       uint32_t max);

/* Bytes in front of a stored block's data. */
uint32_t stored_header(const struct layer *layer);

#endif
