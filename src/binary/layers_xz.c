/* Streams of xz as layers. A stream is opened as one block of LZMA2 whose chunks are uncompressed:
 *
 *     magic, no checksum of what it holds | block header | chunks, 0, padding | index | footer
 *
 * The index says how long the block is, with its header and without padding, and how much it holds;
 * the footer how long the index is. The chunks are the stored blocks: each begins with 1 (forget
 * what was), and its length less one in two bytes, the most significant first. */
#include <string.h>

#include "base/mem.h"
#include "binary/layers.h"
#include "binary/layers_impl.h"

enum {
	BLOCK = 12, /* where the block begins */
	DATA = 24,  /* and its chunks */
	FOOTER = 12,
	LEAST_INDEX = 8,
	CHUNK_MAX = 1 << 16,
	CHUNK_HEADER = 3,
	UNIT = 4, /* all parts are multiples of it */
};

/* No checksum; one filter, LZMA2 with 64 KB of memory. */
static const uint8_t open_head[DATA] = {
	0xfd, '7', 'z',  'X',  'Z', 0, 0, 0, 0xff, 0x12, 0xd9, 0x41, /* stream */
	2,    0,   0x21, 0x01, 8,   0, 0, 0, 0,    0,    0,    0,    /* block, without its sum */
};

bool xz_begins(const uint8_t *bytes, uint32_t at, uint32_t size)
{
	return size - at > DATA + FOOTER && !memcmp(bytes + at, open_head, 6);
}

/* Of a stream that is open. */
struct borders {
	uint32_t pad, index; /* behind the chunks; the padding goes to the index */
	uint32_t size, size_width, held, held_width;
	uint32_t index_pad, sum, footer;
};

static uint32_t up(uint32_t n)
{
	return (n + UNIT - 1) / UNIT * UNIT;
}

/* Finds the borders in a stream that xz's own library has read; false when it is not one block
 * with these headers. */
static bool find_borders(const uint8_t *bytes, const struct layer *l, struct borders *b)
{
	uint64_t value;
	const uint8_t *foot = bytes + l->tail - FOOTER, *end = foot;
	if (l->tail - l->head < DATA + 1 + LEAST_INDEX + FOOTER ||
	    memcmp(bytes + l->head, open_head, DATA - 4) != 0)
		return false;
	uint64_t size = ((uint64_t)(foot[4] | foot[5] << 8 | foot[6] << 16) + 1) * UNIT;
	if (foot[7] || size > l->tail - l->head - DATA - FOOTER || size < LEAST_INDEX)
		return false;
	b->footer = l->tail - FOOTER;
	b->sum = b->footer - 4;
	b->index = b->footer - (uint32_t)size;
	b->size = b->index + 2;
	if (bytes[b->index] || bytes[b->index + 1] != 1 ||
	    !code_read(CODE_LEB, bytes + b->size, end, &b->size_width, &value) ||
	    value < DATA - BLOCK + 1 || value > b->index - l->head - BLOCK)
		return false;
	b->pad = l->head + BLOCK + (uint32_t)value;
	b->held = b->size + b->size_width;
	if (!code_read(CODE_LEB, bytes + b->held, end, &b->held_width, &value))
		return false;
	b->index_pad = b->held + b->held_width;
	return b->index_pad <= b->sum && l->head + up(b->pad - l->head) == b->index;
}

void xz_borders(const uint8_t *bytes, struct layer *l)
{
	struct borders b;
	struct layer inner = *l;
	if (!find_borders(bytes, l, &b))
		return;
	inner.begin = l->head + DATA;
	inner.end = b.pad - 1; /* before the 0 behind the last chunk */
	if (stored_blocks(bytes, &inner, NULL, 0))
		*l = inner;
}

/* ---- writing ---- */

static uint32_t put_little(uint8_t *to, uint32_t at, uint32_t value)
{
	for (uint32_t i = 0; i < 4; i++)
		to[at++] = (uint8_t)(value >> 8 * i);
	return at;
}

static uint32_t put_leb(uint8_t *to, uint32_t at, uint32_t value)
{
	for (; value >= 0x80; value >>= 7)
		to[at++] = (uint8_t)(value | 0x80);
	to[at++] = (uint8_t)value;
	return at;
}

