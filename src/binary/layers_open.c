/* Layers that are open, and opening them: what is in stored blocks. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/layers.h"
#include "binary/layers_impl.h"

enum {
	STORED_MAX = 65535,
	RAW_BLOCK_MAX = 1 << 17,
};

const uint8_t zstd_open[ZSTD_HEAD] = { 0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3 };

uint32_t stored_header(const struct layer *l)
{
	return l->kind == LAYER_ZSTD || l->kind == LAYER_XZ ? 3 : 5;
}

/* The length of the data behind the header at P; false when it is none of a stored block. */
static bool stored_length(const struct layer *l, const uint8_t *p, uint32_t *length)
{
	*length = p[1] | (uint32_t)p[2] << 8;
	if (l->kind == LAYER_XZ) {
		*length = (p[2] | (uint32_t)p[1] << 8) + 1;
		return p[0] == 1 || p[0] == 2;
	}
	if (l->kind == LAYER_ZSTD) {
		*length = (p[0] | *length << 8) >> 3;
		return !(p[0] & 6);
	}
	return p[0] <= 1 && (p[1] ^ p[3]) == 0xff && (p[2] ^ p[4]) == 0xff;
}

uint32_t stored_blocks(const uint8_t *bytes, const struct layer *l, struct element *out,
                       uint32_t max)
{
	uint32_t n = 0, header = stored_header(l), at = l->begin, length;
	for (; at + header <= l->end; n++) {
		bool last = l->kind != LAYER_XZ && bytes[at] & 1;
		if (!stored_length(l, bytes + at, &length) || length > l->end - at - header)
			return 0;
		at += header + length;
		if (n < max)
			out[n] = (struct element){ at - length, at };
		if (last)
			return at == l->end ? n + 1 : 0;
	}
	return l->kind == LAYER_XZ && at == l->end ? n : 0;
}

/* DATA in stored blocks of deflate, at TO. */
static uint32_t store(const uint8_t *data, uint32_t size, uint8_t *to)
{
	uint32_t done = 0, at = 0;
	do {
		uint32_t n = size - done < STORED_MAX ? size - done : STORED_MAX;
		to[at++] = done + n == size;
		for (uint32_t i = 0; i < 4; i++)
			to[at++] = (uint8_t)((i < 2 ? n : ~n) >> 8 * (i & 1));
		memcpy(to + at, data + done, n);
		done += n;
		at += n;
	} while (done < size);
	return at;
}

/* DATA as a frame of zstd, whose window is as large as a block. */
static uint32_t store_zstd(const uint8_t *data, uint32_t size, uint8_t *to)
{
	uint32_t done = 0, at = ZSTD_HEAD;
	memcpy(to, zstd_open, ZSTD_HEAD);
	do {
		uint32_t n = size - done < RAW_BLOCK_MAX ? size - done : RAW_BLOCK_MAX;
		uint32_t header = n << 3 | (done + n == size);
		for (uint32_t i = 0; i < 3; i++)
			to[at++] = (uint8_t)(header >> 8 * i);
		memcpy(to + at, data + done, n);
		done += n;
		at += n;
	} while (done < size);
	return at;
}

static bool open_zstd(const struct layer *l, const uint8_t *bytes, struct inflater *inflater,
                      struct arena *arena, struct edit_part *out)
{
	struct inflated in;
	if (!inflater_zstd(inflater, bytes + l->head, l->tail - l->head, MOST_HELD, &in))
		return false;
	uint8_t *text = arena_alloc(arena, in.size + 3 * ((size_t)in.size / RAW_BLOCK_MAX + 1) + 8);
	*out = (struct edit_part){ l->head, l->tail, store_zstd(in.data, in.size, text), text };
	return true;
}

bool layer_open(const struct layer *l, const uint8_t *bytes, const struct records *records,
                struct inflater *inflater, struct arena *arena, struct edit_part *out)
{
	if (l->kind == LAYER_ZSTD)
		return open_zstd(l, bytes, inflater, arena, out);
	if (l->kind == LAYER_XZ)
		return xz_open(l, bytes, inflater, MOST_HELD, arena, out);
	struct inflate_piece *pieces = mem_alloc(PIECES * sizeof *pieces);
	uint32_t *ends = mem_alloc(PIECES * sizeof *ends), n = 1;
	struct inflated in;
	pieces[0] = (struct inflate_piece){ l->begin, l->end };
	if (l->n_records > 1)
		n = record_pieces(records, l->begin, l->head, pieces, ends);
	bool fine = n >= l->n_records && inflater_run(inflater, bytes, pieces, n, MOST_HELD, &in);
	if (fine) {
		uint8_t *text = arena_alloc(arena, in.size + 5 * (in.size / STORED_MAX + 1) + 4);
		uint32_t len = store(in.data, in.size, text);
		uint32_t sum = inflate_adler32(in.data, in.size);
		for (int shift = 24; l->n_records > 1 && shift >= 0; shift -= 8)
			text[len++] = (uint8_t)(sum >> shift);
		*out = (struct edit_part){ l->begin, l->end, len, text };
	}
	free(pieces);
	free(ends);
	return fine;
}
