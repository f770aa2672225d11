/* Two lines that go together, whatever stands between them: those of a preprocessor's conditional,
 * of a region; or three, where a case stands between them. They begin with the same mark. */
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
	uint8_t mark = v->tc->bytes[at];
	if (mark == '{' && at + 1 < v->lines[line + 1] && v->tc->bytes[at + 1] == '%')
		return mark; /* of a template: {% if a %} */
	return at < v->lines[line + 1] && strchr("#`%@.!", mark) ? mark : 0;
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

/* With each of the lines behind it, and with the next two at once. */
static uint32_t pairs_ends(const struct places *p, uint32_t i)
{
	uint32_t behind = p->n - 1 - i;
	return behind < PARTNERS ? behind + (behind > 1) : PARTNERS + 1;
}

static bool pairs_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	const struct pairs *x = p->data;
	const struct view *v = p->view;
	uint32_t behind = p->n - 1 - i, n = 2;
	bool three = j == (behind < PARTNERS ? behind : PARTNERS);
	uint32_t lines[] = { i, i + 1 + j, i + 2 };
	struct edit_part *parts = arena_alloc(arena, 3 * sizeof *parts);
	if (three) {
		lines[1] = i + 1;
		n = 3;
	}
	for (uint32_t k = 0; k < n; k++) {
		uint32_t line = x->lines[lines[k]];
		if (x->marks[lines[k]] != x->marks[i])
			return false;
		parts[k] = (struct edit_part){ .begin = v->lines[line], .end = v->lines[line + 1] };
	}
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_pairs = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_LINES,
	.open = pairs_open,
	.ends = pairs_ends,
	.edit = pairs_edit,
};