static uint32_t put_zeros(uint8_t *to, uint32_t at)
{
	while (at % UNIT)
		to[at++] = 0;
	return at;
}

static uint32_t put_index(uint8_t *to, uint32_t at, uint32_t block, uint32_t held)
{
	uint32_t index = at;
	to[at++] = 0;
	to[at++] = 1;
	at = put_zeros(to, put_leb(to, put_leb(to, at, block), held));
	at = put_little(to, at, inflate_crc32(to + index, at - index));
	uint32_t foot = at;
	put_little(to, foot + 4, (foot - index) / UNIT - 1);
	to[foot + 8] = to[foot + 9] = 0;
	put_little(to, foot, inflate_crc32(to + foot + 4, 6));
	memcpy(to + foot + 10, "YZ", 2);
	return foot + FOOTER;
}

static uint32_t write_open(const uint8_t *data, uint32_t size, uint8_t *to)
{
	uint32_t at = DATA;
	memcpy(to, open_head, DATA);
	put_little(to, DATA - 4, inflate_crc32(to + BLOCK, DATA - 4 - BLOCK));
	for (uint32_t done = 0, n; done < size; done += n) {
		n = size - done < CHUNK_MAX ? size - done : CHUNK_MAX;
		to[at++] = 1;
		to[at++] = (uint8_t)((n - 1) >> 8);
		to[at++] = (uint8_t)(n - 1);
		memcpy(to + at, data + done, n);
		at += n;
	}
	to[at++] = 0;
	return put_index(to, put_zeros(to, at), at - BLOCK, size);
}

bool xz_open(const struct layer *l, const uint8_t *bytes, struct inflater *inflater, uint32_t max,
             struct arena *arena, struct edit_part *out)
{
	struct inflated in;
	if (!inflater_xz(inflater, bytes + l->head, l->tail - l->head, max, &in))
		return false;
	size_t chunks = (size_t)in.size / CHUNK_MAX + 1;
	uint8_t *text = arena_alloc(arena, in.size + CHUNK_HEADER * chunks + DATA + 64);
	*out = (struct edit_part){ l->head, l->tail, write_open(in.data, in.size, text), text };
	return true;
}

/* ---- what it says ---- */

static struct field padding(uint32_t at, uint32_t end, uint32_t from)
{
	return (struct field){ .kind = FIELD_PADDING,
		               .at = at,
		               .width = end - at,
		               .from = from,
		               .to = at,
		               .unit = UNIT,
		               .depth = UINT16_MAX };
}

static struct field length(enum code code, uint32_t at, uint32_t width, uint32_t from, uint32_t to)
{
	return (struct field){ .kind = FIELD_LENGTH,
		               .code = (uint8_t)code,
		               .at = at,
		               .width = width,
		               .from = from,
		               .to = to };
}

static struct field sum(uint32_t at, uint32_t from, uint32_t to)
{
	return (struct field){ .kind = FIELD_SUM,
		               .sum = SUM_CRC32,
		               .code = CODE_LITTLE,
		               .at = at,
		               .width = 4,
		               .from = from,
		               .to = to };
}

void xz_fields(const struct layer *l, const uint8_t *bytes, uint32_t list,
               struct field out[XZ_FIELDS])
{
	struct borders b = { 0 };
	find_borders(bytes, l, &b);
	out[0] = padding(b.pad, b.index, l->head + BLOCK);
	out[1] = length(CODE_LEB, b.size, b.size_width, l->head + BLOCK, b.pad);
	out[1].depth = UINT16_MAX; /* without the padding */
	out[2] = length(CODE_LEB, b.held, b.held_width, l->begin, l->end);
	out[2].list = list;
	out[2].listed = true;
	out[2].depth = UINT16_MAX;
	out[3] = padding(b.index_pad, b.sum, b.index);
	out[3].aligned = true;
	out[4] = sum(b.sum, b.index, b.sum);
	out[4].aligned = true;
	out[5] = length(CODE_LITTLE, b.footer + 4, 4, b.index, b.footer);
	out[5].bias = -UNIT;
	out[5].unit = UNIT;
	out[6] = sum(b.footer, b.footer + 4, b.footer + 10);
}
