/* Neighbours of a kind become one: of two statements in a row that begin alike the second loses its
 * beginning, and a comma joins them: int a; int b; is int a, b; and import, var, insert into t
 * values work alike. Of two with blocks one goes, and what is in its block moves into the other's:
 * functions, rules of awk, namespaces, nodes of a tree. Of any two, one may go into the other in
 * place of a word that stands for nothing. */
#include <string.h>

#include "edits/names.h"
#include "edits/significant.h"
#include "edits/strategies.h"
#include "edits/words.h"
#include "search/strategy.h"

/* A statement goes, and what it says comes in place of a word near it: a level of join. */

/* Test cases of more tokens have too many pairs of a statement and a word. */
enum { SINK_TOKENS_MOST = 512 };

enum {
	SINK_NEAR = 48, /* tokens from a statement to the place */
	SHORT = 3,      /* bytes that a word in such a place has at most */
};

/* Where something may come to: tokens. */
struct hole {
	uint32_t first, last;
	bool body; /* of a statement, which ends with it */
};

struct sinking {
	struct sink {
		uint32_t item;
		struct edit_part cut, kept; /* what goes, and of that what comes back */
		struct edit_part also;      /* goes, too; may be empty */
		struct hole to;
	} * list;
	uint32_t cap;
	struct hole *holes;
	uint32_t n_holes;
};

static uint32_t length_of(const struct view *v, uint32_t token)
{
	return view_token_end(v, token) - v->tokens.list[token].begin;
}

/* Is all between the brackets of a node white space? */
static bool is_empty_body(const struct view *v, const struct tree_node *n)
{
	if (n->kind != TREE_GROUP || n->last < n->first + 2 ||
	    v->tc->bytes[v->tokens.list[n->first].begin] != '{')
		return false;
	uint32_t t = n->first + 1;
	while (t < n->last - 1 && !view_token_significant(v, t))
		t++;
	return t == n->last - 1;
}

/* A statement that begins with a word of the language and has an empty one behind its brackets. */
static bool has_no_body(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	return view_is_statement(v, node) && n->last > n->first && n->sep_last > n->sep_first &&
	       v->tokens.list[n->first].kind == TOKEN_KEYWORD &&
	       v->tc->bytes[v->tokens.list[n->last].begin - 1] == ')' &&
	       token_is(v, n->sep_first, ";");
}

static void add_hole(struct sinking *x, uint32_t first, uint32_t last, bool body)
{
	x->holes[x->n_holes++] = (struct hole){ .first = first, .last = last, .body = body };
}

/* Is a token between brackets, or in a statement that begins with a word of the language? */
static bool is_within(const struct view *v, const uint32_t *item, uint32_t token)
{
	uint32_t node = item[token] == TREE_NONE ? TREE_NONE : names_statement(v, item[token]);
	if (item[token] != TREE_NONE && v->tree.nodes[item[token]].depth)
		return true;
	return node != TREE_NONE && v->tokens.list[v->tree.nodes[node].first].kind == TOKEN_KEYWORD;
}

static void find_holes(struct sinking *x, const struct view *v, struct arena *arena)
{
	x->holes = arena_alloc(arena, (v->tokens.n + 2 * (size_t)v->tree.n) * sizeof *x->holes);
	const uint32_t *item = names_innermost_items(v, arena);
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		uint8_t kind = v->tokens.list[t].kind;
		if (is_within(v, item, t) && (kind == TOKEN_NUMBER || kind == TOKEN_STRING) &&
		    length_of(v, t) <= SHORT)
			add_hole(x, t, t + 1, false);
	}
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		if (is_empty_body(v, n))
			add_hole(x, n->first, n->last, true);
		if (n->kind != TREE_ITEM || view_is_file(v, i))
			continue;
		if (has_no_body(v, i))
			add_hole(x, n->sep_first, n->sep_last, true);
		if (n->last == n->first + 1 && n->depth &&
		    v->tokens.list[n->first].kind == TOKEN_IDENTIFIER &&
		    length_of(v, n->first) <= SHORT)
			add_hole(x, n->first, n->last, false);
	}
}

