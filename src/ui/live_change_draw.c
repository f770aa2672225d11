#include <string.h>

#include "ui/live_parts.h"

enum {
	SIDE = 3,       /* of a line, what stands before the change has one part in so many */
	SHOWN_MAX = 12, /* columns of the longest stand-in for a character */
};

struct part {
	const uint8_t *at;
	uint32_t len;
};

/* A line: what stands before the change, what is changed, what stands behind it. */
struct line {
	char mark; /* '-', '+', ' ', and '.' for what is left out */
	struct part parts[3];
	uint32_t left_out;
};

/* Lines are drawn as they are made; those above the area are only counted. */
struct pane {
	struct grid *g;
	struct live_area area;
	unsigned scroll, n;
};

static struct part part_of(const struct live_text *t)
{
	return (struct part){ t->bytes, t->len };
}

/* Up to the first line end. */
static struct part first_line(struct part p)
{
	const uint8_t *end = memchr(p.at, '\n', p.len);
	return (struct part){ p.at, end ? (uint32_t)(end - p.at) : p.len };
}

/* Behind the last line end. */
static struct part last_line(struct part p)
{
	const uint8_t *end = memrchr(p.at, '\n', p.len);
	uint32_t skip = end ? (uint32_t)(end + 1 - p.at) : 0;
	return (struct part){ p.at + skip, p.len - skip };
}

/* The next row of the pane; one outside it has no columns. */
static struct grid_at next_row(struct pane *p)
{
	unsigned n = p->n++;
	bool seen = n >= p->scroll && n - p->scroll < p->area.rows;
	unsigned row = p->area.row + (seen ? n - p->scroll : 0);
	struct grid_at at = grid_row(p->g, row, p->area.col, p->area.end);
	if (!seen) /* it is laid out all the same */
		at.row = p->g->rows;
	return at;
}

/* As many rows as it takes, but for what stands around. */
static void write_part(struct pane *p, struct grid_at *at, struct part part, enum grid_style style)
{
	at->style = style;
	for (;;) {
		size_t used = grid_write(p->g, at, part.at, part.len);
		part.at += used;
		part.len -= (uint32_t)used;
		if (!part.len || style == GRID_DIM || at->end < p->area.col + 2 + SHOWN_MAX)
			return;
		*at = next_row(p);
		at->style = style;
		at->col += 2;
	}
}

/* The end of what is longer than its share of the line. */
static struct part shortened(struct pane *p, struct grid_at *at, struct part part)
{
	unsigned room = (p->area.end - p->area.col) / SIDE;
	if (part.len <= room)
		return part;
	uint32_t skip = part.len - room;
	while (skip < part.len && (part.at[skip] & 0xc0) == 0x80)
		skip++;
	grid_styled(p->g, at, GRID_DIM, p->g->ascii ? "..." : "\xe2\x80\xa6");
	return (struct part){ part.at + skip, part.len - skip };
}

static void draw(struct pane *p, const struct line *l)
{
	char word[LIVE_WORD];
	struct grid_at at = next_row(p);
	enum grid_style style = l->mark == '-' ? GRID_BAD : l->mark == '+' ? GRID_GOOD : GRID_DIM;
	if (l->mark == '.') {
		grid_styled(p->g, &at, GRID_DIM, "  (%s more bytes)",
		            live_number(l->left_out, word));
		return;
	}
	grid_styled(p->g, &at, style, "%c ", l->mark);
	struct part head = shortened(p, &at, l->parts[0]);
	write_part(p, &at, head, GRID_DIM);
	write_part(p, &at, l->parts[1], style);
	write_part(p, &at, l->parts[2], GRID_DIM);
}

/* The lines of T, with HEAD before the first and TAIL behind the last one; none, when there is
 * nothing at all. */
static void draw_text(struct pane *p, char mark, const struct live_text *t, struct part head,
                      struct part tail, bool whole)
{
	struct part rest = part_of(t);
	bool cut = t->len < t->size;
	if (whole && rest.len && rest.at[rest.len - 1] == '\n')
		rest.len--;
	else if (whole && !rest.len)
		return;
	for (bool first = true;; first = false) {
		struct part now = first_line(rest);
		bool last = now.len == rest.len;
		struct line l = { .mark = mark };
		if (first)
			l.parts[0] = head;
		l.parts[1] = now;
		if (last && !whole && !cut)
			l.parts[2] = tail;
		draw(p, &l);
		if (last)
			break;
		rest.at += now.len + 1;
		rest.len -= now.len + 1;
	}
	if (cut)
		draw(p, &(struct line){ .mark = '.', .left_out = t->size - t->len });
}

static void draw_context(struct pane *p, struct part text, unsigned most)
{
	for (unsigned n = 0; text.len && n < most; n++) {
		struct part line = first_line(text);
		draw(p,
		     &(struct line){ .mark = ' ', .parts = { { (const uint8_t *)"", 0 }, line } });
		uint32_t step = line.len < text.len ? line.len + 1 : line.len;
		text.at += step;
		text.len -= step;
	}
}

/* The whole lines at the end of TEXT, at most so many, without the unfinished last one. */
static struct part lines_before(struct part text, unsigned most)
{
	struct part unfinished = last_line(text);
	uint32_t end = text.len - unfinished.len, begin = end;
	for (unsigned n = 0; n < most && begin; n++) {
		struct part upto = { text.at, begin - 1 };
		begin -= 1 + last_line(upto).len;
	}
	return (struct part){ text.at + begin, end - begin };
}

/* Do the texts begin at the beginning of a line and end at the end of one? */
static bool is_whole(const struct live_change *c)
{
	struct part before = part_of(&c->before);
	bool begins = last_line(before).len == 0 && (c->before.len || c->line == 1);
	bool went = !c->went.size || c->went.bytes[c->went.len - 1] == '\n' || !c->behind.size ||
	            c->went.len < c->went.size;
	bool came = !c->came.size || c->came.bytes[c->came.len - 1] == '\n' || !c->behind.size ||
	            c->came.len < c->came.size;
	return begins && went && came;
}

unsigned live_draw_change(const struct live_change *c, struct grid *g, struct live_area area,
                          unsigned scroll)
{
	struct pane p = { .g = g, .area = area, .scroll = scroll };
	struct part before = part_of(&c->before), behind = part_of(&c->behind);
	bool whole = is_whole(c);
	unsigned around = area.rows >= 14 ? 3 : area.rows >= 8 ? 2 : area.rows >= 5 ? 1 : 0;
	struct part head = last_line(before), tail = first_line(behind);
	draw_context(&p, lines_before(before, around), around);
	draw_text(&p, '-', &c->went, head, tail, whole);
	draw_text(&p, '+', &c->came, head, tail, whole);
	if (!whole) {
		uint32_t step = tail.len < behind.len ? tail.len + 1 : tail.len;
		behind.at += step;
		behind.len -= step;
	}
	draw_context(&p, behind, around);
	return p.n;
}
