/* Draws the live display: a model and what the user looks at become a grid. Pure.
 *
 * Any size is fine: what has no room is left out, least important first.
 */
#pragma once

#include "ui/grid.h"
#include "ui/live_model.h"

/* What the user looks at. */

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

/* G has its size. */
void live_draw(const struct live_model *m, const struct live_view *v, struct grid *g);
