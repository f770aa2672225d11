#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/woff2.h"

/* The parts of the table, in their order; the bits of boxes stand in front of these. */
enum part { CONTOURS, POINTS, FLAGS, GLYPHS, COMPOSITES, BOXES, INSTRUCTIONS, PARTS };

/* Of a glyph in "glyf". */
enum {
	ON_CURVE = 1,
	SHORT = 2, /* of x; that of y is the next bit */
	SAME = 16, /* or, of a short one, more than zero */
	OVERLAPS = 64,
	WORDS = 1, /* of a component: arguments of two bytes */
	SCALE = 8,
	MORE = 32,
	TWO_SCALES = 64,
	FOUR_SCALES = 128,
	INSTRUCTED = 256,
	COMPOSITE = 0xffff,
	BOX = 8,
	HAS_OVERLAPS = 1 /* of the table */
};

struct parts {
	struct sfnt_stream of[PARTS];
	const uint8_t *boxed, *overlapping; /* a bit a glyph; NULL: none does */
};

static bool bit_of(const uint8_t *bits, uint32_t i)
{
	return bits && bits[i / 8] >> (7 - i % 8) & 1;
}

/* 255UInt16 */
static uint32_t take_short(struct sfnt_stream *s)
{
	enum { WORD_CODE = 253, LOWEST = 253, ONE_MORE_TWICE = 254, ONE_MORE = 255 };
	uint32_t code = sfnt_number(s, 1);
	if (code == WORD_CODE)
		return sfnt_number(s, 2);
	if (code == ONE_MORE)
		return sfnt_number(s, 1) + LOWEST;
	return code == ONE_MORE_TWICE ? sfnt_number(s, 1) + 2 * LOWEST : code;
}

static void put_short(struct buf *out, uint32_t value)
{
	uint8_t two[2];
	sfnt_put(two, sizeof two, value);
	buf_add(out, two, sizeof two);
}

/* N bytes of S, as they are. */
static void copy(struct buf *out, struct sfnt_stream *s, uint32_t n)
{
	const uint8_t *p = sfnt_take(s, n);
	if (p)
		buf_add(out, p, n);
}

struct step {
	int32_t x, y;
};

static int32_t with_sign(uint32_t flag, uint32_t value)
{
	return flag & 1 ? (int32_t)value : -(int32_t)value;
}

/* A point as it is seen from the one before: what FLAG says of the bytes in S (table in 5.2). */
static struct step take_step(uint32_t flag, struct sfnt_stream *s)
{
	enum { Y = 10, X = 20, NIBBLES = 84, BYTES = 120, TWELVES = 124 };
	uint32_t f = flag & 0x7f, n = f < NIBBLES ? 1 : f < BYTES ? 2 : f < TWELVES ? 3 : 4;
	static const uint8_t none[4] = { 0 };
	const uint8_t *p = sfnt_take(s, n);
	p = p ? p : none;
	if (f < Y)
		return (struct step){ 0, with_sign(f, ((f & 14) << 7) + p[0]) };
	if (f < X)
		return (struct step){ with_sign(f, (((f - Y) & 14) << 7) + p[0]), 0 };
	uint32_t x, y;
	if (f < NIBBLES) {
		x = 1 + ((f - X) & 0x30) + (p[0] >> 4);
		y = 1 + (((f - X) & 0x0c) << 2) + (p[0] & 15);
	} else if (f < BYTES) {
		x = 1 + (((f - NIBBLES) / 12) << 8) + p[0];
		y = 1 + (((f - NIBBLES) % 12 >> 2) << 8) + p[1];
	} else if (f < TWELVES) {
		x = ((uint32_t)p[0] << 4) + (p[1] >> 4);
		y = ((uint32_t)(p[1] & 15) << 8) + p[2];
	} else {
		x = ((uint32_t)p[0] << 8) + p[1];
		y = ((uint32_t)p[2] << 8) + p[3];
	}
	return (struct step){ with_sign(f, x), with_sign(f >> 1, y) };
}

/* Adds a difference to OUT; returns what its flag has to say, for x. */
static uint8_t put_difference(struct buf *out, int32_t d)
{
	if (!d)
		return SAME;
	if (abs(d) > UINT8_MAX) {
		put_short(out, (uint32_t)d);
		return 0;
	}
	buf_addch(out, (char)abs(d));
	return d > 0 ? SHORT | SAME : SHORT;
}

struct box {
	int32_t x0, y0, x1, y1;
};

static void widen(struct box *box, struct step at, bool first)
{
	box->x0 = first || at.x < box->x0 ? at.x : box->x0;
	box->y0 = first || at.y < box->y0 ? at.y : box->y0;
	box->x1 = first || at.x > box->x1 ? at.x : box->x1;
	box->y1 = first || at.y > box->y1 ? at.y : box->y1;
}

/* The flags and places of N points, and their box. */
static void put_points(struct buf *out, struct parts *parts, uint32_t n, bool overlaps,
                       struct box *box)
{
	BUF_SCOPED struct buf xs = { 0 }, ys = { 0 };
	struct step at = { 0, 0 };
	for (uint32_t i = 0; i < n && !parts->of[FLAGS].over && !parts->of[GLYPHS].over; i++) {
		uint32_t flag = sfnt_number(&parts->of[FLAGS], 1);
		struct step d = take_step(flag, &parts->of[GLYPHS]);
		uint8_t said = flag >> 7 ? 0 : ON_CURVE;
		at.x += d.x;
		at.y += d.y;
		widen(box, at, !i);
		said |= put_difference(&xs, d.x);
		said |= (uint8_t)(put_difference(&ys, d.y) << 1);
		said |= overlaps && !i ? OVERLAPS : 0;
		buf_addch(out, (char)said);
	}
	buf_add(out, xs.data, xs.len);
	buf_add(out, ys.data, ys.len);
}

