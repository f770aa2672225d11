/* What finding layers and telling what the file says of them have in common. Internal to layers.c
 * and layers_fields.c. */
#ifndef WHITTLE_TEXT_LAYERS_IMPL_H
#define WHITTLE_TEXT_LAYERS_IMPL_H

#include <stdint.h>

#include "text/repair.h"

/* The data of the stored blocks that fill [begin, end), the first MAX of them in OUT; how many
 * there are, 0 when there is anything else. */
uint32_t stored_blocks(const uint8_t *bytes, uint32_t begin, uint32_t end, struct element *out,
                       uint32_t max);

#endif
