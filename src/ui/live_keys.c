#include "ui/live_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/screen.h"

static void turn_to(struct live_keys *k, enum live_page page, const struct live_model *m)
{
	k->view.page = k->view.page == page ? LIVE_MAIN : page;
	k->view.scroll = 0;
	k->view.step = m->n_steps ? m->n_steps - 1 : 0;
}

static size_t moved(size_t at, size_t last, long by)
{
	long to = (long)at + by;
	return to < 0 ? 0 : (size_t)to > last ? last : (size_t)to;
}

/* The arrow keys: through the steps of the history, or the lines of what is longer than the
 * screen. */
static bool move(struct live_keys *k, const struct live_model *m, unsigned rows, int key)
{
	long page = rows > 6 ? (long)rows - 4 : 1;
	long by = key == SCREEN_UP          ? -1
	          : key == SCREEN_DOWN      ? 1
	          : key == SCREEN_PAGE_UP   ? -page
	          : key == SCREEN_PAGE_DOWN ? page
	          : key == SCREEN_HOME      ? -(long)INT32_MAX
	          : key == SCREEN_END       ? (long)INT32_MAX
	                                    : 0;
	if (!by)
		return false;
	if (k->view.page == LIVE_HISTORY)
		k->view.step = moved(k->view.step, m->n_steps ? m->n_steps - 1 : 0, by);
	else
		k->view.scroll = (unsigned)moved(k->view.scroll, 2 * LIVE_CHANGE_TEXT, by);
	return true;
}

bool live_keys_press(struct live_keys *k, struct live_model *m, unsigned rows, int key)
{
	*m->message = '\0';
	switch (key) {
	case 'q':
		k->wishes.stop = true;
		return true;
	case ' ':
		k->wishes.paused = !k->wishes.paused;
		return true;
	case 's':
		k->wishes.skip = true;
		return true;
	case '+':
	case '=':
		k->wishes.jobs++;
		return true;
	case '-':
		k->wishes.jobs--;
		return true;
	case 'p':
		turn_to(k, LIVE_PASSES, m);
		return true;
	case 'o':
		k->view.sort = (k->view.sort + 1) % LIVE_SORTS;
		return true;
	case 'd':
		turn_to(k, LIVE_DIFF, m);
		return true;
	case 'h':
		turn_to(k, LIVE_HISTORY, m);
		return true;
	case '?':
		turn_to(k, LIVE_HELP, m);
		return true;
	case SCREEN_BACK:
		k->view.page = LIVE_MAIN;
		return true;
	default:
		return move(k, m, rows, key);
	}
}

/* ---- passes ---- */

static void add_pass(struct live_keys *k, const char *name, const struct pass_stats *t)
{
	MEM_GROW(k->passes, k->view.n_passes, k->cap_passes);
	k->passes[k->view.n_passes++] = (struct live_pass){ .name = name,
		                                            .runs = t->runs,
		                                            .successes = t->successes,
		                                            .answers = t->questions,
		                                            .bytes = t->bytes };
}

void live_keys_look(struct live_keys *k, const struct session *s)
{
	const struct plan *plan = session_plan(s);
	const struct externals *x = session_externals(s);
	k->view.n_passes = 0;
	if (k->view.page != LIVE_PASSES || !plan)
		return;
	for (uint32_t i = 0; i < passes_n; i++)
		add_pass(k, passes_table[i].name, &plan->stats[i]);
	struct pass_stats pumps = reducer_pump_stats(session_reducer(s));
	add_pass(k, "pumps", &pumps);
	for (uint32_t i = 0; i < x->n_passes; i++)
		if (!x->passes[i].pump)
			add_pass(k, x->passes[i].name,
			         reducer_external_stats(session_reducer(s), i));
	k->view.passes = k->passes;
}

void live_keys_release(struct live_keys *k)
{
	free(k->passes);
	*k = (struct live_keys){ 0 };
}
