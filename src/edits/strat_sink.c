/* A statement goes, and what it says comes in place of a word near it: f(x); if (0) becomes if (x),
 * try: 0 ... 1/x becomes try: 1/x. */

#include "edits/names.h"
#include "edits/significant.h"
#include "edits/strategies.h"
#include "edits/words.h"
#include "search/strategy.h"

enum {
	TOKENS_MOST = 512, /* larger test cases have too many pairs of a statement and a word */
	SINK_NEAR = 48,    /* tokens from a statement to the place */
	SHORT = 3,         /* bytes that a word in such a place has at most */
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
	return view_token_end(v, token) - view_token_begin(v, token);
}

/* A statement that begins with a word of the language and has an empty one behind its brackets. */
static bool has_no_body(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	return view_is_statement(v, node) && tree_end(&v->tree, node) > n->first && n->has_sep &&
	       v->tokens.list[n->first].kind == TOKEN_KEYWORD &&
	       v->tc->bytes[view_node_end(v, node) - 1] == ')' &&
	       token_is(v, view_behind(v, node) - 1, ";");
}

static void add_hole(struct sinking *x, uint32_t first, uint32_t last, bool body)
{
	x->holes[x->n_holes++] = (struct hole){ .first = first, .last = last, .body = body };
}

/* Is a token between brackets, or in a statement that begins with a word of the language? */
static bool is_within(const struct view *v, const uint32_t *item, uint32_t token)
{
	uint32_t node = item[token] == TREE_NONE ? TREE_NONE : names_statement(v, item[token]);
	if (view_group_around(v, item[token]) != TREE_NONE)
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
		if (n->kind != TREE_ITEM || view_is_file(v, i))
			continue;
		if (has_no_body(v, i))
			add_hole(x, view_behind(v, i) - 1, view_behind(v, i), true);
		if (tree_end(&v->tree, i) == n->first + 1 && view_group_around(v, i) != TREE_NONE &&
		    v->tokens.list[n->first].kind == TOKEN_IDENTIFIER &&
		    length_of(v, n->first) <= SHORT)
			add_hole(x, n->first, tree_end(&v->tree, i), false);
	}
}

static void add_pairs(struct sinking *x, struct edit_sites *p, uint32_t item, struct edit_part cut,
                      struct edit_part kept)
{
	const struct view *v = p->view;
	const struct tree_node *n = &v->tree.nodes[item];
	for (uint32_t k = 0; k < x->n_holes && p->n < x->cap; k++) {
		const struct hole *h = &x->holes[k];
		uint32_t begin = view_token_begin(v, h->first), end = view_token_begin(v, h->last);
		if (h->last + SINK_NEAR < n->first ||
		    h->first > tree_end(&v->tree, item) + SINK_NEAR ||
		    (begin < cut.end && end > cut.begin))
			continue;
		x->list[p->n++] = (struct sink){ item, cut, kept, { 0 }, *h };
	}
}

/* What is between the last brackets of a statement. */
static struct edit_part last_content(const struct view *v, uint32_t item)
{
	struct edit_part part = { 0 };
	uint32_t last = tree_end(&v->tree, item), until = 0;
	for (uint32_t i = item + 1; i < v->tree.n && v->tree.nodes[i].first < last; i++) {
		const struct tree_node *g = &v->tree.nodes[i];
		if (g->kind != TREE_GROUP || g->first < until)
			continue;
		until = tree_end(&v->tree, i);
		if (until > g->first + 2) {
			part.begin = view_token_begin(v, g->first + 1);
			part.end = view_token_begin(v, until - 1);
		}
	}
	return part;
}

/* What of a statement may move: all of it, what is between its last brackets, and, without the
 * rest, what stands behind a colon. */
