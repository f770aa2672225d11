
#include "base/mem.h"
#include "ui/live_parts.h"

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

void live_draw_curve(const struct live_model *m, struct grid *g, struct live_area area)
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
