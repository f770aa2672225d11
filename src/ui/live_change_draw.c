
#include "base/mem.h"
#include "ui/live_parts.h"

enum { LIVE_LINES_MAX = 256 };

struct live_part {
	const uint8_t *at;
	uint32_t len;
};

/* What is before the change in a line, what is changed, what is after it. */
struct live_line {
	struct live_part parts[3];
};

struct live_lines {
	struct live_line list[LIVE_LINES_MAX];
	unsigned n;
	bool same[LIVE_LINES_MAX]; /* set by live_lines_compare */
};

static uint32_t length(const struct live_line *l)
{
	return l->parts[0].len + l->parts[1].len + l->parts[2].len;
}

/* The same bytes, whatever parts they are in. */
static bool equal(const struct live_line *a, const struct live_line *b)
{
	uint32_t left = length(a), i = 0, k = 0; /* how much of the current parts was compared */
	const struct live_part *p = a->parts, *q = b->parts;
	if (left != length(b))
		return false;
	while (left) {
		uint32_t n = p->len - i < q->len - k ? p->len - i : q->len - k;
		if (n && memcmp(p->at + i, q->at + k, n) != 0)
			return false;
		left -= n;
		i += n;
		k += n;
		if (i == p->len) {
			p++;
			i = 0;
		}
		if (k == q->len) {
			q++;
			k = 0;
		}
	}
	return true;
}

/* Marks in both the lines of a longest common subsequence. */
static void live_lines_compare(struct live_lines *a, struct live_lines *b)
{
	/* Lengths of the longest ones from line I of A and line K of B on. */
	unsigned width = b->n + 1, i = 0, k = 0;
	MEM_SCOPED uint16_t *longest = mem_zero((size_t)(a->n + 1) * width, sizeof *longest);
	for (i = a->n; i-- > 0;)
		for (k = b->n; k-- > 0;) {
			uint16_t below = longest[(i + 1) * width + k],
				 right = longest[i * width + k + 1];
			uint16_t both = (uint16_t)(longest[(i + 1) * width + k + 1] + 1);
			longest[i * width + k] = equal(&a->list[i], &b->list[k]) ? both
			                         : below > right                 ? below
			                                                         : right;
		}
	memset(a->same, 0, sizeof a->same);
	memset(b->same, 0, sizeof b->same);
	for (i = k = 0; i < a->n && k < b->n;)
		if (equal(&a->list[i], &b->list[k]))
			a->same[i++] = b->same[k++] = true;
		else if (longest[(i + 1) * width + k] >= longest[i * width + k + 1])
			i++;
		else
			k++;
}

enum {
	SIDE = 3,       /* of a line, what stands before the change has one part in so many */
	SHOWN_MAX = 12, /* columns of the longest stand-in for a character */
	SAME = 2,       /* of more lines that are the same, so many are shown at either end */
};

/* Lines are drawn as they are made; those above the area are only counted. */
struct pane {
	struct grid *g;
	struct live_area area;
	unsigned scroll, n;
};

static struct live_part part_of(const struct live_text *t)
{
	return (struct live_part){ t->bytes, t->len };
}

/* Up to the first line end. */
static struct live_part first_line(struct live_part p)
{
	const uint8_t *end = memchr(p.at, '\n', p.len);
	return (struct live_part){ p.at, end ? (uint32_t)(end - p.at) : p.len };
}