static void add_item(struct sinking *x, struct edit_sites *p, uint32_t item)
{
	const struct view *v = p->view;
	const struct tree_node *n = &v->tree.nodes[item];
	struct edit_part all = { .begin = view_token_begin(v, n->first),
		                 .end = view_node_end(v, item) },
			 inner = last_content(v, item), cut = names_item_cut(v, item);
	add_pairs(x, p, item, cut, all);
	if (inner.end > inner.begin)
		add_pairs(x, p, item, cut, inner);
	for (uint32_t t = n->first; t + 1 < tree_end(&v->tree, item); t++) {
		if (!token_is(v, t, ":"))
			continue;
		uint32_t behind = view_significant_from(v, t + 1, tree_end(&v->tree, item) - 1);
		all.begin = view_token_begin(v, behind);
		add_pairs(x, p, item, all, all);
	}
}

/* A statement becomes what is in the last of its brackets, and what is in the first ones moves into
 * that: if (f()) { g(0); } is g(f()). */
static void add_head(struct sinking *x, struct edit_sites *p, uint32_t item)
{
	const struct view *v = p->view;
	const struct tree_node *nodes = v->tree.nodes, *n = &nodes[item];
	uint32_t head = tree_child(nodes, item),
		 body = head == TREE_NONE ? head : tree_next(&v->tree, head);
	if (body == TREE_NONE || nodes[head].kind != TREE_GROUP ||
	    tree_end(&v->tree, body) != tree_end(&v->tree, item) || nodes[head].first == n->first ||
	    tree_end(&v->tree, head) < nodes[head].first + 3)
		return;
	struct edit_part inner = { .begin = view_token_begin(v, nodes[head].first + 1),
		                   .end = view_token_begin(v, tree_end(&v->tree, head) - 1) },
			 cut = { .begin = view_token_begin(v, n->first),
		                 .end = view_token_begin(v, nodes[body].first + 1) },
			 also = { .begin = view_token_begin(v, tree_end(&v->tree, body) - 1),
		                  .end = view_node_end(v, item) };
	for (uint32_t k = 0; k < x->n_holes && p->n < x->cap; k++) {
		const struct hole *h = &x->holes[k];
		if (h->first > nodes[body].first && h->last < tree_end(&v->tree, body) && !h->body)
			x->list[p->n++] = (struct sink){ item, cut, inner, also, *h };
	}
}

static uint32_t sink_levels(const struct view *v)
{
	return v->tokens.n <= TOKENS_MOST;
}

/* Pairs of a statement and a place for it. */
static void sink_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct sinking *x = arena_zero(&p->arena, sizeof *x);
	p->data = x;
	find_holes(x, v, &p->arena);
	x->cap = 5 * v->tree.n * x->n_holes;
	x->list = arena_alloc(&p->arena, (x->cap + 1) * sizeof *x->list);
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		if (n->kind != TREE_ITEM || view_is_file(v, i) || tree_end(&v->tree, i) == n->first)
			continue;
		if (view_is_statement(v, i))
			add_item(x, p, i);
		add_head(x, p, i);
	}
}

/* What is kept of the statement, with its end where a body goes, and blanks around it where two
 * words would become one. */
static struct edit_part moved(const struct view *v, const struct sink *s, struct arena *arena)
{
	const struct tree_node *n = &v->tree.nodes[s->item];
	const uint8_t *bytes = v->tc->bytes;
	struct edit_part part = { .begin = view_token_begin(v, s->to.first),
		                  .end = view_token_begin(v, s->to.last) };
	uint32_t separator = tree_separator(&v->tree, v->tokens.list, s->item),
		 sep = view_token_begin(v, separator),
		 sep_len = s->to.body && n->has_sep ? view_token_end(v, separator) - sep : 0,
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

static bool sink_edit(const struct edit_sites *p, uint32_t i, UNUSED uint32_t j,
                      struct arena *arena, struct edit *out)
{
	const struct sink *s = &((const struct sinking *)p->data)->list[i];
	struct edit_part parts[] = { s->cut, moved(p->view, s, arena), s->also };
	uint32_t gone = s->cut.end - s->cut.begin + parts[1].end - parts[1].begin;
	return parts[1].len < gone && edit_make(arena, parts, s->also.end ? 3 : 2, out);
}

const struct strategy strategy_sink = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.levels = sink_levels,
	.open = sink_open,
	.edit = sink_edit,
};