static void put_box(struct buf *out, struct box box)
{
	put_short(out, (uint32_t)box.x0);
	put_short(out, (uint32_t)box.y0);
	put_short(out, (uint32_t)box.x1);
	put_short(out, (uint32_t)box.y1);
}

static void put_instructions(struct buf *out, struct parts *parts)
{
	uint32_t n = take_short(&parts->of[GLYPHS]);
	put_short(out, n);
	copy(out, &parts->of[INSTRUCTIONS], n);
}

/* The glyph I, of N contours. */
static void put_simple(struct buf *out, struct parts *parts, uint32_t i, uint32_t n)
{
	BUF_SCOPED struct buf points = { 0 }, ends = { 0 };
	struct box box = { 0 };
	uint32_t all = 0;
	for (uint32_t k = 0; k < n && !parts->of[POINTS].over; k++) {
		all += take_short(&parts->of[POINTS]);
		put_short(&ends, all - 1);
	}
	put_points(&points, parts, all, bit_of(parts->overlapping, i), &box);
	put_short(out, n);
	if (bit_of(parts->boxed, i))
		copy(out, &parts->of[BOXES], BOX);
	else
		put_box(out, box);
	buf_add(out, ends.data, ends.len);
	put_instructions(out, parts);
	buf_add(out, points.data, points.len);
}

static void put_composite(struct buf *out, struct parts *parts)
{
	struct sfnt_stream *s = &parts->of[COMPOSITES];
	uint32_t flags = MORE;
	bool instructed = false;
	put_short(out, COMPOSITE);
	copy(out, &parts->of[BOXES], BOX);
	while (flags & MORE && !s->over) {
		flags = sfnt_number(s, 2);
		put_short(out, flags);
		copy(out, s,
		     2 + (flags & WORDS ? 4 : 2) + (flags & SCALE ? 2 : 0) +
		             (flags & TWO_SCALES ? 4 : 0) + (flags & FOUR_SCALES ? 8 : 0));
		instructed |= flags & INSTRUCTED;
	}
	if (instructed)
		put_instructions(out, parts);
}

/* Adds the glyph I; false: it is damaged. */
static bool put_glyph(struct parts *parts, uint32_t i, struct woff2_glyphs *out)
{
	uint32_t n = sfnt_number(&parts->of[CONTOURS], 2), at = (uint32_t)out->glyf.len;
	bool boxed = bit_of(parts->boxed, i);
	if (n == COMPOSITE ? !boxed : n > INT16_MAX || (!n && boxed))
		return false;
	if (n == COMPOSITE)
		put_composite(&out->glyf, parts);
	else if (n)
		put_simple(&out->glyf, parts, i, n);
	for (int k = 0; k < PARTS; k++)
		if (parts->of[k].over)
			return false;
	if (n) {
		const uint8_t *left = (const uint8_t *)out->glyf.data + at + 2;
		out->lefts[i] = (int16_t)(left[0] << 8 | left[1]);
	}
	while (out->glyf.len % SFNT_WORD)
		buf_addch(&out->glyf, '\0');
	return out->glyf.len <= SFNT_MOST;
}

/* Where each part is: what is in front says how long they are. */
static bool take_parts(struct sfnt_stream *s, bool overlaps, uint32_t n, struct parts *parts)
{
	uint32_t sizes[PARTS], bits = (n + 31) / 32 * SFNT_WORD;
	for (int k = 0; k < PARTS; k++)
		sizes[k] = sfnt_number(s, SFNT_WORD);
	for (int k = 0; k < PARTS; k++) {
		const uint8_t *at = sfnt_take(s, sizes[k]);
		parts->of[k] = (struct sfnt_stream){ at, at ? at + sizes[k] : at, false };
	}
	parts->overlapping = overlaps ? sfnt_take(s, (n + 7) / 8) : NULL;
	if (s->over)
		return false;
	parts->boxed = sfnt_take(&parts->of[BOXES], bits);
	return parts->boxed;
}

bool woff2_glyphs_read(struct sfnt_stream s, struct woff2_glyphs *out)
{
	struct parts parts;
	*out = (struct woff2_glyphs){ 0 };
	sfnt_number(&s, 2);
	bool overlaps = sfnt_number(&s, 2) & HAS_OVERLAPS;
	uint32_t n = sfnt_number(&s, 2), wide = sfnt_number(&s, 2);
	if (s.over || !n || wide > 1 || !take_parts(&s, overlaps, n, &parts))
		return false;
	out->n = n;
	out->lefts = mem_zero(n, sizeof *out->lefts);
	for (uint32_t i = 0;; i++) {
		uint8_t place[SFNT_WORD];
		uint32_t at = (uint32_t)out->glyf.len, width = wide ? SFNT_WORD : 2;
		if (!wide && at / 2 > UINT16_MAX)
			return false;
		sfnt_put(place, width, wide ? at : at / 2);
		buf_add(&out->loca, place, width);
		if (i == n)
			return true;
		if (!put_glyph(&parts, i, out))
			return false;
	}
}

void woff2_glyphs_release(struct woff2_glyphs *g)
{
	buf_release(&g->glyf);
	buf_release(&g->loca);
	free(g->lefts);
}
