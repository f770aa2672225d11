#include "binary/woff.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "binary/codes.h"
#include "binary/inflate.h"
#include "binary/sums.h"

enum {
	HEAD = 44,
	ENTRY = 20, /* of a table: tag, place, length, length unpacked, checksum */
	FONT_HEAD = 12,
	FONT_ENTRY = 16, /* tag, checksum, place, length */
	WORD = 4,
	TABLES_MOST = 4096,
	UNPACKED_MOST = 1 << 26,
	BEST = 9,
	ZLIB_HEAD = 2,
	ZLIB = ZLIB_HEAD + WORD, /* bytes around what deflate packed */
};

static uint32_t padded(uint32_t n)
{
	return (n + WORD - 1) & ~(uint32_t)(WORD - 1);
}

static void put_word(uint8_t *to, uint32_t value)
{
	for (int i = 0; i < WORD; i++)
		to[i] = (uint8_t)(value >> (8 * (WORD - 1 - i)));
}

static void put_half(uint8_t *to, uint32_t value)
{
	to[0] = (uint8_t)(value >> 8);
	to[1] = (uint8_t)value;
}

static uint32_t half_at(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

/* DATA behind what is in OUT, which is then filled up to a word; whatever OUT has in front is one
 * already. */
static void add_table(struct buf *out, const void *data, uint32_t size)
{
	static const char zeros[WORD] = { 0 };
	buf_add(out, data, size);
	buf_add(out, zeros, padded(size) - size);
}

static void add_zeros(struct buf *out, uint32_t n)
{
	for (uint32_t i = 0; i < n; i += WORD)
		add_table(out, "\0\0\0", WORD);
}

/* What the directory of a font begins with, for N tables. */
static void put_font_head(uint8_t *to, const uint8_t *flavor, uint32_t n)
{
	uint32_t exponent = 31 - (uint32_t)__builtin_clz(n),
		 range = (uint32_t)FONT_ENTRY << exponent;
	memcpy(to, flavor, WORD);
	put_half(to + WORD, n);
	put_half(to + WORD + 2, range);
	put_half(to + WORD + 4, exponent);
	put_half(to + WORD + 6, FONT_ENTRY * n - range);
}

/* A table of a directory, and where it is. */
struct place {
	uint32_t at;
	const uint8_t *entry;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	return MEM_ORDER_TWO(x, y, at, entry);
}

/* The N tables of the directory at FIRST in the order in which they stand, since the checksum of a
 * font is one of where its tables are, too; the caller's. */
static struct place *in_order(const uint8_t *first, uint32_t n, uint32_t width, uint32_t column)
{
	struct place *places = mem_alloc(n * sizeof *places);
	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *entry = first + i * width;
		places[i] = (struct place){ code_big(entry + column), entry };
	}
	MEM_SORT(places, n, by_place);
	return places;
}

bool woff_is(const uint8_t *bytes, uint32_t size)
{
	return size > HEAD + ENTRY && !memcmp(bytes, "wOFF", WORD);
}

/* Adds the table of ENTRY to OUT. */
static bool unpack(struct inflater *inflater, const uint8_t *bytes, uint32_t size,
                   const uint8_t *entry, struct buf *out)
{
	uint32_t at = code_big(entry + WORD), packed = code_big(entry + 2 * WORD);
	uint32_t length = code_big(entry + 3 * WORD);
	struct inflated in = { bytes + at, length, packed };
	if (at > size || packed > size - at || length > UNPACKED_MOST ||
	    out->len + length > UNPACKED_MOST)
		return false;
	if (packed != length && (packed < ZLIB ||
	                         !inflater_unpack(inflater, LAYER_RAW, bytes + at + ZLIB_HEAD,
	                                          packed - ZLIB, UNPACKED_MOST, &in) ||
	                         in.size != length || in.used != packed - ZLIB))
		return false;
	add_table(out, in.data, length);
	return true;
}

