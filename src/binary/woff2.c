#include "binary/woff2.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/inflate.h"

enum {
	HEAD = 48,
	KINDS = 63,      /* tags that a number stands for */
	AS_IT_IS = 0xc0, /* of glyphs and their places: not packed in a way of their own */
	PACKED = 0x40,   /* of widths: they are */
	FONT_HEAD = 12,
	FONT_ENTRY = 16,
	BEST = 9,
	GLYF = 10,
	LOCA = 11,
	HMTX = 3,
	BASE = 7, /* bits a byte of a number */
	BASE_MOST = 5,
};

static const char tags[] = "cmap"
			   "head"
			   "hhea"
			   "hmtx"
			   "maxp"
			   "name"
			   "OS/2"
			   "post"
			   "cvt "
			   "fpgm"
			   "glyf"
			   "loca"
			   "prep"
			   "CFF "
			   "VORG"
			   "EBDT"
			   "EBLC"
			   "gasp"
			   "hdmx"
			   "kern"
			   "LTSH"
			   "PCLT"
			   "VDMX"
			   "vhea"
			   "vmtx"
			   "BASE"
			   "GDEF"
			   "GPOS"
			   "GSUB"
			   "EBSC"
			   "JSTF"
			   "MATH"
			   "CBDT"
			   "CBLC"
			   "COLR"
			   "CPAL"
			   "SVG "
			   "sbix"
			   "acnt"
			   "avar"
			   "bdat"
			   "bloc"
			   "bsln"
			   "cvar"
			   "fdsc"
			   "feat"
			   "fmtx"
			   "fvar"
			   "gvar"
			   "hsty"
			   "just"
			   "lcar"
			   "mort"
			   "morx"
			   "opbd"
			   "prop"
			   "trak"
			   "Zapf"
			   "Silf"
			   "Glat"
			   "Gloc"
			   "Feat"
			   "Sill";

bool woff2_is(const uint8_t *bytes, uint32_t size)
{
	return size > HEAD && !memcmp(bytes, "wOF2", SFNT_WORD) &&
	       memcmp(bytes + SFNT_WORD, "ttcf", SFNT_WORD) != 0;
}

/* UIntBase128 */
static uint32_t take_base(struct sfnt_stream *s)
{
	uint32_t value = 0, byte = 0x80;
	for (int i = 0; i < BASE_MOST && byte & 0x80; i++) {
		byte = sfnt_number(s, 1);
		value = value << BASE | (byte & 0x7f);
	}
	return value;
}

static void put_base(struct buf *out, uint32_t value)
{
	for (int i = BASE_MOST - 1; i > 0; i--)
		if (value >> (BASE * i))
			buf_addch(out, (char)(0x80 | (value >> (BASE * i) & 0x7f)));
	buf_addch(out, (char)(value & 0x7f));
}

/* A table as the directory has it. */
struct row {
	uint8_t tag[SFNT_WORD];
	uint32_t kind;
	bool packed; /* in a way of its own */
	struct sfnt_stream what;
};

/* The next row of S; where it is follows from those before, which take *ALL bytes. */
static bool take_row(struct sfnt_stream *s, struct row *row, uint32_t *sizes, uint64_t *all)
{
	uint32_t flags = sfnt_number(s, 1), way = flags & AS_IT_IS;
	row->kind = flags & KINDS;
	const uint8_t *tag = row->kind == KINDS ? sfnt_take(s, SFNT_WORD)
	                                        : (const uint8_t *)tags + row->kind * SFNT_WORD;
	*sizes = take_base(s);
	bool outlines = row->kind == GLYF || row->kind == LOCA;
	row->packed = outlines ? way != AS_IT_IS : way != 0;
	if (row->packed)
		*sizes = take_base(s);
	*all += *sizes;
	bool known = !row->packed || (outlines ? !way : row->kind == HMTX && way == PACKED);
	if (s->over || !known || *all > SFNT_MOST)
		return false;
	memcpy(row->tag, tag, SFNT_WORD);
	return true;
}

static struct row *find(struct row *rows, uint32_t n, const char *tag)
{
	for (uint32_t i = 0; i < n; i++)
		if (!memcmp(rows[i].tag, tag, SFNT_WORD))
			return &rows[i];
	return NULL;
}

/* Widths, of which the left sides that are those of the boxes were left out. */
static bool add_widths(struct buf *out, struct sfnt_stream s, const struct row *hhea,
                       const struct woff2_glyphs *g)
{
	enum { NUMBER = 34, NO_SIDES = 1, NO_MORE_SIDES = 2 };
	struct sfnt_stream head = hhea ? hhea->what : (struct sfnt_stream){ 0 };
	sfnt_take(&head, NUMBER);
	uint32_t flags = sfnt_number(&s, 1), n = sfnt_number(&head, 2);
	const uint8_t *widths = n && n <= g->n && !head.over ? sfnt_take(&s, 2 * n) : NULL;
	for (uint32_t i = 0; i < g->n && widths && !s.over; i++) {
		uint8_t side[2];
		bool implied = flags & (i < n ? NO_SIDES : NO_MORE_SIDES);
		sfnt_put(side, 2, implied ? (uint32_t)g->lefts[i] : sfnt_number(&s, 2));
		if (i < n)
			buf_add(out, widths + 2 * i, 2);
		buf_add(out, side, 2);
	}
	return widths && !s.over;
}

/* Places stand right behind glyphs, or are to. */
static void move_places(struct sfnt *font)
{
	const struct sfnt_table *glyf = sfnt_find(font, "glyf"), *loca = sfnt_find(font, "loca");
	if (!glyf || !loca)
		return;
	struct sfnt_table moved = *loca;
	size_t from = (size_t)(loca - font->tables),
	       to = (size_t)(glyf - font->tables) + (glyf < loca);
	for (; from > to; from--)
		font->tables[from] = font->tables[from - 1];
	for (; from < to; from++)
		font->tables[from] = font->tables[from + 1];
	font->tables[to] = moved;
}

