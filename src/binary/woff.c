#include "binary/woff.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "binary/codes.h"
#include "binary/inflate.h"
#include "binary/sfnt.h"
#include "binary/sums.h"

enum {
	HEAD = 44,
	ENTRY = 20, /* of a table: tag, place, length, length unpacked, checksum */
	FONT_HEAD = 12,
	FONT_ENTRY = 16,
	WORD = SFNT_WORD,
	BEST = 9,
	ZLIB_HEAD = 2,
	ZLIB = ZLIB_HEAD + WORD, /* bytes around what deflate packed */
};

bool woff_is(const uint8_t *bytes, uint32_t size)
{
	return size > HEAD + ENTRY && !memcmp(bytes, "wOFF", WORD);
}

/* Adds T, which says where it is packed, to OUT. */
static bool unpack(struct inflater *inflater, const uint8_t *bytes, uint32_t size,
                   struct sfnt_table *t, struct buf *out)
{
	const uint8_t *entry = bytes + HEAD + t->row * ENTRY;
	uint32_t at = t->at, packed = code_big(entry + 2 * WORD);
	uint32_t length = code_big(entry + 3 * WORD);
	struct inflated in = { bytes + at, length, packed };
	if (at > size || packed > size - at || length > SFNT_MOST || out->len + length > SFNT_MOST)
		return false;
	if (packed != length && (packed < ZLIB ||
	                         !inflater_unpack(inflater, LAYER_RAW, bytes + at + ZLIB_HEAD,
	                                          packed - ZLIB, SFNT_MOST, &in) ||
	                         in.size != length || in.used != packed - ZLIB))
		return false;
	memcpy(t->tag, entry, WORD);
	t->at = (uint32_t)out->len;
	t->size = length;
	buf_add(out, in.data, length);
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct sfnt_table *x = a, *y = b;
	return MEM_ORDER_TWO(x, y, at, row);
}

uint8_t *woff_read(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	BUF_SCOPED struct buf out = { 0 };
	uint32_t n =
		woff_is(bytes, size) ? (uint32_t)bytes[3 * WORD] << 8 | bytes[3 * WORD + 1] : 0;
	if (!n || n > SFNT_TABLES_MOST || HEAD + n * ENTRY > size)
		return NULL;
	struct inflater *inflater = inflater_new();
	SCOPED(sfnt_release)
	struct sfnt font = { .n = n, .tables = mem_zero(n, sizeof *font.tables) };
	memcpy(font.flavor, bytes + WORD, WORD);
	for (uint32_t i = 0; i < n; i++) {
		font.tables[i].at = code_big(bytes + HEAD + i * ENTRY + WORD);
		font.tables[i].row = i;
	}
	MEM_SORT(font.tables, n, by_place);
	bool fits = true;
	for (uint32_t i = 0; i < n && fits; i++)
		fits = unpack(inflater, bytes, size, &font.tables[i], &out);
	inflater_free(inflater);
	font.data = (const uint8_t *)out.data;
	return fits && out.len ? sfnt_write(&font, len) : NULL;
}

/* Packs a table behind what is in OUT, where that is shorter; *KEPT: what it takes. */
static void add_packed(struct buf *out, const uint8_t *table, uint32_t length, uint32_t *kept)
{
	static const char head[ZLIB_HEAD] = { 0x78, (char)0xda };
	uint8_t sum[WORD];
	MEM_SCOPED uint8_t *packed = inflate_pack(LAYER_RAW, table, length, BEST, kept);
	if (!packed || *kept + ZLIB >= length) {
		*kept = length;
		buf_add(out, table, length);
	} else {
		sfnt_put(sum, WORD, sum_bytes(SUM_ADLER32, table, length));
		buf_add(out, head, sizeof head);
		buf_add(out, packed, *kept);
		buf_add(out, sum, sizeof sum);
		*kept += ZLIB;
	}
	while (out->len % WORD)
		buf_add(out, "", 1);
}

uint8_t *woff_make(const uint8_t *said, uint32_t len, uint32_t *size)
{
	SCOPED(sfnt_release) struct sfnt font;
	struct buf out = { 0 };
	MEM_SCOPED uint8_t *bytes = sfnt_sound(said, &len, NULL, &font);
	if (!bytes)
		return NULL;
	uint32_t n = font.n, total = FONT_HEAD + n * FONT_ENTRY;
	for (uint32_t i = 0; i < HEAD + n * ENTRY; i++)
		buf_add(&out, "", 1);
	for (uint32_t i = 0; i < n; i++) {
		const struct sfnt_table *t = &font.tables[i];
		uint32_t place = (uint32_t)out.len, kept;
		add_packed(&out, bytes + t->at, t->size, &kept);
		total += sfnt_padded(t->size);
		uint8_t *entry = (uint8_t *)out.data + HEAD + t->row * ENTRY;
		memcpy(entry, t->tag, WORD);
		sfnt_put(entry + WORD, WORD, place);
		sfnt_put(entry + 2 * WORD, WORD, kept);
		sfnt_put(entry + 3 * WORD, WORD, t->size);
		memcpy(entry + 4 * WORD, bytes + FONT_HEAD + t->row * FONT_ENTRY + WORD, WORD);
	}
	uint8_t *head = (uint8_t *)out.data;
	memcpy(head, "wOFF", WORD);
	memcpy(head + WORD, font.flavor, WORD);
	sfnt_put(head + 2 * WORD, WORD, (uint32_t)out.len);
	sfnt_put(head + 3 * WORD, 2, n);
	sfnt_put(head + 4 * WORD, WORD, total);
	head[5 * WORD + 1] = 1; /* its version is that of the format */
	*size = (uint32_t)out.len;
	return head;
}
