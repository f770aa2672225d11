/* Layers: parts of a file that are deflated, as in PNG, PDF, ZIP and gzip, none of which is known
 * by name, frames of zstd and LZ4, streams of xz, and what brotli compressed. Data is taken to be
 * deflated when it inflates and a checksum of what comes out stands beside it: zlib's and gzip's
 * trailers, a CRC-32 near raw deflate; to be brotli's when that ends just where the file does.
 *
 * A layer is *opened* by writing it anew in stored blocks, deflate's way to hold bytes as they are
 * (zstd calls them raw, xz uncompressed). What the file says of the layer's length is a field, as
 * are lengths and sums of stored blocks (repair.h), so that the file stays sound and whatever shows
 * may be cut as anything else. At the end what is left is packed again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "text/edit.h"
#include "binary/inflate.h"
#include "binary/record.h"

struct schema;

struct layer {
	uint32_t head;       /* where it begins, with the header of zlib or gzip */
	uint32_t begin, end; /* deflate's bytes; after them stands the trailer. Of zstd and xz the
	                        blocks when it is open, else all */
	uint32_t tail;       /* where that ends */
	uint32_t size;       /* of what it holds */
	uint32_t crc;        /* of that */
	uint8_t kind;        /* enum layer_kind */
	bool stored;         /* is it open? */
	uint32_t n_records;  /* that it goes over when it lies in several: those after its own are
	                        [tail, ...) */
	uint32_t last;       /* where the last of them ends */
};

struct layers {
	uint32_t n, cap;
	struct layer *list; /* in document order */
};

/* Those in BYTES; of a layer that is stored also those within it. RECORDS (may be NULL) are known.
 * Takes a bounded number of steps. */
void layers_find(const uint8_t *bytes, uint32_t size, const struct records *records,
                 struct layers *out);
void layers_release(struct layers *layers);

/* What the file says about them; NULL: nothing. */
struct repair *layers_repair(const struct layers *layers, const uint8_t *bytes, uint32_t size);

/* The data of the stored blocks of KIND that fill [begin, end), the first MAX of them in OUT; how
 * many there are, 0 when there is anything else. */
uint32_t stored_blocks(const uint8_t *bytes, uint8_t kind, uint32_t begin, uint32_t end,
                       struct element *out, uint32_t max);

/* Likewise all of them in *OUT, which the caller frees. */
uint32_t stored_list(const uint8_t *bytes, uint8_t kind, uint32_t begin, uint32_t end,
                     struct element **out);

/* How stored blocks are written: a length, and bits that have to be as here. */
struct stored_form {
	uint32_t header;     /* bytes in front of a block's data; of 5 the last two are the length
	                        inverted */
	uint32_t most;       /* bytes that a block holds */
	uint8_t code, width; /* of the length, less BIAS; AT: in the header */
	uint8_t at;
	int32_t bias;
	uint8_t mask[4], want[4];
	bool has_last;   /* the lowest bit says that it is the last one */
	uint8_t n_magic; /* bytes of HEAD with which all begin that is packed so */
	uint8_t n_head, n_tail;
	uint8_t head[8], tail[4]; /* what layer_open writes in front of the blocks, and behind */
};

const struct stored_form *stored_form(uint8_t kind);

/* The part that opens LAYER, which is not stored; its text in ARENA. False when it cannot. */
bool layer_open(const struct layer *layer, const uint8_t *bytes, const struct records *records,
                struct inflater *inflater, struct arena *arena, struct edit_part *out);

/* The reverse: the part that packs LAYER, which is stored. False when it gets no smaller by that.
 */
bool layer_pack(const struct layer *layer, const uint8_t *bytes, struct arena *arena,
                struct edit_part *out);

/* RECORDS (NULL: none) with what is in the layers of BYTES that are open; the caller's. */
struct records *layers_join(const struct records *records, const uint8_t *bytes, uint32_t size);

/* The records in BYTES, by SCHEMA (NULL: none) where it fits, else as they are found
 * (records_find), with what is in the layers that are open; NULL: nothing. */
struct records *layers_records(const struct schema *schema, const uint8_t *bytes, uint32_t size);

/* What a stream of xz that is open says about its blocks, which are the elements of LIST. */
enum { XZ_FIELDS = 7 };
void xz_fields(const struct layer *layer, const uint8_t *bytes, uint32_t list,
               struct field out[XZ_FIELDS]);
