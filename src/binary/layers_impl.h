/* What finding layers and telling what the file says of them have in common. Internal to
 * layers*.c. */
#ifndef WHITTLE_BINARY_LAYERS_IMPL_H
#define WHITTLE_BINARY_LAYERS_IMPL_H

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
	ZSTD_HEAD = 6,
};

/* How a frame of zstd begins that layer_open writes: no sum, no length, blocks of up to 128 KB. */
extern const uint8_t zstd_open[ZSTD_HEAD];

/* The bytes from AT on, and those of the records behind that which AT lies in, from the same place
 * of each on. Returns how many pieces there are. */
uint32_t record_pieces(const struct records *records, uint32_t at, uint32_t head,
                       struct inflate_piece out[PIECES], uint32_t ends[PIECES]);

/* The data of the stored blocks that fill LAYER, the first MAX of them in OUT; how many there are,
 * 0 when there is anything else. */
uint32_t stored_blocks(const uint8_t *bytes, const struct layer *layer, struct element *out,
                       uint32_t max);

/* Bytes in front of a stored block's data. */
uint32_t stored_header(const struct layer *layer);

/* ---- rows (layers_rows.c) ---- */

/* What an open layer holds is N rows of SIZE bytes, as the number at AT says. */
struct rows {
	uint32_t at, n, size;
	uint8_t code;
};

/* Finds the rows of L: two numbers stand in front of it, of which the first says how wide a row is,
 * with a byte more or not, and the second how many there are. */
bool rows_find(const struct layer *l, const uint8_t *bytes, struct rows *out);

/* How many rows there are, when LIST is what they are in. */
struct field rows_field(const struct rows *rows, const struct layer *l, uint32_t list);

/* Adds the rows that lie in the N BLOCKS whole as records so DEPTH. */
void rows_add(const struct rows *rows, const struct element *blocks, uint32_t n, uint16_t depth,
              struct records *r);

/* ---- xz (layers_xz.c) ---- */

/* Does a stream of xz begin at AT? */
bool xz_begins(const uint8_t *bytes, uint32_t at, uint32_t size);

/* Sets begin and end of L to those of its blocks when it is as xz_open writes it. */
void xz_borders(const uint8_t *bytes, struct layer *l);

/* As layer_open, with at most MAX bytes in it. */
bool xz_open(const struct layer *l, const uint8_t *bytes, struct inflater *inflater, uint32_t max,
             struct arena *arena, struct edit_part *out);

enum { XZ_FIELDS = 7 };

/* What a stream that is open says about its blocks, which are the elements of LIST. */
void xz_fields(const struct layer *l, const uint8_t *bytes, uint32_t list,
               struct field out[XZ_FIELDS]);

#endif
