/* Packed data: where it ends, and what it holds; and packing it. zlib, libzstd, liblzma, liblz4,
 * libbrotli and libbz2 read and write what there is; without them it is bytes.
 *
 * Life cycle: inflater_new, inflater_unpack as often as one likes, inflater_free.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct inflater;

/* How data is packed. */
enum layer_kind {
	LAYER_RAW = 1, /* deflate's bytes alone */
	LAYER_ZLIB,
	LAYER_GZIP,
	LAYER_ZSTD, /* a frame */
	LAYER_XZ,   /* a stream */
	LAYER_LZ4,  /* a frame */
	LAYER_BROTLI,
	LAYER_BZIP2, /* a stream; there is no way to store in it, so it is no layer (anew.h)
	              */
};

enum { INFLATE_MOST = 1 << 26 }; /* bytes that a packed part of a file holds */

struct inflated {
	const uint8_t *data; /* the inflater's, until it runs again */
	uint32_t size;
	uint32_t used; /* bytes that it took */
};

struct inflater *inflater_new(void);
void inflater_free(struct inflater *inflater);

/* Reads what is packed in the way of KIND (deflate's bytes are LAYER_RAW, whatever is around them)
 * at the beginning of SIZE bytes at BYTES; false when they are not that, do not end it, or hold
 * more than MAX bytes. */
bool inflater_unpack(struct inflater *inflater, enum layer_kind kind, const uint8_t *bytes,
                     uint32_t size, uint32_t max, struct inflated *out);

/* DATA packed in the way of KIND as well as it can be, without sums that the way of packing does
 * not ask for; of bzip2 in blocks of LEVEL. Deflate's bytes alone are LAYER_RAW. The caller frees
 * it; NULL: it cannot. */
uint8_t *inflate_pack(enum layer_kind kind, const uint8_t *data, uint32_t size, int level,
                      uint32_t *len);

/* Was it built with what reads that? */
bool inflate_has(enum layer_kind kind);
