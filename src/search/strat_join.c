/* Neighbours of a kind become one: of two statements in a row that begin alike the second loses its
 * beginning, and a comma joins them: int a; int b; is int a, b; and import, var, insert into t
 * values work alike. */
#include "search/solid.h"
#include "search/strategies.h"

enum { ALIKE_MOST = 8 }; /* tokens of a beginning */

struct neighbours {
	uint32_t first, second; /* items */
	uint32_t alike;         /* tokens that both begin with, at most ALIKE_MOST */
};

/* The solid token behind TOKEN, before LAST; LAST: none. */
static uint32_t next_solid(const struct view *v, uint32_t token, uint32_t last)
{
	do
		token++;
	while (token < last && !view_token_solid(v, token));
	return token;
}

static bool same_text(const struct view *v, uint32_t a, uint32_t b)
{
	uint32_t a_len, b_len;
	const uint8_t *x = token_text(v, a, &a_len), *y = token_text(v, b, &b_len);
	return a_len == b_len && !memcmp(x, y, a_len);
}

static uint32_t count_alike(const struct view *v, const struct tree_node *a,
                            const struct tree_node *b)
{
	uint32_t n = 0, x = a->first, y = b->first;
	while (n < ALIKE_MOST && x < a->last && y < b->last && same_text(v, x, y)) {
		n++;
		x = next_solid(v, x, a->last);
		y = next_solid(v, y, b->last);
	}
	return y < b->last || !n ? n : n - 1; /* something stays, also of two that are equal */
}

static void join_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	const struct tree_node *nodes = v->tree.nodes;
	struct neighbours *list = arena_alloc(&p->arena, v->tree.n * sizeof *list);
	for (uint32_t i = 1; i < v->tree.n; i++) {
		uint32_t next = nodes[i].next;
		if (!view_is_statement(v, i) || view_is_file(v, i) || next == TREE_NONE)
			continue;
		list[p->n] =
			(struct neighbours){ i, next, count_alike(v, &nodes[i], &nodes[next]) };
		p->n += list[p->n].alike > 0;
	}
	p->data = list;
}

static uint32_t join_ends(const struct places *p, uint32_t i)
{
	return ((const struct neighbours *)p->data)[i].alike;
}

static bool join_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                      struct edit *out)
{
	const struct neighbours *x = &((const struct neighbours *)p->data)[i];
	const struct view *v = p->view;
	const struct tree_node *a = &v->tree.nodes[x->first], *b = &v->tree.nodes[x->second];
	uint32_t rest = b->first;
	for (uint32_t k = 0; k <= j; k++)
		rest = next_solid(v, rest, b->last);
	*out = edit_replace(arena, view_token_end(v, a->last - 1), v->tokens.list[rest].begin,
	                    (const uint8_t *)",", 1);
	return true;
}

const struct strategy strategy_join = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = join_open,
	.ends = join_ends,
	.edit = join_edit,
};
