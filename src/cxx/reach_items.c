
#include "base/mem.h"
#include "base/work.h"
#include "cxx/reach_impl.h"

/* What lies within declarations that hold no others: a function that most of the file is in, and
 * the entries of tables. */

enum {
	MOST = 2,  /* a function that holds more than one part in so many of the file */
	TABLE = 4, /* entries of a table at least */
};

static uint8_t opens_with(const struct view *v, uint32_t group)
{
	return v->tc->bytes[view_token_begin(v, v->tree.nodes[group].first)];
}

static bool holds_most(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	return view_node_end(v, node) - view_token_begin(v, n->first) > v->tc->size / MOST;
}

uint32_t reach_wrap(struct reach *r, struct reach_item *item, const struct reach_building *b)
{
	const struct view *v = r->view;
	const struct tree_node *nodes = v->tree.nodes;
	if (item->kind != REACH_PLAIN || b->code != TREE_NONE || !holds_most(v, item->node) ||
	    r->libraries.n >= REACH_ANYWHERE)
		return TREE_NONE;
	uint32_t last = tree_end(&v->tree, item->node);
	for (uint32_t i = item->node + 1; i < v->tree.n && nodes[i].first < last; i++) {
		if (nodes[i].kind != TREE_GROUP || opens_with(v, i) != '{' || !holds_most(v, i) ||
		    !view_holds_statements(v, i))
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
	uint32_t n = 0, c = tree_child(nodes, group);
	if ((open != '{' && open != '[') || c == TREE_NONE || view_is_statement(v, c))
		return false;
	for (; c != TREE_NONE && n < TABLE; c = tree_next(&v->tree, c))
		n += nodes[c].kind == TREE_ITEM;
	return n == TABLE;
}

/* The node NODE from the token FIRST on, before more is known of it than in what it is. */
static struct reach_item item_at(const struct reach *r, uint32_t node, uint32_t first,
                                 uint32_t parent)
{
	const struct reach_item *around = parent == REACH_NONE ? NULL : &r->items[parent];
	return (struct reach_item){
		.node = node,
		.said = REACH_SAID_NOTHING,
		.first = first,
		.body = TREE_NONE,
		.def = { .begin = REACH_NONE },
		.parent = parent,
		.marker = REACH_NONE,
		.begin = view_token_begin(r->view, first),
		.end = reach_cut_end(r->view, node, first),
		.declares = r->n_names,
		.library = around ? around->library : 0,
		.scope = around ? around->scope : 0,
	};
}

static void add_entry(struct reach *r, uint32_t node, uint32_t parent)
{
	struct reach_item item = item_at(r, node, r->view->tree.nodes[node].first, parent);
	r->items[parent].entries = true;
	MEM_PUSH(r->items, r->n, r->cap, item);
}

/* Adds the entries of the tables in the item that was added last. */
static void add_entries(struct reach *r, const struct reach_building *b)
{
	const struct view *v = r->view;
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t parent = r->n - 1, node = r->items[parent].node, last = tree_end(&v->tree, node);
	const struct reach_item *item = &r->items[parent];
	/* In C, where who mentions a function mostly calls it, tables are few, and to look at
	 * their entries delays the rest. */
	if (reach_is_forward(r) || item->kind != REACH_PLAIN || item->def.begin != REACH_NONE ||
	    b->code != TREE_NONE)
		return;
	uint32_t until = 0; /* in the table that was opened last */
	for (uint32_t i = node + 1; i < v->tree.n && nodes[i].first < last; i++) {
		if (nodes[i].first < until || nodes[i].kind != TREE_GROUP || !is_table(v, i))
			continue;
		until = tree_end(&v->tree, i);
		for (uint32_t k = tree_child(nodes, i); k != TREE_NONE; k = tree_next(&v->tree, k))
			if (nodes[k].kind == TREE_ITEM && nodes[k].first < tree_end(&v->tree, k))
				add_entry(r, k, parent);
	}
}

/* Does the item at NODE, in the body of ITEM, stay as long as that does: as its head, or because a
 * body may not be empty? */
static bool stays_with(const struct reach *r, const struct reach_building *x,
                       const struct reach_item *item, uint32_t node)
{
	const struct tree_node *nodes = r->view->tree.nodes, *n = &nodes[node];
	bool heads = item->said.name != REACH_NONE && n->first <= item->said.name &&
	             item->said.name < tree_end(&r->view->tree, node);
	bool is_first =
		x->holder[tree_parent(&r->view->tree, node)] != REACH_NONE &&
		node == tree_parent(&r->view->tree, node) + 1 &&
		(nodes[tree_parent(&r->view->tree, node)].kind == TREE_GROUP ||
	         tree_parent(&r->view->tree, node) ==
	                 tree_parent(&r->view->tree, tree_parent(&r->view->tree, node)) + 1);
	return heads || (item->said.keeps_first && is_first);
}

/* Labels of classes are items of no tokens; they stay. */
static bool may_be(const struct reach *r, struct reach_building *x, uint32_t node)
{
	const struct view *v = r->view;
	const struct tree_node *n = &v->tree.nodes[node];
	uint32_t parent = reach_parent(v, node), holder = parent ? x->holder[parent] : REACH_NONE;
	bool held = holder != REACH_NONE;
	if (n->first >= tree_end(&v->tree, node) || (parent && !held))
		return false;
	if (!reach_is_worded(v))
		return view_is_statement(v, node);
	if (!reach_knows(v, node))
		return false;
	if (held && reach_is_part(v, node)) {
		x->holder[node] = holder;
		return false;
	}
	return !held || !stays_with(r, x, &r->items[holder], node);
}

/* The first token of what goes on with the item at NODE. */
static uint32_t first_token(const struct reach *r, const struct reach_building *x, uint32_t node)
{
	const struct tree_node *nodes = r->view->tree.nodes;
	bool goes_on = x->head != TREE_NONE &&
	               tree_parent(&r->view->tree, x->head) == tree_parent(&r->view->tree, node);
	return nodes[goes_on ? x->head : node].first;
}

/* The body of the function that has just been added. */
static void add_body(struct reach *r, const struct reach_item *of)
{
	struct reach_item item = item_at(r, of->node, of->def.begin, r->n - 1);
	item.kind = REACH_BODY;
	item.def.end = of->def.end;
	item.def.stub = of->def.stub;
	item.end = view_token_begin(r->view, of->def.end);
	MEM_PUSH(r->items, r->n, r->cap, item);
}

static bool is_statement(const struct reach *r, const struct reach_item *item)
{
	return item->parent != REACH_NONE && r->items[item->parent].kind == REACH_CODE;
}

/* Functions near the end hold their statements. */
static void look_inside(const struct reach *r, struct reach_item *item, uint32_t code)
{
	if (r->bodies)
		return;
	bool statement = is_statement(r, item);
	if (statement) {
		item->kind = REACH_PLAIN;
		item->body = TREE_NONE;
	}
	if (statement || (code != TREE_NONE && item->begin >= r->tail))
		item->def.begin = REACH_NONE;
	if (statement || code == TREE_NONE || item->begin < r->tail)
		return;
	item->kind = REACH_CODE;
	item->body = code;
}

static bool is_block(const struct view *v, uint32_t node)
{
	return v->tree.nodes[node].kind == TREE_GROUP && opens_with(v, node) == '{' &&
	       view_holds_statements(v, node);
}

/* What stands in blocks, those of lambdas too, of a function that is looked at closely is an item;
 * the next to be added is ITEM. */
static void open_blocks(const struct reach *r, struct reach_building *x, struct reach_item *item)
{
	const struct view *v = r->view;
	uint32_t last = tree_end(&v->tree, item->node), i = item->node + 1;
	if (r->bodies || (item->kind != REACH_CODE && !is_statement(r, item)))
		return;
	while (i < v->tree.n && v->tree.nodes[i].first < last && !is_block(v, i))
		i++;
	if (i < v->tree.n && v->tree.nodes[i].first < last)
		item->kind = REACH_CODE;
	if (item->kind == REACH_CODE)
		x->open = r->n;
}

/* The block at NODE is held by the innermost item around it whose blocks are open. */
static void hold_block(const struct reach *r, struct reach_building *x, uint32_t node)
{
	const struct view *v = r->view;
	uint32_t i = x->open, first = v->tree.nodes[node].first;
	while (i != REACH_NONE &&
	       (r->items[i].kind != REACH_CODE || first >= tree_end(&v->tree, r->items[i].node)))
		i = r->items[i].parent;
	x->open = i;
	if (i != REACH_NONE && x->holder[node] == REACH_NONE && is_block(v, node))
		x->holder[node] = i;
}

/* Is a body longer than what would stand in for it? */
static bool can_shrink(const struct reach *r, const struct reach_item *item)
{
	const struct view *v = r->view;
	return item->def.begin != REACH_NONE &&
	       view_token_begin(v, item->def.end) - view_token_begin(v, item->def.begin) >
	               strlen(item->def.stub);
}

static void add_item(struct reach *r, struct reach_building *x, uint32_t node)
{
	const struct tree_node *n = &r->view->tree.nodes[node];
	uint32_t first = first_token(r, x, node);
	uint32_t around = reach_parent(r->view, node);
	struct reach_item item = item_at(r, node, first, around ? x->holder[around] : REACH_NONE);
	x->code = TREE_NONE;
	bool is_one = reach_declare(r, &item, x);
	if (x->is_head && first == n->first)
		x->head = node;
	if (!is_one || x->is_head) {
		r->n_names = item.declares;
		return;
	}
	x->head = TREE_NONE;
	if (!can_shrink(r, &item))
		item.def.begin = REACH_NONE;
	look_inside(r, &item, x->code);
	item.n_declares = r->n_names - item.declares;
	if (item.body != TREE_NONE)
		x->holder[item.body] = r->n;
	open_blocks(r, x, &item);
	MEM_GROW(r->items, r->n, r->cap);
	item.library = reach_library_of(r, item.parent);
	item.scope = reach_scope_of(r, x, item.parent);
	uint32_t wrapped = reach_wrap(r, &item, x);
	if (wrapped != TREE_NONE)
		x->holder[wrapped] = r->n;
	r->items[r->n++] = item;
	if (item.def.begin != REACH_NONE)
		add_body(r, &item);
	else
		add_entries(r, x);
}

/* The first flag of a line marker, `# 12 "file.h" 1 3`: 1 enters a file, 2 comes back to one. */
static char marker_flag(const struct reach *r, const struct reach_item *item)
{
	const uint8_t *bytes = r->view->tc->bytes;
	uint32_t at = item->end;
	while (at > item->begin && bytes[at - 1] != '"')
		at--;
	while (at < item->end && bytes[at] == ' ')
		at++;
	return at < item->end ? (char)bytes[at] : '\0';
}

/* The files that have been entered, as their markers. */
struct entered {
	uint32_t n, cap, *list;
};

/* What comes back needs what entered. */
static void pair_marker(struct reach *r, uint32_t marker, struct entered *e)
{
	char flag = marker_flag(r, &r->items[marker]);
	if (flag == '2' && e->n)
		r->items[marker].marker = e->list[--e->n];
	if (flag != '1')
		return;
	MEM_PUSH(e->list, e->n, e->cap, marker);
}

static void find_items(struct reach *r, struct reach_building *x)
{
	struct entered entered = { 0 };
	uint32_t marker = REACH_NONE;
	x->holder = mem_alloc((r->view->tree.n + (size_t)1) * sizeof *x->holder);
	reach_fill(x->holder, r->view->tree.n + (size_t)1);
	for (uint32_t node = 1; node < r->view->tree.n; node++) {
		if (r->view->tree.nodes[node].kind == TREE_GROUP)
			hold_block(r, x, node);
		if (r->view->tree.nodes[node].kind != TREE_ITEM || !may_be(r, x, node))
			continue;
		uint32_t before = r->n;
		add_item(r, x, node);
		if (r->n == before)
			continue;
		if (r->items[before].kind == REACH_MARKER) {
			pair_marker(r, before, &entered);
			marker = before;
		} else
			r->items[before].marker = marker;
	}
	free(entered.list);
	free(x->holder);
}

static void index_children(struct reach *r)
{
	r->first_child = mem_zero((size_t)(r->n + 1) + 2, sizeof(uint32_t));
	r->child = mem_alloc((r->n + (size_t)1) * sizeof *r->child);
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t p = r->items[i].parent;
		r->first_child[(p == REACH_NONE ? r->n : p) + 2]++;
	}
	for (uint32_t i = 2; i <= r->n + 2; i++)
		r->first_child[i] += r->first_child[i - 1];
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t p = r->items[i].parent;
		r->child[r->first_child[(p == REACH_NONE ? r->n : p) + 1]++] = i;
	}
}

