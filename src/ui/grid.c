#include "ui/grid.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/mem.h"

enum { TAB = 8 };

void grid_clear(struct grid *g, unsigned rows, unsigned cols)
{
	if (rows != g->rows || cols != g->cols)
		g->cells = mem_resize(g->cells, (size_t)rows * cols + 1, sizeof *g->cells);
	g->rows = rows;
	g->cols = cols;
	for (size_t i = 0; i < (size_t)rows * cols; i++)
		g->cells[i] = (struct grid_cell){ ' ', GRID_PLAIN };
}

void grid_release(struct grid *g)
{
	free(g->cells);
	*g = (struct grid){ 0 };
}

struct grid_at grid_row(const struct grid *g, unsigned row, unsigned col, unsigned end)
{
	return (struct grid_at){ .row = row, .col = col, .end = end < g->cols ? end : g->cols };
}

void grid_put(struct grid *g, struct grid_at *at, uint32_t ch)
{
	if (at->col >= at->end || at->col >= g->cols)
		return;
	if (at->row < g->rows)
		g->cells[(size_t)at->row * g->cols + at->col] =
			(struct grid_cell){ ch, (uint8_t)at->style };
	at->col++;
}

/* The character of UTF-8 at P and its length; 0 when there is none. */
static size_t decode(const unsigned char *p, size_t len, uint32_t *ch)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *p < 0x80   ? 1
	           : *p < 0xc2 ? 0
	           : *p < 0xe0 ? 2
	           : *p < 0xf0 ? 3
	           : *p < 0xf5 ? 4
	                       : 0;
	*ch = n == 1 ? *p : *p & (0xffu >> (n + 1));
	if (n == 0 || n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*ch = *ch << 6 | (p[i] & 0x3f);
	}
	bool surrogate = *ch >= 0xd800 && *ch < 0xe000;
	return *ch < least[n] || *ch > 0x10ffff || surrogate ? 0 : n;
}

/* Is it one column wide in every terminal, and obeyed by none? What is not known for certain is
 * not. */
static bool is_plain(uint32_t ch, bool ascii)
{
	static const struct {
		uint32_t from, to;
	} fine[] = {
		{ 0x20, 0x7e },     { 0xa1, 0xac },     { 0xae, 0x2ff },    { 0x391, 0x3a1 },
		{ 0x3a3, 0x3ff },   { 0x400, 0x482 },   { 0x48a, 0x52f },   { 0x2013, 0x2014 },
		{ 0x2018, 0x201f }, { 0x2020, 0x2022 }, { 0x2026, 0x2026 }, { 0x20ac, 0x20ac },
		{ 0x2190, 0x2193 }, { 0x2200, 0x22ff }, { 0x2500, 0x259f }, { 0x2800, 0x28ff }
	};
	for (size_t i = 0; i < (ascii ? 1 : sizeof fine / sizeof *fine); i++)
		if (ch >= fine[i].from && ch <= fine[i].to)
			return true;
	return false;
}

/* What stands for the character at P (LEN bytes are left) in SHOWN; returns how many bytes it
 * is. *ch: the character, when it stands for itself; then SHOWN is empty. */
static size_t stand_in(const unsigned char *p, size_t len, bool ascii, char shown[64], uint32_t *ch)
{
	size_t n = decode(p, len, ch), at = 0;
	*shown = '\0';
	if (n && is_plain(*ch, ascii))
		return n;
	bool control = n && (*ch < 0x20 || (*ch >= 0x7f && *ch < 0xa0));
	if (n && !control) {
		snprintf(shown, 64, "<U+%04X>", (unsigned)*ch);
		return n;
	}
	n = n ? n : 1;
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(shown + at, 64 - at, "\\x%02x", p[i]);
	return n;
}

static void put_shown(struct grid *g, struct grid_at *at, const char *shown)
{
	for (; *shown; shown++)
		grid_put(g, at, (unsigned char)*shown);
}

size_t grid_write(struct grid *g, struct grid_at *at, const void *text, size_t len)
{
	const unsigned char *p = text, *end = p + len;
	unsigned start = at->col, stop = at->end < g->cols ? at->end : g->cols;
	while (p < end && *p != '\n' && at->col < stop) {
		char shown[64];
		uint32_t ch;
		if (*p == '\t') {
			do
				grid_put(g, at, ' ');
			while ((at->col - start) % TAB && at->col < stop);
			p++;
			continue;
		}
		size_t n = stand_in(p, (size_t)(end - p), g->ascii, shown, &ch);
		if (at->col + strlen(shown) > stop)
			break;
		if (*shown)
			put_shown(g, at, shown);
		else
			grid_put(g, at, ch);
		p += n;
	}
	return (size_t)(p - (const unsigned char *)text);
}

void grid_styled(struct grid *g, struct grid_at *at, enum grid_style style, const char *fmt, ...)
{
	enum grid_style before = at->style;
	va_list ap;
	va_start(ap, fmt);
	MEM_SCOPED char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	at->style = style;
	grid_write(g, at, text, strlen(text));
	at->style = before;
}

unsigned grid_columns(const struct grid *g, const struct grid_at *at, const char *text)
{
	SCOPED(grid_release) struct grid one = { .ascii = g->ascii };
	struct grid_at here = { .end = at->end > at->col ? at->end - at->col : 0 };
	grid_clear(&one, 1, here.end);
	size_t len = strlen(text);
	return grid_write(&one, &here, text, len) == len ? here.col : 0;
}

void grid_right(struct grid *g, struct grid_at *at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	MEM_SCOPED char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	struct grid_at to = *at;
	at->end -= grid_columns(g, at, text);
	to.col = at->end;
	grid_write(g, &to, text, at->end < to.end ? strlen(text) : 0);
}

static void add_utf8(struct buf *out, uint32_t ch)
{
	if (ch < 0x80)
		buf_addch(out, (char)ch);
	else if (ch < 0x800)
		buf_addf(out, "%c%c", (int)(0xc0 | ch >> 6), (int)(0x80 | (ch & 0x3f)));
	else
		buf_addf(out, "%c%c%c", (int)(0xe0 | ch >> 12), (int)(0x80 | (ch >> 6 & 0x3f)),
		         (int)(0x80 | (ch & 0x3f)));
}

static void add_styles(const struct grid_cell *row, unsigned cols, struct buf *out)
{
	static const char letters[GRID_STYLES + 1] = " dbgrawR";
	unsigned end = cols;
	while (end && row[end - 1].style == GRID_PLAIN)
		end--;
	if (!end)
		return;
	for (unsigned i = 0; i < end; i++)
		buf_addch(out, letters[row[i].style]);
	buf_addch(out, '\n');
}

void grid_text(const struct grid *g, bool styles, struct buf *out)
{
	buf_add(out, "", 0);
	for (unsigned r = 0; r < g->rows; r++) {
		const struct grid_cell *row = &g->cells[(size_t)r * g->cols];
		unsigned end = g->cols;
		while (end && row[end - 1].ch == ' ')
			end--;
		for (unsigned c = 0; c < end; c++)
			add_utf8(out, row[c].ch);
		buf_addch(out, '\n');
		if (styles)
			add_styles(row, g->cols, out);
	}
}