uint8_t *woff_read(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	struct buf out = { 0 };
	uint32_t n = woff_is(bytes, size) ? half_at(bytes + 3 * WORD) : 0;
	if (!n || n > TABLES_MOST || HEAD + n * ENTRY > size)
		return NULL;
	struct inflater *inflater = inflater_new();
	add_zeros(&out, FONT_HEAD + n * FONT_ENTRY);
	put_font_head((uint8_t *)out.data, bytes + WORD, n);
	bool fits = true;
	MEM_SCOPED struct place *places = in_order(bytes + HEAD, n, ENTRY, WORD);
	for (uint32_t i = 0; i < n && fits; i++) {
		const uint8_t *entry = places[i].entry;
		uint32_t at = (uint32_t)out.len;
		fits = unpack(inflater, bytes, size, entry, &out);
		size_t number = (size_t)(entry - bytes - HEAD) / ENTRY;
		uint8_t *row = (uint8_t *)out.data + FONT_HEAD + number * FONT_ENTRY;
		memcpy(row, entry, WORD);
		memcpy(row + WORD, entry + 4 * WORD, WORD);
		put_word(row + 2 * WORD, at);
		memcpy(row + 3 * WORD, entry + 3 * WORD, WORD);
	}
	inflater_free(inflater);
	*len = (uint32_t)out.len;
	if (fits)
		return (uint8_t *)out.data;
	buf_release(&out);
	return NULL;
}

/* Packs a table behind what is in OUT, where that is shorter; *KEPT: what it takes. */
static void add_packed(struct buf *out, const uint8_t *table, uint32_t length, uint32_t *kept)
{
	static const char head[ZLIB_HEAD] = { 0x78, (char)0xda };
	uint8_t sum[WORD];
	MEM_SCOPED uint8_t *packed = inflate_pack(LAYER_RAW, table, length, BEST, kept);
	if (!packed || *kept + ZLIB >= length) {
		*kept = length;
		add_table(out, table, length);
		return;
	}
	put_word(sum, sum_bytes(SUM_ADLER32, table, length));
	buf_add(out, head, sizeof head);
	buf_add(out, packed, *kept);
	buf_add(out, sum, sizeof sum);
	*kept += ZLIB;
	while (out->len % WORD)
		buf_add(out, "", 1);
}

uint8_t *woff_make(const uint8_t *font, uint32_t len, uint32_t *size)
{
	struct buf out = { 0 };
	uint32_t n = len > FONT_HEAD ? half_at(font + WORD) : 0;
	uint32_t total = FONT_HEAD + n * FONT_ENTRY;
	if (!n || n > TABLES_MOST || total > len)
		return NULL;
	add_zeros(&out, HEAD + n * ENTRY);
	MEM_SCOPED struct place *places = in_order(font + FONT_HEAD, n, FONT_ENTRY, 2 * WORD);
	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *row = places[i].entry;
		uint32_t at = places[i].at, length = code_big(row + 3 * WORD);
		uint32_t place = (uint32_t)out.len, kept = length;
		if (at > len || length > len - at || out.len + length > UNPACKED_MOST) {
			buf_release(&out);
			return NULL;
		}
		add_packed(&out, font + at, length, &kept);
		total += padded(length);
		size_t number = (size_t)(row - font - FONT_HEAD) / FONT_ENTRY;
		uint8_t *entry = (uint8_t *)out.data + HEAD + number * ENTRY;
		memcpy(entry, row, WORD);
		put_word(entry + WORD, place);
		put_word(entry + 2 * WORD, kept);
		put_word(entry + 3 * WORD, length);
		memcpy(entry + 4 * WORD, row + WORD, WORD);
	}
	uint8_t *head = (uint8_t *)out.data;
	memcpy(head, "wOFF", WORD);
	memcpy(head + WORD, font, WORD);
	put_word(head + 2 * WORD, (uint32_t)out.len);
	put_half(head + 3 * WORD, n);
	put_word(head + 4 * WORD, total);
	head[5 * WORD + 1] = 1; /* its version is that of the format */
	*size = (uint32_t)out.len;
	return head;
}
