#include "ui/live_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
		live_draw_change(c, g, area, 0);
}

static void draw_main(const struct live_model *m, struct grid *g, struct live_area area)
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
	live_draw_curve(m, g, curve);
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
	struct live_area area = { .row = 2, .rows = g->rows > 3 ? g->rows - 3 : 0, .end = g->cols };
	grid_clear(g, g->rows, g->cols);
	if (g->rows < 3)
		return;
	draw_head(m, g);
	draw_size(m, g);
	draw_foot(m, g);
	switch (v->page) {
	case LIVE_MAIN:
		draw_main(m, g, area);
		break;
	case LIVE_PASSES:
		live_draw_passes(m, v, g, area);
		break;
	case LIVE_DIFF:
		live_draw_diff(m, v, g, area);
		break;
	case LIVE_HISTORY:
		live_draw_history(m, v, g, area);
		break;
	case LIVE_HELP:
		live_draw_help(v, g, area);
		break;
	}
}
