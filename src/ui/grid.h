/* A grid of character cells: what a screen shows, without a terminal. Drawing is pure; screen.h
 * brings a grid to a terminal, tests compare its text.
 *
 * Each cell holds one character that is one column wide and that no terminal obeys: what is written
 * may come from anywhere (bytes of a candidate). Controls and bytes that are no UTF-8 are shown as
 * \xNN (base/show.h), characters of which it is not certain that they are one column wide as
 * <U+NNNN>.
 *
 * Life cycle: zero-initialise, grid_clear for each picture, grid_release.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* How a cell looks; what that is in colour, and without, is the terminal's business. */
enum grid_style {
	GRID_PLAIN,
	GRID_DIM,
	GRID_BOLD,
	GRID_GOOD,   /* what was won or came */
	GRID_BAD,    /* what went or failed */
	GRID_ACCENT, /* the curve, headings */
	GRID_WARN,
	GRID_BAR, /* reversed */
	GRID_STYLES,
};

struct grid_cell {
	uint32_t ch; /* a Unicode character */
	uint8_t style;
};

struct grid {
	unsigned rows, cols;
	bool ascii; /* the terminal shows no other characters */
	struct grid_cell *cells;
};

/* Makes it an empty one of this size. */
void grid_clear(struct grid *g, unsigned rows, unsigned cols);
void grid_release(struct grid *g);

/* Where to write: as far as the column END, which the text never passes. */
struct grid_at {
	unsigned row, col, end;
	enum grid_style style;
};

/* The whole row, or a part of it, cut to the grid. */
struct grid_at grid_row(const struct grid *g, unsigned row, unsigned col, unsigned end);

/* One character; outside the grid nothing. */
void grid_put(struct grid *g, struct grid_at *at, uint32_t ch);

/* The LEN bytes at TEXT, up to a line end; moves AT after them. How many of the bytes were used:
 * fewer when the room is not enough (nothing is written of a character that does not fit). */
size_t grid_write(struct grid *g, struct grid_at *at, const void *text, size_t len);

/* The same of a text, in another style than AT's. */
void grid_styled(struct grid *g, struct grid_at *at, enum grid_style style, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#define grid_printf(g, at, ...) grid_styled(g, at, (at)->style, __VA_ARGS__)

/* The columns that TEXT takes at AT; 0: there is no room for all of it. */
unsigned grid_columns(const struct grid *g, const struct grid_at *at, const char *text);

/* Writes so that the text ends at AT->end; AT->end becomes its beginning. */
void grid_right(struct grid *g, struct grid_at *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The rows as lines of UTF-8 without blanks at their ends. With STYLES a second line below each row
 * that has any: one letter a cell, ' ' for plain. */
void grid_text(const struct grid *g, bool styles, struct buf *out);