static void add_pairs(struct sinking *x, struct edit_sites *p, uint32_t item, struct edit_part cut,
                      struct edit_part kept)
{
	const struct view *v = p->view;
	const struct tree_node *n = &v->tree.nodes[item];
	for (uint32_t k = 0; k < x->n_holes && p->n < x->cap; k++) {
		const struct hole *h = &x->holes[k];
		uint32_t begin = v->tokens.list[h->first].begin,
			 end = v->tokens.list[h->last].begin;
		if (h->last + SINK_NEAR < n->first || h->first > n->last + SINK_NEAR ||
		    (begin < cut.end && end > cut.begin))
			continue;
		x->list[p->n++] = (struct sink){ item, cut, kept, { 0 }, *h };
	}
}

/* What is between the last brackets of a statement. */
static struct edit_part last_content(const struct view *v, uint32_t item)
{
	const struct tree_node *n = &v->tree.nodes[item];
	struct edit_part part = { 0 };
	for (uint32_t i = item + 1; i < v->tree.n && v->tree.nodes[i].first < n->last; i++) {
		const struct tree_node *g = &v->tree.nodes[i];
		if (g->kind == TREE_GROUP && g->depth == n->depth + 1 && g->last > g->first + 2) {
			part.begin = v->tokens.list[g->first + 1].begin;
			part.end = v->tokens.list[g->last - 1].begin;
		}
	}
	return part;
}

/* What of a statement may move: all of it, what is between its last brackets, what stands behind
 * the first "=", and, without the rest, what stands behind a colon. */
static void add_item(struct sinking *x, struct edit_sites *p, uint32_t item)
{
	const struct view *v = p->view;
	const struct tree_node *n = &v->tree.nodes[item];
	struct edit_part all = { .begin = v->tokens.list[n->first].begin,
		                 .end = v->tokens.list[n->last].begin },
			 inner = last_content(v, item), cut = names_item_cut(v, item);
	bool valued = false;
	add_pairs(x, p, item, cut, all);
	if (inner.end > inner.begin)
		add_pairs(x, p, item, cut, inner);
	for (uint32_t t = n->first; t + 1 < n->last; t++) {
		uint32_t behind = t + 1;
		while (behind < n->last - 1 && !view_token_significant(v, behind))
			behind++;
		all.begin = v->tokens.list[behind].begin;
		if (token_is(v, t, ":"))
			add_pairs(x, p, item, all, all);
		else if (!valued && (token_is(v, t, "=") || token_is(v, t, ":="))) {
			add_pairs(x, p, item, cut, all);
			valued = true;
		}
	}
}

/* A statement becomes what is in the last of its brackets, and what is in the first ones moves into
 * that: if (f()) { g(0); } is g(f()). */
static void add_head(struct sinking *x, struct edit_sites *p, uint32_t item)
{
	const struct view *v = p->view;
	const struct token *list = v->tokens.list;
	const struct tree_node *nodes = v->tree.nodes, *n = &nodes[item];
	uint32_t head = n->child, body = head == TREE_NONE ? head : nodes[head].next;
	if (body == TREE_NONE || nodes[head].kind != TREE_GROUP || nodes[body].last != n->last ||
	    nodes[head].first == n->first || nodes[head].last < nodes[head].first + 3)
		return;
	struct edit_part inner = { .begin = list[nodes[head].first + 1].begin,
		                   .end = list[nodes[head].last - 1].begin },
			 cut = { .begin = list[n->first].begin,
		                 .end = list[nodes[body].first + 1].begin },
			 also = { .begin = list[nodes[body].last - 1].begin,
		                  .end = list[n->last].begin };
	for (uint32_t k = 0; k < x->n_holes && p->n < x->cap; k++) {
		const struct hole *h = &x->holes[k];
		if (h->first > nodes[body].first && h->last < nodes[body].last && !h->body)
			x->list[p->n++] = (struct sink){ item, cut, inner, also, *h };
	}
}

