
#include "base/mem.h"
#include "ui/live_parts.h"

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

void live_draw_passes(const struct live_model *m, const struct live_view *v, struct grid *g,
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
		live_draw_change(c, g, area, scroll);
	else
		grid_styled(g, &at, GRID_DIM, "too large, or too long ago: see whittle diff");
}

void live_draw_diff(const struct live_model *m, const struct live_view *v, struct grid *g,
                    struct live_area area)
{
	if (!m->n_steps) {
		heading(g, area, "Nothing has changed yet.");
		return;
	}
	struct grid_at at = grid_row(g, area.row, area.col, area.end);
	step_row(m, g, at, m->n_steps - 1);
	draw_step(m, m->n_steps - 1, v->scroll, g, below(area, 1));
}

/* The list above, the step looked at in its middle; its change below. */
void live_draw_history(const struct live_model *m, const struct live_view *v, struct grid *g,
                       struct live_area area)
{
	size_t step = v->step < m->n_steps ? v->step : m->n_steps - 1;
	unsigned rows = area.rows > 6 ? area.rows / 3 : area.rows;
	if (!m->n_steps) {
		heading(g, area, "Nothing has changed yet.");
		return;
	}
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

void live_draw_help(const struct live_view *v, struct grid *g, struct live_area area)
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
