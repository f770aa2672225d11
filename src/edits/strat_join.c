/* Neighbours of a kind become one: of two statements in a row that begin alike the second loses its
 * beginning, and a comma joins them: int a; int b; is int a, b; and import, var, insert into t
 * values work alike. Of two with blocks one goes, and what is in its block moves into the other's:
 * functions, rules of awk, namespaces, nodes of a tree. Of any two, one may go into the other in
 * place of a word that stands for nothing (sink.h). */
#include <string.h>

#include "edits/names.h"
#include "edits/sink.h"
#include "edits/solid.h"
#include "edits/strategies.h"

enum {
	ALIKE_MOST = 8, /* tokens of a beginning */
	NEAR = 2,       /* blocks move so many statements forwards or backwards at most */
};
enum level { ALIKE, BLOCKS, SINKS, N_LEVELS };

struct neighbours {
	uint32_t first, second; /* items */
	uint32_t alike;         /* tokens that both begin with, at most ALIKE_MOST */
	uint32_t from, to;      /* blocks */
};

/* One of these, by level. */
struct joining {
	struct neighbours *list;
	struct sinking *sinks; /* NULL on the other levels */
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

/* Of each item the block at its end, with something in it; TREE_NONE: there is none. */
static uint32_t *find_blocks(const struct view *v, struct arena *arena)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t *block = arena_alloc(arena, v->tree.n * sizeof *block);
	for (uint32_t i = 0; i < v->tree.n; i++) {
		const struct tree_node *n = &nodes[i];
		block[i] = TREE_NONE;
		if (n->kind != TREE_GROUP || n->last - n->first < 3 ||
		    v->tc->bytes[v->tokens.list[n->first].begin] != '{')
			continue;
		for (uint32_t k = n->parent;
		     k != TREE_NONE && nodes[k].kind == TREE_ITEM && nodes[k].last == n->last;
		     k = nodes[k].parent)
			block[k] = i;
	}
	return block;
}

static void add_move(struct places *p, const uint32_t *block, uint32_t from, uint32_t to)
{
	if (block[from] == TREE_NONE || block[to] == TREE_NONE)
		return;
	((const struct joining *)p->data)->list[p->n++] = (struct neighbours){
		.first = from, .second = to, .alike = 1, .from = block[from], .to = block[to]
	};
}

/* From each item with a block to the next ones in its list, and from them to it. */
static void add_moves(struct places *p)
{
	const struct tree_node *nodes = p->view->tree.nodes;
	const uint32_t *block = find_blocks(p->view, &p->arena);
	for (uint32_t i = 1; i < p->view->tree.n; i++) {
		uint32_t next = nodes[i].kind == TREE_ITEM && !view_is_file(p->view, i)
		                        ? nodes[i].next
		                        : TREE_NONE;
		for (int k = 0; k < NEAR && next != TREE_NONE; k++, next = nodes[next].next) {
			add_move(p, block, i, next);
			add_move(p, block, next, i);
		}
	}
}

static void add_alike(struct places *p)
{
	const struct view *v = p->view;
	const struct tree_node *nodes = v->tree.nodes;
	for (uint32_t i = 1; i < v->tree.n; i++) {
		uint32_t next = nodes[i].next;
		if (!view_is_statement(v, i) || view_is_file(v, i) || next == TREE_NONE)
			continue;
		struct neighbours *x = &((const struct joining *)p->data)->list[p->n];
		*x = (struct neighbours){ .first = i, .second = next, .from = TREE_NONE };
		x->alike = count_alike(v, &nodes[i], &nodes[next]);
		p->n += x->alike > 0;
	}
}

static uint32_t join_levels(const struct view *v)
{
	return v->tokens.n > SINK_TOKENS_MOST ? SINKS : N_LEVELS;
}

static void join_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)options;
	struct joining *x = arena_alloc(&p->arena, sizeof *x);
	size_t most = 2 * NEAR * (size_t)p->view->tree.n;
	p->data = x;
	x->list = level == SINKS ? NULL : arena_alloc(&p->arena, most * sizeof *x->list);
	x->sinks = level == SINKS ? sink_open(p) : NULL;
	if (level == BLOCKS)
		add_moves(p);
	else if (level == ALIKE)
		add_alike(p);
}

static uint32_t join_ends(const struct places *p, uint32_t i)
{
	const struct joining *x = p->data;
	return x->sinks ? 1 : x->list[i].alike;
}

/* What must stand behind the items of BLOCK when more follow: a separator as those have that are in
 * TO, or a line break; nothing where one stands. */
static struct edit_part separator_of(const struct view *v, uint32_t block, uint32_t to)
{
	const struct tree_node *nodes = v->tree.nodes;
	struct edit_part sep = { .len = 1, .text = (const uint8_t *)"\n" };
	uint32_t last = nodes[block].child;
	while (last != TREE_NONE && nodes[last].next != TREE_NONE)
		last = nodes[last].next;
	if (last != TREE_NONE && nodes[last].sep_last > nodes[last].sep_first)
		return (struct edit_part){ 0 };
	for (uint32_t i = nodes[to].child; i != TREE_NONE; i = nodes[i].next)
		if (nodes[i].kind == TREE_ITEM && nodes[i].sep_last > nodes[i].sep_first) {
			uint32_t begin = v->tokens.list[nodes[i].sep_first].begin;
			sep.text = v->tc->bytes + begin;
			sep.len = view_token_end(v, nodes[i].sep_last - 1) - begin;
		}
	return sep;
}

/* What is in one block comes to the end of the other, or to its beginning where that stands
 * behind. */
static bool move_edit(const struct view *v, const struct neighbours *x, struct arena *arena,
                      struct edit *out)
{
	const struct tree_node *from = &v->tree.nodes[x->from], *to = &v->tree.nodes[x->to];
	uint32_t begin = v->tokens.list[from->first + 1].begin,
		 end = v->tokens.list[from->last - 1].begin;
	bool behind = from->first < to->first;
	struct edit_part sep = separator_of(v, behind ? x->from : x->to, x->to);
	uint32_t len = end - begin + sep.len;
	uint8_t *text = arena_alloc(arena, len);
	memcpy(text + (behind ? 0 : sep.len), v->tc->bytes + begin, end - begin);
	if (sep.len)
		memcpy(text + (behind ? end - begin : 0), sep.text, sep.len);
	uint32_t at =
		behind ? v->tokens.list[to->first + 1].begin : v->tokens.list[to->last - 1].begin;
	struct edit_part parts[] = { names_item_cut(v, x->first),
		                     { .begin = at, .end = at, .len = len, .text = text } };
	return edit_make(arena, parts, 2, out);
}

static bool join_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                      struct edit *out)
{
	const struct joining *all = p->data;
	const struct view *v = p->view;
	if (all->sinks)
		return sink_edit(v, all->sinks, i, arena, out);
	const struct neighbours *x = &all->list[i];
	if (x->from != TREE_NONE)
		return move_edit(v, x, arena, out);
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
	.levels = join_levels,
	.open = join_open,
	.ends = join_ends,
	.edit = join_edit,
};