/* Pairs of a statement and a place for it; sets the number of P, and is in its arena. */
static struct sinking *sink_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct sinking *x = arena_alloc(&p->arena, sizeof *x);
	x->n_holes = 0;
	find_holes(x, v, &p->arena);
	x->cap = 5 * v->tree.n * x->n_holes;
	x->list = arena_alloc(&p->arena, (x->cap + 1) * sizeof *x->list);
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		if (n->kind != TREE_ITEM || view_is_file(v, i) || n->last == n->first)
			continue;
		if (view_is_statement(v, i))
			add_item(x, p, i);
		add_head(x, p, i);
	}
	return x;
}

/* What is kept of the statement, with its end where a body goes, and blanks around it where two
 * words would become one. */
static struct edit_part moved(const struct view *v, const struct sink *s, struct arena *arena)
{
	const struct tree_node *n = &v->tree.nodes[s->item];
	const uint8_t *bytes = v->tc->bytes;
	struct edit_part part = { .begin = v->tokens.list[s->to.first].begin,
		                  .end = v->tokens.list[s->to.last].begin };
	uint32_t sep = v->tokens.list[n->sep_first].begin,
		 sep_len = s->to.body ? v->tokens.list[n->sep_last].begin - sep : 0,
		 len = s->kept.end - s->kept.begin;
	uint8_t *text = arena_alloc(arena, len + sep_len + 2);
	if (part.begin && words_has(bytes[part.begin - 1]) && words_has(bytes[s->kept.begin]))
		text[part.len++] = ' ';
	memcpy(text + part.len, bytes + s->kept.begin, len);
	part.len += len;
	memcpy(text + part.len, bytes + sep, sep_len);
	part.len += sep_len;
	if (part.end < v->tc->size && words_has(bytes[part.end]) && words_has(text[part.len - 1]))
		text[part.len++] = ' ';
	part.text = text;
	return part;
}

/* Edit I of these; false when it saves nothing. */
static bool sink_edit(const struct view *v, const struct sinking *x, uint32_t i,
                      struct arena *arena, struct edit *out)
{
	const struct sink *s = &x->list[i];
	struct edit_part parts[] = { s->cut, moved(v, s, arena), s->also };
	uint32_t gone = s->cut.end - s->cut.begin + parts[1].end - parts[1].begin;
	return parts[1].len < gone && edit_make(arena, parts, s->also.end ? 3 : 2, out);
}

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

static uint32_t count_alike(const struct view *v, const struct tree_node *a,
                            const struct tree_node *b)
{
	uint32_t n = 0, x = a->first, y = b->first;
	while (n < ALIKE_MOST && x < a->last && y < b->last && token_same_text(v, x, y)) {
		n++;
		x = view_significant_from(v, x + 1, a->last);
		y = view_significant_from(v, y + 1, b->last);
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

static void add_move(struct edit_sites *p, const uint32_t *block, uint32_t from, uint32_t to)
{
	if (block[from] == TREE_NONE || block[to] == TREE_NONE)
		return;
	((const struct joining *)p->data)->list[p->n++] = (struct neighbours){
		.first = from, .second = to, .alike = 1, .from = block[from], .to = block[to]
	};
}

/* From each item with a block to the next ones in its list, and from them to it. */
static void add_moves(struct edit_sites *p)
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

static void add_alike(struct edit_sites *p)
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

static void join_open(struct edit_sites *p, uint32_t level, const struct strategy_options *options)
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

static uint32_t join_ends(const struct edit_sites *p, uint32_t i)
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

static bool join_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
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
		rest = view_significant_from(v, rest + 1, b->last);
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
