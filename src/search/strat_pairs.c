/* Two lines that go together, whatever stands between them: those of a preprocessor's conditional,
 * of a region; or three, where a case stands between them. They begin with the same mark. The same
 * with comments, where conditionals are such: {$ifdef a} ... {$endif}. */
#include <stdlib.h>
#include <string.h>

#include "search/strategies.h"
#include "search/words.h"

enum { PARTNERS = 12 }; /* lines behind one that are tried with it */
enum level { LINES, COMMENTS, N_LEVELS };

struct pairs {
	struct edit_part *list; /* cuts of what begins with a mark */
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

static uint32_t pairs_levels(const struct view *v)
{
	(void)v;
	return N_LEVELS;
}

static void add_cut(struct places *p, uint8_t mark, struct edit_part cut)
{
	struct pairs *x = p->data;
	x->marks[p->n] = mark;
	x->list[p->n++] = cut;
}

static void pairs_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)options;
	const struct view *v = p->view;
	struct pairs *x = arena_alloc(&p->arena, sizeof *x);
	size_t most = (level == LINES ? v->n_lines : v->tokens.n) + (size_t)1;
	x->list = arena_alloc(&p->arena, most * sizeof *x->list);
	x->marks = arena_alloc(&p->arena, most);
	p->data = x;
	for (uint32_t i = 0; i < v->n_lines && level == LINES; i++) {
		uint8_t mark = mark_of(v, i);
		struct edit_part cut = { .begin = v->lines[i], .end = v->lines[i + 1] };
		if (mark)
			add_cut(p, mark, cut);
	}
	for (uint32_t t = 0; t < v->tokens.n && level == COMMENTS; t++) {
		struct edit_part cut = { .begin = v->tokens.list[t].begin,
			                 .end = view_token_end(v, t) };
		if (v->tokens.list[t].kind != TOKEN_COMMENT)
			continue;
		cut.text = (const uint8_t *)" ";
		cut.len = words_comment_glues(v, t);
		add_cut(p, 1, cut);
	}
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
	uint32_t behind = p->n - 1 - i, n = 2;
	bool three = j == (behind < PARTNERS ? behind : PARTNERS);
	uint32_t lines[] = { i, i + 1 + j, i + 2 };
	struct edit_part *parts = arena_alloc(arena, 3 * sizeof *parts);
	if (three) {
		lines[1] = i + 1;
		n = 3;
	}
	for (uint32_t k = 0; k < n; k++) {
		if (x->marks[lines[k]] != x->marks[i])
			return false;
		parts[k] = x->list[lines[k]];
	}
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_pairs = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_LINES | STRATEGY_TOKENS,
	.levels = pairs_levels,
	.open = pairs_open,
	.ends = pairs_ends,
	.edit = pairs_edit,
};
