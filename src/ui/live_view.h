/* What the user looks at in the live display. */
#ifndef WHITTLE_UI_LIVE_VIEW_H
#define WHITTLE_UI_LIVE_VIEW_H

#include <stddef.h>

struct live_pass;

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

#endif
