
#include "base/mem.h"
#include "ui/live_parts.h"

enum { LIVE_LINES_MAX = 256 };

/* What is before the change in a line, what is changed, what is after it. */
struct live_line {
	const uint8_t *at;
	uint32_t head, changed, tail;
};

struct live_lines {
	struct live_line list[LIVE_LINES_MAX];
	unsigned n;
	bool same[LIVE_LINES_MAX]; /* set by live_lines_compare */
};

static uint32_t length(const struct live_line *l)
{
	return l->head + l->changed + l->tail;
}

static bool equal(const struct live_line *a, const struct live_line *b)
{
	return length(a) == length(b) && memcmp(a->at, b->at, length(a)) == 0;
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
static void write_part(struct pane *p, struct grid_at *at, const uint8_t *text, uint32_t len,
                       enum grid_style style)
{
	at->style = style;
	while (len) {
		size_t used = grid_write(p->g, at, text, len);
		text += used;
		len -= (uint32_t)used;
		if (!len || style == GRID_DIM || at->end < p->area.col + 2 + SHOWN_MAX)
			return;
		*at = next_row(p);
		at->style = style;
		at->col += 2;
	}
}

/* How much of the beginning of L, which is longer than its share of the line, is left out. */
static uint32_t shortened(struct pane *p, struct grid_at *at, const struct live_line *l)
{
	unsigned room = (p->area.end - p->area.col) / SIDE;
	if (l->head <= room)
		return 0;
	uint32_t skip = l->head - room;
	while (skip < l->head && (l->at[skip] & 0xc0) == 0x80)
		skip++;
	grid_styled(p->g, at, GRID_DIM, p->g->ascii ? "..." : "\xe2\x80\xa6");
	return skip;
}

static void draw(struct pane *p, char mark, const struct live_line *l)
{
	struct grid_at at = next_row(p);
	enum grid_style style = mark == '-' ? GRID_BAD : mark == '+' ? GRID_GOOD : GRID_DIM;
	grid_styled(p->g, &at, style, "%c ", mark);
	uint32_t skip = shortened(p, &at, l);
	write_part(p, &at, l->at + skip, l->head - skip, GRID_DIM);
	write_part(p, &at, l->at + l->head, l->changed, style);
	write_part(p, &at, l->at + l->head + l->changed, l->tail, GRID_DIM);
}

static void draw_left_out(struct pane *p, uint32_t n, const char *what)
{
	char word[LIVE_WORD];
	struct grid_at at = next_row(p);
	grid_styled(p->g, &at, GRID_DIM, "  (%s %s)", live_number(n, word), what);
}

/* Where the line begins that AT is in, and where it ends. */
static uint32_t line_begin(const struct live_side *s, uint32_t at)
{
	while (at && s->bytes[at - 1] != '\n')
		at--;
	return at;
}

static uint32_t line_end(const struct live_side *s, uint32_t at)
{
	while (at < s->len && s->bytes[at] != '\n')
		at++;
	return at;
}

/* The lines that S has changed, the first ones when there are too many; WHOLE: it has whole ones,
 * or none at all. Returns how many bytes are in none of them. */
static uint32_t lines_of(const struct live_side *s, bool whole, struct live_lines *lines)
{
	uint32_t at = whole ? s->from : line_begin(s, s->from);
	uint32_t end = s->more || whole ? s->to : line_end(s, s->to), next;
	lines->n = 0;
	if (whole && s->from == s->to)
		return 0;
	end -= whole && s->bytes[end - 1] == '\n';
	for (bool more = true; more && lines->n < LIVE_LINES_MAX; at = next + more) {
		next = line_end(s, at) < end ? line_end(s, at) : end;
		more = next < end;
		struct live_line *l = &lines->list[lines->n++];
		*l = (struct live_line){ .at = s->bytes + at };
		l->head = at < s->from ? s->from - at : 0;
		l->tail = next > s->to ? next - (at > s->to ? at : s->to) : 0;
		l->changed = next - at - l->head - l->tail;
	}
	return s->more + (at < s->to && at < end ? s->to - at : 0);
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
static void draw_texts(struct pane *p, const struct live_change *c, bool whole)
{
	struct live_lines went, came;
	uint32_t more_went = lines_of(&c->went, whole, &went);
	uint32_t more_came = lines_of(&c->came, whole, &came);
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

/* The lines from AT to END. */
static void draw_context(struct pane *p, const struct live_side *s, uint32_t at, uint32_t end,
                         unsigned most)
{
	for (unsigned n = 0; at < end && n < most; n++) {
		uint32_t next = line_end(s, at);
		draw(p, ' ', &(struct live_line){ .at = s->bytes + at, .changed = next - at });
		at = next + 1;
	}
}

/* Does what is changed end at the end of a line? */
static bool ends_line(const struct live_side *s)
{
	return s->more || s->to == s->from || s->to == s->len || s->bytes[s->to - 1] == '\n';
}

unsigned live_draw_change(const struct live_change *c, struct grid *g, struct live_area area,
                          unsigned scroll)
{
	struct pane p = { .g = g, .area = area, .scroll = scroll };
	const struct live_side *s = &c->went;
	bool begins = s->from ? s->bytes[s->from - 1] == '\n' : c->line == 1;
	bool whole = begins && ends_line(s) && ends_line(&c->came);
	unsigned around = area.rows >= 14 ? 3 : area.rows >= 8 ? 2 : area.rows >= 5 ? 1 : 0;
	uint32_t begin = line_begin(s, s->from), first = begin;
	for (unsigned n = 0; n < around && first; n++)
		first = line_begin(s, first - 1);
	draw_context(&p, s, first, begin, around);
	draw_texts(&p, c, whole);
	draw_context(&p, s, whole ? s->to : line_end(s, s->to) + 1, s->len, around);
	return p.n;
}