/* Names that an item declares, or MENTIONED in it. */
static const uint32_t *names_of(const struct reach *r, uint32_t i, bool mentioned, uint32_t *n)
{
	const struct reach_item *item = &r->items[i];
	*n = mentioned ? item->n_mentions : item->n_declares;
	work_step(4 + *n);
	return r->names + (mentioned ? item->mentions : item->declares);
}

/* Which items do so with a name: (*list)[(*first)[name]] up to the next. */
static void index_names(const struct reach *r, bool mentioned, uint32_t **first, uint32_t **list)
{
	uint32_t total = 0, n;
	uint32_t *at = *first = mem_zero((size_t)r->texts.n + 2, sizeof *at);
	for (uint32_t i = 0; i < r->n; i++) {
		const uint32_t *names = names_of(r, i, mentioned, &n);
		for (uint32_t k = 0; k < n; k++, total++)
			at[names[k] + 2]++;
	}
	for (uint32_t i = 2; i <= r->texts.n + 1; i++)
		at[i] += at[i - 1];
	*list = mem_alloc((total + (size_t)1) * sizeof **list);
	for (uint32_t i = 0; i < r->n; i++) {
		const uint32_t *names = names_of(r, i, mentioned, &n);
		for (uint32_t k = 0; k < n; k++)
			(*list)[at[names[k] + 1]++] = i;
	}
}

