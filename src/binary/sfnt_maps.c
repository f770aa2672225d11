/* Maps of characters ("cmap"), of which ranges say several at once: then nothing in front of a
 * wanted character, or of its glyph, can go. Opened, each character has a row of its own. */
#include "binary/sfnt.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/codes.h"

enum {
	HEAD = 4,
	ENTRY = 8, /* of the list of maps: platform, encoding, place */
	LARGE = 12,
	SMALL = 4, /* formats */
	LARGE_HEAD = 16,
	GROUP = 12,
	SMALL_HEAD = 14,
	CHARACTERS_MOST = 1 << 16,
	LAST = 0xffff, /* of the small map: it ends the ranges, and is none */
};

/* Rows that are made: first and last character, glyph. */
struct maps {
	struct buf rows;
	uint32_t n, looks; /* looks: characters that were read */
	bool ranges;       /* one of what was read says several */
};

static uint32_t half(const uint8_t *p)
{
	return (uint32_t)(p[0] << 8 | p[1]);
}

/* False: there were so many that no more are read. */
static bool add(struct maps *m, uint32_t character, uint32_t glyph)
{
	uint8_t row[GROUP];
	if (m->looks++ == CHARACTERS_MOST)
		return false;
	if (!glyph)
		return true;
	sfnt_put(row, 4, character);
	sfnt_put(row + 4, 4, character);
	sfnt_put(row + 8, 4, glyph);
	buf_add(&m->rows, row, GROUP);
	m->n++;
	return true;
}

static void read_large(struct maps *m, const uint8_t *map, uint32_t size)
{
	uint32_t n = size < LARGE_HEAD ? 0 : code_big(map + LARGE_HEAD - 4);
	const uint8_t *row = map + LARGE_HEAD;
	for (uint32_t i = 0; i < n && LARGE_HEAD + (i + (uint64_t)1) * GROUP <= size;
	     i++, row += GROUP) {
		uint64_t first = code_big(row), last = code_big(row + 4);
		m->ranges |= first < last;
		for (uint64_t c = first; c <= last; c++)
			if (!add(m, (uint32_t)c, code_big(row + 8) + (uint32_t)(c - first)))
				return;
	}
}

/* Of the ranges in four columns the one whose last character is at ROW; WIDTH: of a column. */
static void read_range(struct maps *m, const uint8_t *row, uint32_t width, const uint8_t *end)
{
	uint32_t last = half(row), first = half(row + width + 2);
	const uint8_t *from = row + 3 * width + 2;
	uint32_t delta = half(row + 2 * width + 2), offset = half(from);
	m->ranges |= first < last;
	for (uint32_t c = first; c <= last && c != LAST; c++) {
		uint32_t glyph = c, at = offset + 2 * (c - first);
		if (offset && at + 2 > (size_t)(end - from))
			return;
		if (offset)
			glyph = half(from + at);
		if (!add(m, c, glyph || !offset ? (glyph + delta) & 0xffff : 0))
			return;
	}
}

static void read_small(struct maps *m, const uint8_t *map, uint32_t size)
{
	uint32_t width = size < SMALL_HEAD ? 0 : half(map + 6) & ~1u;
	if (!width || size - SMALL_HEAD < 4 * width + 2)
		return;
	for (uint32_t i = 0; i < width && m->looks <= CHARACTERS_MOST; i += 2)
		read_range(m, map + SMALL_HEAD + i, width, map + size);
}

/* Reads the map of most characters of the table of SIZE bytes; false: there is none, or all is so
 * already. */
static bool read_maps(struct maps *m, const uint8_t *table, uint32_t size)
{
	uint32_t n = size < HEAD ? 0 : half(table + 2), best = 0, kind = 0;
	for (uint32_t i = 0; i < n && HEAD + (i + 1) * ENTRY <= size; i++) {
		const uint8_t *entry = table + HEAD + i * ENTRY;
		uint32_t at = code_big(entry + 4);
		bool unicode = !half(entry) || (half(entry) == 3 && half(entry + 2) % 9 == 1);
		uint32_t format = unicode && at < size && size - at > 2 ? half(table + at) : 0;
		if ((format == LARGE || format == SMALL) && format > kind) {
			kind = format;
			best = at;
		}
	}
	if (kind == LARGE)
		read_large(m, table + best, size - best);
	else if (kind == SMALL)
		read_small(m, table + best, size - best);
	work_step(m->looks);
	return m->n && m->ranges && m->looks <= CHARACTERS_MOST;
}

static void put_maps(struct buf *out, const struct maps *m)
{
	uint8_t head[HEAD + ENTRY + LARGE_HEAD] = { 0 };
	head[3] = 1;
	head[5] = 3; /* Unicode, all of it */
	head[7] = 10;
	head[11] = HEAD + ENTRY;
	head[13] = LARGE;
	sfnt_put(head + 16, 4, LARGE_HEAD + m->n * GROUP);
	sfnt_put(head + 24, 4, m->n);
	buf_add(out, head, sizeof head);
	buf_add(out, m->rows.data, m->rows.len);
}

uint8_t *sfnt_open(const uint8_t *font, uint32_t size, uint32_t *len)
{
	SCOPED(sfnt_release) struct sfnt f = { 0 };
	/* Of "CFF" glyphs do not go with their characters, and rows would only be more to cut. */
	if (size < SFNT_WORD || !sfnt_read(font, size, &f) || !sfnt_find(&f, "glyf"))
		return NULL;
	struct sfnt_table *table = NULL;
	for (uint32_t i = 0; i < f.n; i++)
		table = memcmp(f.tables[i].tag, "cmap", SFNT_WORD) ? table : &f.tables[i];
	struct maps m = { 0 };
	uint8_t *out = NULL;
	if (table && read_maps(&m, font + table->at, table->size)) {
		BUF_SCOPED struct buf data = { 0 };
		buf_add(&data, font, size);
		put_maps(&data, &m);
		table->at = size;
		table->size = (uint32_t)data.len - size;
		f.data = (const uint8_t *)data.data;
		out = sfnt_write(&f, len);
	}
	buf_release(&m.rows);
	return out;
}
