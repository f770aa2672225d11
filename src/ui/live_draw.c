#include "ui/live_draw.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/show.h"
#include "ui/grid.h"
#include "ui/live_model.h"

struct live_area {
	unsigned row, col, rows, end; /* end: the column after the last */
};

enum { LIVE_WORD = 32 };

/* 1234567 as "1,234,567". Returns TEXT. */
static const char *live_number(uint64_t n, char text[LIVE_WORD])
{
	char digits[LIVE_WORD];
	size_t len = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n), to = 0;
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			text[to++] = ',';
		text[to++] = digits[i];
	}
	text[to] = '\0';
	return text;
}

/* The same in few columns: "1.23M". */
static const char *live_short(uint64_t n, char text[LIVE_WORD])
{
	static const char units[] = " kMG";
	double value = (double)n;
	size_t unit = 0;
	if (n < 100000)
		return live_number(n, text);
	for (; value >= 1000 && units[unit + 1]; unit++)
		value /= 1000;
	snprintf(text, LIVE_WORD, "%.3g%c", value, units[unit]);
	return text;
}

/* "0:05", "12:34", "3:00:00". */
static const char *live_time(uint64_t ns, char text[LIVE_WORD])
{
	uint64_t s = ns / 1000000000u;
	if (s < 3600)
		snprintf(text, LIVE_WORD, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
	else
		snprintf(text, LIVE_WORD, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600,
		         s / 60 % 60, s % 60);
	return text;
}

/* TEXT, or as many of its words as there is room for, and "..." behind them. */
static void live_add_words(struct grid *g, struct grid_at *at, enum grid_style style,
                           const char *text)
{
	const char *more = g->ascii ? " ..." : " \xe2\x80\xa6";
	size_t room = at->end > at->col ? at->end - at->col : 0, len = strlen(text);
	MEM_SCOPED char *shown = mem_strdup(text);
	while (len && show_columns(shown) + (text[len] ? show_columns(more) : 0) > room) {
		while (len && text[len - 1] != ' ')
			len--;
		while (len && strchr(" ,;:(", text[len - 1]))
			len--;
		shown[len] = '\0';
	}
	if (len)
		grid_styled(g, at, style, "%s%s", shown, text[len] ? more : "");
}

/* Writes all of it, or, when there is no room, nothing. */
static void live_add(struct grid *g, struct grid_at *at, enum grid_style style, const char *fmt,
                     ...)
{
	va_list ap;
	va_start(ap, fmt);
	MEM_SCOPED char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	if (grid_columns(g, at, text))
		grid_styled(g, at, style, "%s", text);
}

enum { LABEL = 7 };

/* Where the dots go: a cell has two by four of them in Braille, one in ASCII. */
struct plot {
	unsigned cols, rows; /* dots */
	double low, high;    /* logarithms of the sizes at the bottom and at the top */
};

/* The logarithm to the base 2, straight between powers of it: monotonic, and good enough to look
 * at. */
static double logarithm(uint32_t n)
{
	unsigned whole = 0;
	while (whole < 31 && n >> (whole + 1))
		whole++;
	return n ? whole + (double)n / (double)((uint32_t)1 << whole) - 1 : 0;
}

static double height(const struct plot *p, uint32_t bytes)
{
	double at = (logarithm(bytes) - p->low) / (p->high - p->low);
	return at * (p->rows - 1) + 0.5;
}

/* The bit of Braille for a dot of a cell, counted from its upper left. */
static uint32_t dot(unsigned col, unsigned row)
{
	static const uint8_t bits[2][4] = { { 0x01, 0x02, 0x04, 0x40 },
		                            { 0x08, 0x10, 0x20, 0x80 } };
	return bits[col][row];
}

static void plot(const struct live_model *m, const struct plot *p, unsigned across, unsigned down,
                 uint8_t *cells, unsigned width)
{
	unsigned before = (unsigned)height(p, m->setting.original);
	for (unsigned x = 0; x < p->cols; x++) {
		uint64_t ns = (uint64_t)((double)m->now.ns * (x + 1) / p->cols);
		unsigned now = (unsigned)height(p, live_model_size_at(m, ns));
		unsigned top = before > now ? before : now, low = before > now ? now : before;
		for (unsigned y = low; y <= top; y++) {
			unsigned row = p->rows - 1 - y;
			cells[row / down * width + x / across] |=
				(uint8_t)(across == 1 ? 1 : dot(x % across, row % down));
		}
		before = now;
	}
}

static void label(struct grid *g, struct live_area area, unsigned row, uint32_t bytes)
{
	char word[LIVE_WORD];
	struct grid_at at = grid_row(g, area.row + row, area.col, area.col + LABEL - 1);
	at.style = GRID_DIM;
	grid_right(g, &at, "%s", live_short(bytes, word));
}

/* Size over time, sizes on a logarithmic scale. */
static void draw_curve(const struct live_model *m, struct grid *g, struct live_area area)
{
	unsigned across = g->ascii ? 1 : 2, down = g->ascii ? 1 : 4;
	unsigned width = area.end > area.col + LABEL ? area.end - area.col - LABEL : 0;
	unsigned rows = area.rows > 1 ? area.rows - 1 : 0; /* the last one has the times */
	char word[LIVE_WORD];
	if (width < 8 || rows < 2)
		return;
	uint32_t low = m->bytes, high = m->setting.original;
	struct plot p = { .cols = width * across, .rows = rows * down, .low = logarithm(low) };
	p.high = logarithm(high);
	if (p.high <= p.low)
		p.low = p.high - 1;
	MEM_SCOPED uint8_t *cells = mem_zero((size_t)width * rows, 1);
	plot(m, &p, across, down, cells, width);
	for (unsigned r = 0; r < rows; r++) {
		struct grid_at at = grid_row(g, area.row + r, area.col + LABEL - 1, area.end);
		at.style = GRID_DIM;
		grid_put(g, &at, g->ascii ? '|' : 0x2502);
		at.style = GRID_ACCENT;
		for (unsigned c = 0; c < width; c++) {
			uint8_t bits = cells[r * width + c];
			grid_put(g, &at, !bits ? ' ' : g->ascii ? '*' : 0x2800u + bits);
		}
	}
	label(g, area, 0, high);
	label(g, area, rows - 1, m->bytes);
	struct grid_at at = grid_row(g, area.row + rows, area.col + LABEL, area.end);
	at.style = GRID_DIM;
	grid_right(g, &at, "%s", live_time(m->now.ns, word));
	grid_printf(g, &at, "0:00");
}

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

/* What went and what came, from line SCROLL on. */
static void draw_change(const struct live_change *c, struct grid *g, struct live_area area,
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
}

static struct live_area below(struct live_area area, unsigned rows)
{
	area.row += rows;
	area.rows = area.rows > rows ? area.rows - rows : 0;
	return area;
}

static void heading(struct grid *g, struct live_area area, const char *text)
{
	struct grid_at at = grid_row(g, area.row, area.col + 1, area.end);
	grid_styled(g, &at, GRID_BOLD, "%s", text);
}

/* ---- passes ---- */

static int64_t key_of(const struct live_pass *p, enum live_sort sort)
{
	return sort == LIVE_BY_BYTES       ? p->bytes
	       : sort == LIVE_BY_SUCCESSES ? p->successes
	                                   : (int64_t)p->answers;
}

/* The passes that have run, sorted; as indices into those given. Few: sorted by insertion. */
static size_t sorted(const struct live_view *v, size_t *order)
{
	size_t n = 0;
	for (size_t i = 0; i < v->n_passes; i++) {
		if (!v->passes[i].runs)
			continue;
		size_t at = n++;
		int64_t key = key_of(&v->passes[i], v->sort);
		for (; v->sort != LIVE_BY_ORDER && at &&
		       key_of(&v->passes[order[at - 1]], v->sort) < key;
		     at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	return n;
}

static void pass_row(struct grid *g, struct grid_at at, const struct live_pass *p, bool runs_now)
{
	char word[LIVE_WORD];
	bool narrow = at.end < 60;
	grid_styled(g, &at, runs_now ? GRID_ACCENT : GRID_PLAIN, "%-14.14s", p->name);
	grid_styled(g, &at, p->bytes > 0 ? GRID_GOOD : GRID_DIM, " %11s",
	            live_number((uint64_t)(p->bytes > 0 ? p->bytes : 0), word));
	grid_styled(g, &at, p->successes ? GRID_PLAIN : GRID_DIM, " %9s",
	            live_number(p->successes, word));
	if (narrow)
		return;
	grid_printf(g, &at, " %11s", live_number(p->answers, word));
	grid_printf(g, &at, " %6s", live_number(p->runs, word));
}

/* The pages that take the place of the main one, but for its first and last rows. */
static void draw_passes(const struct live_model *m, const struct live_view *v, struct grid *g,
                        struct live_area area)
{
	static const char *const by[LIVE_SORTS] = { "in order", "by bytes", "by successes",
		                                    "by answers" };
	size_t *order = mem_alloc((v->n_passes + 1) * sizeof *order), n = sorted(v, order);
	struct grid_at at = grid_row(g, area.row, area.col + 1, area.end);
	grid_styled(g, &at, GRID_BOLD, "%-14s %11s %9s", "pass", "bytes", "successes");
	if (area.end >= 60)
		grid_styled(g, &at, GRID_BOLD, " %11s %6s", "answers", "runs");
	live_add(g, &at, GRID_DIM, "   %s (o: others)", by[v->sort]);
	area = below(area, 1);
	for (size_t i = v->scroll; i < n && i - v->scroll < area.rows; i++) {
		const struct live_pass *p = &v->passes[order[i]];
		at = grid_row(g, area.row + (unsigned)(i - v->scroll), area.col + 1, area.end);
		pass_row(g, at, p, m->now.pass && !strcmp(p->name, m->now.pass));
	}
	free(order);
}

/* ---- steps ---- */

static uint32_t bytes_before(const struct live_model *m, size_t step)
{
	return step ? m->steps[step - 1].bytes : m->setting.original;
}

static void step_row(const struct live_model *m, struct grid *g, struct grid_at at, size_t step)
{
	char word[LIVE_WORD];
	const struct live_step *s = &m->steps[step];
	grid_printf(g, &at, "%6s", live_number(step + 1, word));
	grid_printf(g, &at, " %9s", live_time(s->ns, word));
	grid_printf(g, &at, " %11s", live_number(s->bytes, word));
	int64_t won = (int64_t)bytes_before(m, step) - s->bytes;
	grid_styled(g, &at, won > 0 ? GRID_GOOD : GRID_DIM, " %9lld", (long long)-won);
	live_add(g, &at, GRID_PLAIN, "  %-14s", s->pass);
	live_add(g, &at, GRID_DIM, " %11s tests", live_number(s->tests, word));
}

static void draw_step(const struct live_model *m, size_t step, unsigned scroll, struct grid *g,
                      struct live_area area)
{
	const struct live_change *c = m->steps[step].change;
	struct grid_at at = grid_row(g, area.row, area.col + 1, area.end);
	if (c)
		draw_change(c, g, area, scroll);
	else
		grid_styled(g, &at, GRID_DIM, "too large, or too long ago: see whittle diff");
}

static void draw_diff(const struct live_model *m, const struct live_view *v, struct grid *g,
                      struct live_area area)
{
	struct grid_at at = grid_row(g, area.row, area.col, area.end);
	step_row(m, g, at, m->n_steps - 1);
	draw_step(m, m->n_steps - 1, v->scroll, g, below(area, 1));
}

/* The list above, the step looked at in its middle; its change below. */
static void draw_history(const struct live_model *m, const struct live_view *v, struct grid *g,
                         struct live_area area)
{
	size_t step = v->step < m->n_steps ? v->step : m->n_steps - 1;
	unsigned rows = area.rows > 6 ? area.rows / 3 : area.rows;
	size_t first = step < rows / 2 ? 0 : step - rows / 2;
	if (m->n_steps > rows && first > m->n_steps - rows)
		first = m->n_steps - rows;
	if (m->n_steps <= rows)
		first = 0;
	for (unsigned r = 0; r < rows && first + r < m->n_steps; r++) {
		struct grid_at at = grid_row(g, area.row + r, area.col, area.end);
		grid_styled(g, &at, GRID_ACCENT, first + r == step ? ">" : " ");
		step_row(m, g, at, first + r);
	}
	struct live_area rest = below(area, rows + 1);
	if (rest.rows && rows < area.rows)
		draw_step(m, step, v->scroll, g, rest);
}

/* ---- help ---- */

/* As many words of TEXT as there is room for, at least one. Returns what is left of them, or NULL.
 */
static const char *write_words(struct grid *g, struct grid_at *at, const char *text)
{
	size_t room = at->end > at->col ? at->end - at->col : 0, len = strlen(text), n = len;
	if (len > room) {
		for (n = room; n && text[n] != ' '; n--)
			;
		n = n ? n : room;
	}
	grid_write(g, at, text, n);
	text += n + (text[n] == ' ');
	return *text && n ? text : NULL;
}

static void draw_help(UNUSED const struct live_model *m, const struct live_view *v, struct grid *g,
                      struct live_area area)
{
	static const char *const rows[][2] = {
		{ "p", "passes and what each has saved; o changes the order" },
		{ "d", "the last change" },
		{ "h", "history: arrow keys move to any step; b: branch off" },
		{ "s", "skip this pass for now; it gets another turn later" },
		{ "space", "pause and resume; running tests finish" },
		{ "+ -", "more or fewer tests at a time" },
		{ "w", "write a copy of the result so far beside the file" },
		{ "q", "stop and keep the result; the same command resumes" },
		{ "esc", "back; from this page also with q" },
		{ "", "" },
		{ "", "FILE always holds the best result so far." },
		{ "", "s changes the path to the result, and is recorded:" },
		{ "", "a resumed run does the same. Other keys change nothing." },
	};
	unsigned row = 0;
	for (size_t i = v->scroll; i < sizeof rows / sizeof *rows && row < area.rows; i++) {
		struct grid_at at = grid_row(g, area.row + row++, area.col + 1, area.end);
		grid_styled(g, &at, GRID_BOLD, "%-7s", rows[i][0]);
		const char *left = rows[i][1];
		while ((left = write_words(g, &at, left)) && row < area.rows)
			at = grid_row(g, area.row + row++, area.col + 8, area.end);
	}
}

enum {
	TWO_COLUMNS = 110, /* from so many columns on the change stands beside the rest */
	LABELS = 9,
};

static struct grid_at labelled(struct grid *g, struct live_area area, unsigned row,
                               const char *label)
{
	struct grid_at at = grid_row(g, area.row + row, area.col, area.end);
	grid_styled(g, &at, GRID_DIM, " %-*s", LABELS - 1, label);
	return at;
}

static const char *state(const struct live_facts *now)
{
	return now->stopping    ? "stopping"
	       : now->paused    ? "paused"
	       : now->skipping  ? "skipping"
	       : now->replaying ? "resuming"
	                        : "";
}

static void draw_head(const struct live_model *m, struct grid *g)
{
	char word[LIVE_WORD];
	struct grid_at at = grid_row(g, 0, 0, g->cols);
	at.style = GRID_BAR;
	for (unsigned i = 0; i < g->cols; i++)
		grid_put(g, &at, ' ');
	at = grid_row(g, 0, 1, g->cols ? g->cols - 1 : 0);
	at.style = GRID_BAR;
	grid_right(g, &at, "%s", live_time(m->now.ns, word));
	if (*state(&m->now))
		grid_right(g, &at, "%s  ", state(&m->now));
	grid_printf(g, &at, "whittle ");
	grid_printf(g, &at, "%s", m->setting.file);
	if (m->setting.name && strcmp(m->setting.name, m->setting.file) != 0)
		live_add(g, &at, GRID_BAR, "  (%s)", m->setting.name);
	live_add(g, &at, GRID_BAR, "  tokenizer %s", m->setting.tokenizer);
}

/* How much of it is left. */
static void draw_bar(const struct live_model *m, struct grid *g, struct grid_at at)
{
	unsigned width = at.end > at.col ? at.end - at.col : 0;
	uint32_t original = m->setting.original ? m->setting.original : 1;
	unsigned left = (unsigned)((uint64_t)width * m->bytes / original);
	if (width < 6)
		return;
	if (!left && m->bytes)
		left = 1;
	for (unsigned i = 0; i < width; i++) {
		at.style = i < left ? GRID_ACCENT : GRID_DIM;
		grid_put(g, &at, i < left ? (g->ascii ? '#' : 0x2588) : (g->ascii ? '.' : 0x2591));
	}
}

static void draw_size(const struct live_model *m, struct grid *g)
{
	char from[LIVE_WORD], to[LIVE_WORD];
	struct grid_at at = grid_row(g, 1, 1, g->cols ? g->cols - 1 : 0);
	uint32_t original = m->setting.original ? m->setting.original : 1;
	live_number(m->setting.original, from);
	live_number(m->bytes, to);
	grid_styled(g, &at, GRID_DIM, "%s %s ", from, g->ascii ? "->" : "\xe2\x86\x92");
	grid_styled(g, &at, GRID_BOLD, "%s", to);
	live_add(g, &at, GRID_DIM, " bytes");
	double percent = 100.0 * m->bytes / original;
	live_add(g, &at, GRID_PLAIN, percent >= 10 ? "  %.0f %%  " : "  %.2g %%  ", percent);
	draw_bar(m, g, at);
}

/* ---- lines of facts ---- */

static void draw_tests(const struct live_model *m, struct grid *g, struct live_area area,
                       unsigned row)
{
	char word[LIVE_WORD];
	double rate = live_model_rate(m);
	struct grid_at at = labelled(g, area, row, "tests");
	live_add(g, &at, GRID_BOLD, "%s", live_number(m->now.tests, word));
	if (*m->now.waiting) {
		at.style = GRID_WARN;
		grid_printf(g, &at, "  waiting %s", m->now.waiting);
		return;
	}
	live_add(g, &at, GRID_PLAIN, rate < 10 ? "  %.1f/s" : "  %.0f/s", rate);
	if (m->now.jobs)
		live_add(g, &at, GRID_PLAIN, "  %u of %u %s busy", m->now.busy, m->now.jobs,
		         m->now.jobs == 1 ? "job" : "jobs");
	else
		live_add(g, &at, GRID_WARN, "  %u busy in a pause", m->now.busy);
	if (m->now.cancelled)
		live_add(g, &at, GRID_DIM, "  %s cancelled", live_number(m->now.cancelled, word));
	if (m->now.known)
		live_add(g, &at, GRID_DIM, "  %s answers known before",
		         live_number(m->now.known, word));
}

static void draw_verdicts(const struct live_model *m, struct grid *g, struct live_area area,
                          unsigned row)
{
	char word[LIVE_WORD];
	const struct live_facts *now = &m->now;
	struct grid_at at = labelled(g, area, row, "answers");
	live_add(g, &at, GRID_GOOD, "%s yes", live_number(now->interesting, word));
	live_add(g, &at, GRID_PLAIN, "  %s no", live_number(now->not_interesting, word));
	live_add(g, &at, now->timeouts ? GRID_WARN : GRID_DIM, "  %s timed out",
	         live_number(now->timeouts, word));
	if (now->excesses)
		live_add(g, &at, GRID_WARN, "  %s over a limit", live_number(now->excesses, word));
}

static void draw_won(struct grid *g, struct grid_at *at, int64_t bytes)
{
	char word[LIVE_WORD];
	uint64_t size = (uint64_t)(bytes < 0 ? -bytes : bytes);
	live_add(g, at, bytes > 0 ? GRID_GOOD : GRID_DIM, "  %s%s bytes",
	         bytes > 0   ? "-"
	         : bytes < 0 ? "+"
	                     : "",
	         live_number(size, word));
}

static void draw_pass(const struct live_model *m, struct grid *g, struct live_area area,
                      unsigned row)
{
	char word[LIVE_WORD];
	const struct live_facts *now = &m->now;
	struct grid_at at = labelled(g, area, row, "pass");
	if (!now->pass) {
		live_add(g, &at, GRID_DIM, "none yet");
		return;
	}
	live_add(g, &at, GRID_ACCENT, "%s", now->pass);
	if (now->permille >= 0)
		live_add(g, &at, GRID_PLAIN, " %d %%", now->permille / 10);
	live_add(g, &at, GRID_DIM, "  %s %s", live_number(now->of_pass.answers, word),
	         now->of_pass.answers == 1 ? "answer" : "answers");
	draw_won(g, &at, now->of_pass.bytes);
	if (now->block)
		live_add(g, &at, GRID_DIM, "  %s at a time", live_number(now->block, word));
}

static void draw_last(const struct live_model *m, struct grid *g, struct live_area area,
                      unsigned row)
{
	char word[LIVE_WORD];
	struct grid_at at = labelled(g, area, row, "success");
	if (!m->n_steps) {
		live_add(g, &at, GRID_DIM, "none yet");
		return;
	}
	const struct live_step *last = &m->steps[m->n_steps - 1];
	uint32_t before = m->n_steps > 1 ? last[-1].bytes : m->setting.original;
	uint64_t ago = m->now.ns > last->ns ? m->now.ns - last->ns : 0;
	live_add(g, &at, GRID_PLAIN, "step %s", live_number(m->n_steps, word));
	live_add(g, &at, ago > 300000000000u ? GRID_WARN : GRID_PLAIN, ", %s ago",
	         live_time(ago, word));
	draw_won(g, &at, (int64_t)before - last->bytes);
	live_add(g, &at, GRID_DIM, "  %s", last->pass);
	live_add(g, &at, GRID_DIM, "  at %s", live_time(last->ns, word));
}

static void draw_word(struct grid *g, struct live_area area, unsigned row, const char *label,
                      const char *text)
{
	struct grid_at at = labelled(g, area, row, label);
	live_add_words(g, &at, GRID_DIM, text);
}

/* How many rows of facts there are in ROWS. */
static unsigned fact_rows(unsigned rows)
{
	return rows < 6 ? 3 : rows < 12 ? 4 : rows < 18 ? 5 : 7;
}

static void draw_facts(const struct live_model *m, struct grid *g, struct live_area area)
{
	const struct live_setting *s = &m->setting;
	unsigned n = area.rows;
	draw_tests(m, g, area, 0);
	draw_pass(m, g, area, 1);
	draw_last(m, g, area, 2);
	if (n > 3)
		draw_verdicts(m, g, area, 3);
	if (n > 4)
		draw_word(g, area, 4, "limits", s->limits);
	if (n > 5)
		draw_word(g, area, 5, "fence", s->fence);
	if (n > 6)
		draw_word(g, area, 6, "others", s->externals);
}

/* ---- the page ---- */

static void draw_rule(struct grid *g, struct live_area area, const char *text)
{
	struct grid_at at = grid_row(g, area.row, area.col, area.end);
	grid_styled(g, &at, GRID_DIM, "%s ", g->ascii ? "--" : "\xe2\x94\x80\xe2\x94\x80");
	grid_styled(g, &at, GRID_PLAIN, "%s ", text);
	at.style = GRID_DIM;
	while (at.col < at.end)
		grid_put(g, &at, g->ascii ? '-' : 0x2500);
}

static void draw_last_change(const struct live_model *m, struct grid *g, struct live_area area)
{
	char text[512], word[LIVE_WORD];
	if (area.rows < 2)
		return;
	const struct live_step *last = m->n_steps ? &m->steps[m->n_steps - 1] : NULL;
	const struct live_change *c = last ? last->change : NULL;
	if (c)
		snprintf(text, sizeof text, "last change: %s%sline %s, %s", c->path ? c->path : "",
		         c->path ? ", " : "", live_number(c->line, word), last->pass);
	else
		snprintf(text, sizeof text, "last change");
	draw_rule(g, area, text);
	area.row++;
	area.rows--;
	if (c)
		draw_change(c, g, area, 0);
}

static void draw_main(const struct live_model *m, UNUSED const struct live_view *v, struct grid *g,
                      struct live_area area)
{
	bool wide = g->cols >= TWO_COLUMNS;
	struct live_area left = area, facts = area, curve = area, change = area;
	if (wide) {
		left.end = area.end / 2;
		change.col = left.end + 1;
		facts.end = curve.end = left.end;
	}
	facts.rows = fact_rows(area.rows);
	if (facts.rows > area.rows)
		facts.rows = area.rows;
	draw_facts(m, g, facts);
	unsigned left_rows = area.rows - facts.rows;
	curve.row = area.row + facts.rows;
	curve.rows = wide || left_rows < 8 ? left_rows : left_rows / 2;
	if (left_rows >= 5 && left_rows < 8 && !wide)
		curve.rows = left_rows;
	draw_curve(m, g, curve);
	if (!wide) {
		change.row = curve.row + curve.rows;
		change.rows = left_rows - curve.rows;
	}
	draw_last_change(m, g, change);
}

static void draw_keys(struct grid *g, struct grid_at at)
{
	static const char *const keys[][2] = {
		{ "q", "stop" },      { "?", "help" },    { "p", "passes" },
		{ "d", "diff" },      { "h", "history" }, { "s", "skip" },
		{ "space", "pause" }, { "+-", "jobs" },   { "w", "copy" },
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		unsigned need = (unsigned)(strlen(keys[i][0]) + strlen(keys[i][1]) + 3);
		if (at.col + need > at.end)
			break;
		live_add(g, &at, GRID_BOLD, "%s", keys[i][0]);
		live_add(g, &at, GRID_DIM, " %s  ", keys[i][1]);
	}
}

static void draw_foot(const struct live_model *m, struct grid *g)
{
	struct grid_at at = grid_row(g, g->rows - 1, 1, g->cols);
	if (*m->message)
		grid_styled(g, &at, GRID_WARN, "%s", m->message);
	else
		draw_keys(g, at);
}

void live_draw(const struct live_model *m, const struct live_view *v, struct grid *g)
{
	static void (*const pages[])(const struct live_model *, const struct live_view *,
	                             struct grid *, struct live_area) = {
		[LIVE_MAIN] = draw_main,       [LIVE_PASSES] = draw_passes, [LIVE_DIFF] = draw_diff,
		[LIVE_HISTORY] = draw_history, [LIVE_HELP] = draw_help,
	};
	struct live_area area = { .row = 2, .rows = g->rows > 3 ? g->rows - 3 : 0, .end = g->cols };
	grid_clear(g, g->rows, g->cols);
	if (g->rows < 3)
		return;
	draw_head(m, g);
	draw_size(m, g);
	draw_foot(m, g);
	if (!m->n_steps && (v->page == LIVE_DIFF || v->page == LIVE_HISTORY))
		heading(g, area, "Nothing has changed yet.");
	else
		pages[v->page](m, v, g, area);
}