static void find_levels(struct reach *r)
{
	for (int overloaded = 0; overloaded < 2; overloaded++)
		r->level[overloaded] = mem_zero(r->texts.n + (size_t)1, 1);
	for (uint32_t name = 0; name < r->texts.n; name++) {
		uint32_t n[2] = { 0 };
		for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
			const struct reach_item *item = &r->items[r->by[k]];
			n[item->overloaded] += !reach_is_member(r, r->by[k]) &&
			                       !item->out_of_line && !item->said.tied &&
			                       item->kind != REACH_SPACE;
		}
		for (int overloaded = 0; overloaded < 2; overloaded++)
			while ((overloaded ? n[0] + n[1] : n[0]) >> r->level[overloaded][name] > 1)
				r->level[overloaded][name]++;
	}
}

static void find_methods(struct reach *r)
{
	r->methods = mem_zero(r->texts.n + (size_t)1, 1);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct reach_item *item = &r->items[i];
		uint32_t own = item->n_declares ? r->names[item->declares] : REACH_NONE;
		if (item->said.of != REACH_NONE && own != REACH_NONE &&
		    r->first_in[own] == r->first_in[own + 1])
			r->methods[item->said.of] = 1;
	}
}

struct reach *reach_new(struct view *view, uint32_t tail, bool bodies)
{
	if ((view->tc->is_tree && !reach_is_worded(view)) || view->spans)
		return NULL;
	struct reach_building building = { .head = REACH_NONE, .open = REACH_NONE };
	struct reach *r = mem_zero(1, sizeof *r);
	r->refs = 1;
	r->view = view_ref(view);
	r->tail = tail;
	r->bodies = bodies;
	r->libraries.n = 1;
	find_items(r, &building);
	reach_find_mentions(r);
	index_children(r);
	index_names(r, false, &r->first_by, &r->by);
	index_names(r, true, &r->first_in, &r->in);
	find_methods(r);
	find_levels(r);
	reach_keep_others(r);
	return r;
}

static bool is_outward(const struct reach *r, uint32_t i)
{
	const struct reach_item *item = &r->items[i];
	if (item->n_declares || item->kind != REACH_PLAIN)
		return false;
	const struct view *v = r->view;
	for (uint32_t t = item->first; t < tree_end(&v->tree, item->node); t++) {
		uint32_t name = reach_name_at(r, t);
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER && name != REACH_NONE &&
		    r->first_by[name] < r->first_by[name + 1])
			return false;
	}
	return true;
}

void reach_keep_others(struct reach *r)
{
	for (uint32_t i = 0; i < r->n && reach_is_worded(r->view); i++)
		r->items[i].stays_with_type |= is_outward(r, i);
}
