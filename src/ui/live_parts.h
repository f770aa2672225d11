/* Parts of the live display. Internal to live_draw.c and those beside it. */
#pragma once

#include "ui/grid.h"
#include "ui/live_model.h"

enum live_page { LIVE_MAIN, LIVE_PASSES, LIVE_DIFF, LIVE_HISTORY, LIVE_HELP };

/* By what the table of passes is sorted; what is largest comes first. */
enum live_sort { LIVE_BY_ORDER, LIVE_BY_BYTES, LIVE_BY_SUCCESSES, LIVE_BY_ANSWERS, LIVE_SORTS };

struct live_view {
	enum live_page page;
	unsigned scroll; /* rows, of what scrolls */
	size_t step;     /* history: index of the one looked at */
	enum live_sort sort;
	const struct live_pass *passes;
	size_t n_passes;
};

struct live_area {
	unsigned row, col, rows, end; /* end: the column after the last */
};

enum { LIVE_WORD = 32 };

/* 1234567 as "1,234,567". Returns TEXT. */
const char *live_number(uint64_t n, char text[LIVE_WORD]);

/* The same in few columns: "1.23M". */
const char *live_short(uint64_t n, char text[LIVE_WORD]);

/* "0:05", "12:34", "3:00:00". */
const char *live_time(uint64_t ns, char text[LIVE_WORD]);

/* Writes all of it, or, when there is no room, nothing. */
void live_add(struct grid *g, struct grid_at *at, enum grid_style style, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* TEXT, or as many of its words as there is room for, and "..." behind them. */
void live_add_words(struct grid *g, struct grid_at *at, enum grid_style style, const char *text);

/* Size over time, sizes on a logarithmic scale. */
void live_draw_curve(const struct live_model *m, struct grid *g, struct live_area area);

/* What went and what came, from line SCROLL on. Returns how many lines there are. */
unsigned live_draw_change(const struct live_change *c, struct grid *g, struct live_area area,
                          unsigned scroll);

/* The pages that take the place of the main one, but for its first and last rows. */
void live_draw_passes(const struct live_model *m, const struct live_view *v, struct grid *g,
                      struct live_area area);
void live_draw_diff(const struct live_model *m, const struct live_view *v, struct grid *g,
                    struct live_area area);
void live_draw_history(const struct live_model *m, const struct live_view *v, struct grid *g,
                       struct live_area area);
void live_draw_help(const struct live_view *v, struct grid *g, struct live_area area);