/* The font of N ROWS, whose tables are unpacked. */
static uint8_t *font_of(struct row *rows, uint32_t n, const uint8_t *flavor, uint32_t *len)
{
	SCOPED(woff2_glyphs_release) struct woff2_glyphs g = { 0 };
	BUF_SCOPED struct buf data = { 0 };
	SCOPED(sfnt_release)
	struct sfnt font = { .n = n, .tables = mem_zero(n, sizeof *font.tables) };
	struct row *glyf = find(rows, n, "glyf"), *loca = find(rows, n, "loca");
	bool packed = glyf && glyf->packed, fits = !packed || (loca && loca->packed);
	fits = fits && (!packed || woff2_glyphs_read(glyf->what, &g));
	memcpy(font.flavor, flavor, SFNT_WORD);
	for (uint32_t i = 0; i < n && fits; i++) {
		struct sfnt_table *t = &font.tables[i];
		struct row *row = &rows[i];
		memcpy(t->tag, row->tag, SFNT_WORD);
		t->at = (uint32_t)data.len;
		if (!row->packed)
			buf_add(&data, row->what.at, (size_t)(row->what.end - row->what.at));
		else if (row == glyf)
			buf_add(&data, g.glyf.data, g.glyf.len);
		else if (row == loca && packed)
			buf_add(&data, g.loca.data, g.loca.len);
		else
			fits = add_widths(&data, row->what, find(rows, n, "hhea"), &g);
		t->size = (uint32_t)data.len - t->at;
	}
	font.data = (const uint8_t *)data.data;
	move_places(&font);
	return fits && data.len ? sfnt_write(&font, len) : NULL;
}

uint8_t *woff2_read(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	enum { TABLES = 12, PACKED_SIZE = 20 };
	if (!woff2_is(bytes, size))
		return NULL;
	struct sfnt_stream s = { bytes + TABLES, bytes + size, false };
	uint32_t n = sfnt_number(&s, 2), where = 0;
	s.at = bytes + PACKED_SIZE;
	uint32_t packed = sfnt_number(&s, SFNT_WORD);
	uint64_t all = 0;
	if (!n || n > SFNT_TABLES_MOST)
		return NULL;
	MEM_SCOPED struct row *rows = mem_zero(n, sizeof *rows);
	MEM_SCOPED uint32_t *sizes = mem_alloc(n * sizeof *sizes);
	s.at = bytes + HEAD;
	for (uint32_t i = 0; i < n; i++)
		if (!take_row(&s, &rows[i], &sizes[i], &all))
			return NULL;
	if (!sfnt_take(&s, packed))
		return NULL;
	struct inflater *inflater = inflater_new();
	struct inflated in = { 0 };
	uint8_t *font = NULL;
	if (inflater_unpack(inflater, LAYER_BROTLI, s.at - packed, packed, SFNT_MOST, &in) &&
	    in.size == all) {
		for (uint32_t i = 0; i < n; where += sizes[i++])
			rows[i].what = (struct sfnt_stream){ in.data + where,
				                             in.data + where + sizes[i], false };
		font = font_of(rows, n, bytes + SFNT_WORD, len);
	}
	inflater_free(inflater);
	return font;
}

/* The number that stands for TAG; KINDS: none does. */
static uint32_t kind_of(const uint8_t *tag)
{
	uint32_t k = 0;
	while (k < KINDS && memcmp(tags + k * SFNT_WORD, tag, SFNT_WORD) != 0)
		k++;
	return k;
}

static void add_row(struct buf *out, const struct sfnt_table *t)
{
	uint32_t kind = kind_of(t->tag);
	buf_addch(out, (char)(kind == GLYF || kind == LOCA ? kind | AS_IT_IS : kind));
	if (kind == KINDS)
		buf_add(out, t->tag, SFNT_WORD);
	put_base(out, t->size);
}

uint8_t *woff2_make(const uint8_t *said, uint32_t len, uint32_t *size)
{
	SCOPED(sfnt_release) struct sfnt font;
	BUF_SCOPED struct buf data = { 0 };
	struct buf out = { 0 };
	MEM_SCOPED uint8_t *bytes = sfnt_sound(said, &len, move_places, &font);
	if (!bytes)
		return NULL;
	uint32_t total = FONT_HEAD + font.n * FONT_ENTRY, packed;
	uint8_t head[HEAD] = "wOF2";
	buf_add(&out, head, HEAD);
	for (uint32_t i = 0; i < font.n; i++) {
		add_row(&out, &font.tables[i]);
		buf_add(&data, bytes + font.tables[i].at, font.tables[i].size);
		total += sfnt_padded(font.tables[i].size);
	}
	MEM_SCOPED uint8_t *all = inflate_pack(LAYER_BROTLI, (const uint8_t *)data.data,
	                                       (uint32_t)data.len, BEST, &packed);
	if (!all) {
		buf_release(&out);
		return NULL;
	}
	buf_add(&out, all, packed);
	while (out.len % SFNT_WORD)
		buf_addch(&out, '\0');
	memcpy(head + SFNT_WORD, font.flavor, SFNT_WORD);
	sfnt_put(head + 8, SFNT_WORD, (uint32_t)out.len);
	sfnt_put(head + 12, 2, font.n);
	sfnt_put(head + 16, SFNT_WORD, total);
	sfnt_put(head + 20, SFNT_WORD, packed);
	head[25] = 1; /* its version is that of the format */
	memcpy(out.data, head, HEAD);
	*size = (uint32_t)out.len;
	return (uint8_t *)out.data;
}