/* Behind the last line end. */
static struct live_part last_line(struct live_part p)
{
	const uint8_t *end = memrchr(p.at, '\n', p.len);
	uint32_t skip = end ? (uint32_t)(end + 1 - p.at) : 0;
	return (struct live_part){ p.at + skip, p.len - skip };
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
static void write_part(struct pane *p, struct grid_at *at, struct live_part part,
                       enum grid_style style)
{
	at->style = style;
	while (part.len) {
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
static struct live_part shortened(struct pane *p, struct grid_at *at, struct live_part part)
{
	unsigned room = (p->area.end - p->area.col) / SIDE;
	if (part.len <= room)
		return part;
	uint32_t skip = part.len - room;
	while (skip < part.len && (part.at[skip] & 0xc0) == 0x80)
		skip++;
	grid_styled(p->g, at, GRID_DIM, p->g->ascii ? "..." : "\xe2\x80\xa6");
	return (struct live_part){ part.at + skip, part.len - skip };
}

static void draw(struct pane *p, char mark, const struct live_line *l)
{
	struct grid_at at = next_row(p);
	enum grid_style style = mark == '-' ? GRID_BAD : mark == '+' ? GRID_GOOD : GRID_DIM;
	grid_styled(p->g, &at, style, "%c ", mark);
	struct live_part head = shortened(p, &at, l->parts[0]);
	write_part(p, &at, head, GRID_DIM);
	write_part(p, &at, l->parts[1], style);
	write_part(p, &at, l->parts[2], GRID_DIM);
}

static void draw_left_out(struct pane *p, uint32_t n, const char *what)
{
	char word[LIVE_WORD];
	struct grid_at at = next_row(p);
	grid_styled(p->g, &at, GRID_DIM, "  (%s %s)", live_number(n, word), what);
}

/* What the texts of a change stand in. */
struct around {
	struct live_part head, tail; /* of their first and last lines */
	bool whole;                  /* whole lines, and neither head nor tail */
};

/* The lines of T; none when it is nothing at all, the first ones when there are too many. Returns
 * how many bytes are in none of them. */
static uint32_t lines_of(const struct live_text *t, const struct around *around,
                         struct live_lines *lines)
{
	struct live_part rest = part_of(t);
	bool cut = t->len < t->size, more = !around->whole || rest.len;
	lines->n = 0;
	if (around->whole && rest.len && rest.at[rest.len - 1] == '\n')
		rest.len--;
	while (more && lines->n < LIVE_LINES_MAX) {
		struct live_part now = first_line(rest);
		struct live_line *l = &lines->list[lines->n++];
		*l = (struct live_line){ .parts[1] = now };
		if (lines->n == 1 && !around->whole)
			l->parts[0] = around->head;
		more = now.len < rest.len;
		if (!more && !around->whole && !cut)
			l->parts[2] = around->tail;
		rest.at += now.len + more;
		rest.len -= now.len + more;
	}
	return t->size - t->len + rest.len;
}

/* Lines that are the same, N of them from L on. */
static void draw_same(struct pane *p, const struct live_line *l, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (n > 2 * SAME + 1 && i == SAME) {
			draw_left_out(p, n - 2 * SAME, "lines more");
			i = n - SAME - 1;
		} else
			draw(p, ' ', &l[i]);
}

static void draw_differences(struct pane *p, struct live_lines *a, struct live_lines *b)
{
	live_lines_compare(a, b);
	for (unsigned i = 0, k = 0; i < a->n || k < b->n;) {
		unsigned n = 0;
		while (i < a->n && !a->same[i])
			draw(p, '-', &a->list[i++]);
		while (k < b->n && !b->same[k])
			draw(p, '+', &b->list[k++]);
		while (i + n < a->n && k + n < b->n && a->same[i + n] && b->same[k + n])
			n++;
		draw_same(p, &a->list[i], n);
		i += n;
		k += n;
	}
}

/* What is cut short cannot be compared. */
static void draw_texts(struct pane *p, const struct live_change *c, const struct around *around)
{
	struct live_lines went, came;
	uint32_t more_went = lines_of(&c->went, around, &went);
	uint32_t more_came = lines_of(&c->came, around, &came);
	if (!more_went && !more_came) {
		draw_differences(p, &went, &came);
		return;
	}
	for (unsigned i = 0; i < went.n; i++)
		draw(p, '-', &went.list[i]);
	if (more_went)
		draw_left_out(p, more_went, "more bytes");
	for (unsigned i = 0; i < came.n; i++)
		draw(p, '+', &came.list[i]);
	if (more_came)
		draw_left_out(p, more_came, "more bytes");
}

static void draw_context(struct pane *p, struct live_part text, unsigned most)
{
	for (unsigned n = 0; text.len && n < most; n++) {
		struct live_part line = first_line(text);
		draw(p, ' ', &(struct live_line){ .parts[1] = line });
		uint32_t step = line.len < text.len ? line.len + 1 : line.len;
		text.at += step;
		text.len -= step;
	}
}

/* The whole lines at the end of TEXT, at most so many, without the unfinished last one. */
static struct live_part lines_before(struct live_part text, unsigned most)
{
	struct live_part unfinished = last_line(text);
	uint32_t end = text.len - unfinished.len, begin = end;
	for (unsigned n = 0; n < most && begin; n++) {
		struct live_part upto = { text.at, begin - 1 };
		begin -= 1 + last_line(upto).len;
	}
	return (struct live_part){ text.at + begin, end - begin };
}

/* Do the texts begin at the beginning of a line and end at the end of one? */
static bool is_whole(const struct live_change *c)
{
	struct live_part before = part_of(&c->before);
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
	struct live_part before = part_of(&c->before), behind = part_of(&c->behind);
	bool whole = is_whole(c);
	unsigned around = area.rows >= 14 ? 3 : area.rows >= 8 ? 2 : area.rows >= 5 ? 1 : 0;
	struct live_part head = last_line(before), tail = first_line(behind);
	draw_context(&p, lines_before(before, around), around);
	draw_texts(&p, c, &(struct around){ head, tail, whole });
	if (!whole) {
		uint32_t step = tail.len < behind.len ? tail.len + 1 : tail.len;
		behind.at += step;
		behind.len -= step;
	}
	draw_context(&p, behind, around);
	return p.n;
}
