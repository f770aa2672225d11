/* What lies within declarations that hold no others: a function that most of the file is in, and
 * the entries of tables. */
#include "base/mem.h"
#include "cxx/reach_impl.h"

enum {
	MOST = 2,  /* a function that holds more than one part in so many of the file */
	TABLE = 4, /* entries of a table at least */
};

static uint32_t begins(const struct view *v, uint32_t token)
{
	return v->tokens.list[token].begin;
}

static uint8_t opens_with(const struct view *v, uint32_t group)
{
	return v->tc->bytes[begins(v, v->tree.nodes[group].first)];
}

static bool holds_most(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	return begins(v, n->last) - begins(v, n->first) > v->tc->size / MOST;
}

uint32_t reach_wrap(struct reach *r, struct reach_item *item)
{
	const struct view *v = r->view;
	const struct tree_node *nodes = v->tree.nodes;
	if (item->kind != REACH_PLAIN || item->code != TREE_NONE || !holds_most(v, item->node) ||
	    r->libraries.n >= REACH_ANYWHERE)
		return TREE_NONE;
	uint32_t last = nodes[item->node].last;
	for (uint32_t i = item->node + 1; i < v->tree.n && nodes[i].first < last; i++) {
		if (nodes[i].kind != TREE_GROUP || opens_with(v, i) != '{' || !holds_most(v, i) ||
		    nodes[i].child == TREE_NONE || !view_is_statement(v, nodes[i].child))
			continue;
		item->kind = REACH_SPACE;
		item->body = i;
		item->def.begin = REACH_NONE;
		if (!item->library) {
			item->library = (uint8_t)r->libraries.n;
			r->libraries.names[r->libraries.n++] = REACH_NONE;
		}
		return i;
	}
	return TREE_NONE;
}

static bool is_table(const struct view *v, uint32_t group)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint8_t open = opens_with(v, group);
	uint32_t n = 0, c = nodes[group].child;
	if ((open != '{' && open != '[') || c == TREE_NONE || view_is_statement(v, c))
		return false;
	for (; c != TREE_NONE && n < TABLE; c = nodes[c].next)
		n += nodes[c].kind == TREE_ITEM;
	return n == TABLE;
}

static void add_entry(struct reach *r, struct reach_texts *x, uint32_t node, uint32_t parent)
{
	const struct view *v = r->view;
	const struct tree_node *n = &v->tree.nodes[node];
	struct reach_item item = {
		.node = node,
		.said = REACH_SAID_NOTHING,
		.first = n->first,
		.body = TREE_NONE,
		.code = TREE_NONE,
		.def = { .begin = REACH_NONE },
		.parent = parent,
		.marker = REACH_NONE,
		.begin = begins(v, n->first),
		.end = reach_cut_end(v, node, n->first),
		.declares = r->n_names,
		.library = r->items[parent].library,
		.scope = r->items[parent].scope,
	};
	for (uint32_t t = item.first; t < n->last; t++)
		x->owner[t] = r->n;
	r->items[parent].entries = true;
	MEM_GROW(r->items, r->n, r->cap);
	r->items[r->n++] = item;
}

void reach_add_entries(struct reach *r, struct reach_texts *x)
{
	const struct view *v = r->view;
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t parent = r->n - 1, node = r->items[parent].node, last = nodes[node].last;
	const struct reach_item *item = &r->items[parent];
	/* In C, where who mentions a function mostly calls it, tables are few, and to look at
	 * their entries delays the rest. */
	if (reach_is_forward(r) || item->kind != REACH_PLAIN || item->def.begin != REACH_NONE ||
	    item->code != TREE_NONE)
		return;
	uint32_t until = 0; /* in the table that was opened last */
	for (uint32_t i = node + 1; i < v->tree.n && nodes[i].first < last; i++) {
		if (nodes[i].first < until || nodes[i].kind != TREE_GROUP || !is_table(v, i))
			continue;
		until = nodes[i].last;
		for (uint32_t k = nodes[i].child; k != TREE_NONE; k = nodes[k].next)
			if (nodes[k].kind == TREE_ITEM && nodes[k].first < nodes[k].last)
				add_entry(r, x, k, parent);
	}
}
