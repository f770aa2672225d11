/* Two lines that go together, whatever stands between them: those of a preprocessor's conditional,
 * of a region. They begin with the same mark. */
#include <stdlib.h>
#include <string.h>

#include "search/strategies.h"

enum { PARTNERS = 12 }; /* lines behind one that are tried with it */

struct pairs {
	uint32_t *lines; /* those that begin with a mark */
	uint8_t *marks;
};

/* The mark that LINE begins with, 0: none. */
static uint8_t mark_of(const struct view *v, uint32_t line)
{
	uint32_t at = v->lines[line];
	while (at < v->lines[line + 1] && (v->tc->bytes[at] == ' ' || v->tc->bytes[at] == '\t'))
		at++;
	return at < v->lines[line + 1] && strchr("#`%@.!", v->tc->bytes[at]) ? v->tc->bytes[at] : 0;
}

static void pairs_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	struct pairs *x = arena_alloc(&p->arena, sizeof *x);
	x->lines = arena_alloc(&p->arena, (v->n_lines + (size_t)1) * sizeof *x->lines);
	x->marks = arena_alloc(&p->arena, v->n_lines + (size_t)1);
	for (uint32_t i = 0; i < v->n_lines; i++)
		if ((x->marks[p->n] = mark_of(v, i)) != 0)
			x->lines[p->n++] = i;
	p->data = x;
}

static uint32_t pairs_ends(const struct places *p, uint32_t i)
{
	return p->n - 1 - i < PARTNERS ? p->n - 1 - i : PARTNERS;
}

static bool pairs_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	const struct pairs *x = p->data;
	const struct view *v = p->view;
	struct edit_part *parts = arena_alloc(arena, 2 * sizeof *parts);
	uint32_t other = i + 1 + j, lines[] = { x->lines[i], x->lines[other] };
	if (x->marks[other] != x->marks[i])
		return false;
	for (uint32_t k = 0; k < 2; k++)
		parts[k] = (struct edit_part){ .begin = v->lines[lines[k]],
			                       .end = v->lines[lines[k] + 1] };
	return edit_make(arena, parts, 2, out);
}

const struct strategy strategy_pairs = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_LINES,
	.open = pairs_open,
	.ends = pairs_ends,
	.edit = pairs_edit,
};
