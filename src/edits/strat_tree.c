/* Strategies over the bracket tree. */

#include "edits/forms.h"
#include "edits/names.h"
#include "search/mends.h"
#include "edits/significant.h"
#include "edits/strategies.h"
#include "edits/ties.h"
#include "edits/words.h"
#include "lang/rewrite.h"

enum {
	MAX_LEVELS = 48,
	MAX_LIFTS = 24,
	MAX_LIFT_NODES = 96,
	TINY = 8,
	INSIDE_LEAST = 256,  /* bytes that are worth a question before what is in them */
	INSIDE_SHARE = 1024, /* likewise one part in so many of the test case: about as many
	                        questions are asked altogether */
};

/* Where the blanks behind TOKEN end: a cut up to here leaves no hole. */
static uint32_t behind_blanks(const struct view *v, uint32_t token, uint32_t stop)
{
	while (token < stop && (v->tokens.list[token].kind == TOKEN_BLANK ||
	                        v->tokens.list[token].kind == TOKEN_NEWLINE))
		token++;
	return view_token_begin(v, token);
}

/* First token behind the node's parent group or item. */
static uint32_t parent_last(const struct view *v, uint32_t node)
{
	return node ? tree_end(&v->tree, tree_parent(&v->tree, node)) : v->tokens.n;
}

/* [begin, end) of an item with its separator and the blanks behind it, or of the file that it is;
 * of a group just itself. */
static void node_span(const struct view *v, uint32_t node, uint32_t *begin, uint32_t *end)
{
	const struct tree_node *n = &v->tree.nodes[node];
	if (view_is_file(v, node)) {
		struct edit_part file = view_file_cut(v, view_token_begin(v, n->first));
		*begin = file.begin;
		*end = file.end;
		return;
	}
	*begin = view_token_begin(v, n->first);
	uint32_t last = view_behind(v, node);
	*end = n->kind == TREE_ITEM ? behind_blanks(v, last, parent_last(v, node))
	                            : view_token_begin(v, last);
	if (tree_end(&v->tree, 0) == 0)
		*end = *begin;
}

/* Is the node the head of its list, as its terminator says? It goes only with the list. */
static bool is_head(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	if (n->kind != TREE_ITEM || !n->has_sep || tree_parent(&v->tree, node) + 1 != node)
		return false;
	const struct token *sep = &v->tokens.list[tree_separator(&v->tree, v->tokens.list, node)];
	return sep->bracket == TOKEN_HEAD && sep->kind == TOKEN_TERMINATOR;
}

/* Is the bracket at TOKEN a word with which a declaration begins? What it declares is the head. */
static bool opens_declaration(const struct view *v, uint32_t token)
{
	uint32_t len;
	const uint8_t *word = token_text(v, token, &len);
	const struct tokenizer *tok = view_tokenizer_at(v, view_token_begin(v, token));
	bool opens = false;
	for (int what = 0; tok && len && what <= DECLARES_SPACE; what++)
		opens |= tokenizer_declares(tok, (enum declares)what, word, len);
	return opens;
}

/* The innermost of the items with which a group begins. */
static uint32_t first_part(const struct view *v, uint32_t group)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t n = tree_child(nodes, group);
	while (n != TREE_NONE && nodes[n].kind == TREE_ITEM && nodes[n].has_child &&
	       nodes[n + 1].kind == TREE_ITEM)
		n++;
	return n != TREE_NONE && nodes[n].kind == TREE_ITEM ? n : TREE_NONE;
}

/* The token behind an opening bracket, and behind the head of the group. */
static uint32_t behind_opening(const struct view *v, uint32_t group)
{
	const struct tree *t = &v->tree;
	uint32_t n = tree_child(t->nodes, group);
	while (n != TREE_NONE && t->nodes[n].kind == TREE_ITEM && !is_head(v, n))
		n = tree_child(t->nodes, n);
	if (n != TREE_NONE && is_head(v, n))
		return view_behind(v, n);
	n = opens_declaration(v, t->nodes[group].first) ? first_part(v, group) : TREE_NONE;
	return n != TREE_NONE && t->nodes[n].has_sep ? view_behind(v, n)
	                                             : t->nodes[group].first + 1;
}

/* Items of one level with what separates them. */
static void items_at(struct edit_sites *p, uint32_t at_level)
{
	const struct view *v = p->view;
	const struct tree *t = &v->tree;
	ARENA_SCOPED struct arena scratch = { 0 };
	uint8_t *level = names_nesting(v, TREE_ITEM, &scratch);
	uint32_t n = 0, list_begin = 0, list_parent = TREE_NONE;
	for (uint32_t i = 1; i < t->n; i++)
		n += t->nodes[i].kind == TREE_ITEM && level[i] == at_level;
	p->list_end = arena_alloc(&p->arena, (n + (size_t)1) * sizeof *p->list_end);
	p->node = arena_alloc(&p->arena, (n + (size_t)1) * sizeof *p->node);
	for (uint32_t i = 1; i < t->n; i++) {
		const struct tree_node *node = &t->nodes[i];
		if (node->kind != TREE_ITEM || level[i] != at_level || is_head(v, i))
			continue;
		if (tree_parent(t, i) != list_parent) {
			for (; list_begin < p->n; list_begin++)
				p->list_end[list_begin] = p->n;
			list_parent = tree_parent(t, i);
		}
		uint32_t begin, end;
		node_span(v, i, &begin, &end);
		p->node[p->n] = i;
		edit_sites_add(p, begin, end, NULL, 0);
	}
	for (; list_begin < p->n; list_begin++)
		p->list_end[list_begin] = p->n;
}

static bool is_inner_group(const struct tree *t, uint32_t i)
{
	return i && t->nodes[i].kind == TREE_GROUP;
}

/* The token behind the first one of NODE that is TEXT, of LEN bytes, and in no bracket; its last
 * where there is none. */
static uint32_t behind_sign(const struct view *v, uint32_t node, const char *text, size_t len)
{
	uint32_t depth = 0, n, last = tree_end(&v->tree, node);
	for (uint32_t t = v->tree.nodes[node].first; t < last; t++) {
		const uint8_t *bytes = token_text(v, t, &n);
		depth += v->tokens.list[t].kind == TOKEN_OPEN;
		depth -= depth && v->tokens.list[t].kind == TOKEN_CLOSE;
		if (!depth && n == len && !memcmp(bytes, text, len))
			return t + 1;
	}
	return last;
}

/* Has an item that begins with WORD a body behind SIGN? */
static bool has_body(const struct tokenizer *tok, const uint8_t *word, uint32_t n, const char *sign,
                     size_t len)
{
	for (int what = 0; what < DECLARES_N; what++)
		if (what != DECLARES_HEADS && tokenizer_declares(tok, (enum declares)what, word, n))
			return what == DECLARES_FUNCTION;
	return tokenizer_declares(tok, DECLARES_HEADS, (const uint8_t *)sign, (uint32_t)len);
}

/* What stands behind the sign with which the body of an item begins, of LEAST bytes or more;
 * returns where the item ends, as what is in its brackets is no body, 0: where it may be. */
static uint32_t add_behind(struct edit_sites *p, uint32_t item, uint32_t least)
{
	const struct view *v = p->view;
	const struct tree_node *node = &v->tree.nodes[item];
	uint32_t first = view_significant_from(v, node->first, tree_end(&v->tree, item)), n = 0;
	const uint8_t *word = first < tree_end(&v->tree, item) ? token_text(v, first, &n) : NULL;
	const struct tokenizer *tok = view_tokenizer_at(v, view_token_begin(v, node->first));
	const char *line = tok ? tokenizer_stand_in(tok, STAND_IN_BEHIND, 0) : NULL;
	if (!line || !word || tokenizer_declares(tok, DECLARES_SPACE, word, n))
		return 0;
	size_t len = strcspn(line, " ");
	uint32_t t = behind_sign(v, item, line, len), last = tree_end(&v->tree, item);
	while (last > t && !view_token_significant(v, last - 1))
		last--;
	uint32_t begin = view_token_begin(v, t), end = view_token_begin(v, last);
	if (end > begin && end - begin >= least && has_body(tok, word, n, line, len))
		edit_sites_add(p, begin, end, line + len, (uint32_t)strlen(line + len));
	return end;
}

/* What is between the brackets of a group, behind its head, becomes BY, where it has LEAST bytes or
 * more; what stands for all of it stands for the head, too. */
static void add_inside(struct edit_sites *p, uint32_t group, const char *by, uint32_t least)
{
	const struct view *v = p->view;
	const struct tree_node *node = &v->tree.nodes[group];
	bool all = by && !*by; /* the brackets go as well */
	uint32_t begin = view_token_begin(v, all  ? node->first
	                                     : by ? node->first + 1
	                                          : behind_opening(v, group)),
		 end = view_token_begin(v, tree_end(&v->tree, group) - !all);
	if (!by && words_would_glue(v->tc, begin, end)) /* "begin", "end" */
		by = " ";
	if (end > begin && end - begin >= least)
		edit_sites_add(p, begin, end, by, by ? (uint32_t)strlen(by) : 0);
}

/* A form of LEAST bytes or more becomes what stands in for it; of one that declares a name, what
 * it is defined by. On the outermost level others go as items. */
static bool add_form(struct edit_sites *p, uint32_t item, uint32_t least)
{
	const struct view *v = p->view;
	const struct tree_node *node = &v->tree.nodes[item];
	const char *by = form_stand_in(v, item);
	if (!by)
		return false;
	uint32_t body = form_body(v, item), first = body == TREE_NONE ? node->first : body;
	uint32_t begin = view_token_begin(v, first),
		 end = view_token_begin(v, body == TREE_NONE ? tree_end(&v->tree, item)
	                                                     : tree_end(&v->tree, item) - 1);
	if (end - begin >= least && (body != TREE_NONE || tree_parent(&v->tree, item)))
		edit_sites_add(p, begin, end, by, (uint32_t)strlen(by));
	return true;
}

/* What is between the brackets in items of one level, or behind a sign, where it is much. */
static void insides_at(struct edit_sites *p, uint32_t at_level)
{
	const struct view *v = p->view;
	const struct tree *t = &v->tree;
	ARENA_SCOPED struct arena scratch = { 0 };
	uint8_t *level = names_nesting(v, TREE_ITEM, &scratch);
	uint32_t least = p->view->tc->size / INSIDE_SHARE + 1, behind = 0;
	least = least < INSIDE_LEAST ? INSIDE_LEAST : least;
	for (uint32_t i = 1; i < t->n; i++) {
		const struct tree_node *node = &t->nodes[i];
		if (node->kind == TREE_ITEM && level[i] == at_level) {
			behind = add_behind(p, i, least);
			if (add_form(p, i, least))
				behind = view_token_begin(v, tree_end(t, i));
		}
		if (!is_inner_group(t, i) || level[i] != at_level + 1 ||
		    t->nodes[tree_parent(t, i)].kind != TREE_ITEM)
			continue;
		if (view_token_begin(v, node->first + 1) >= behind)
			add_inside(p, i, mends_stand_in(v, i, &p->arena), least);
	}
}

/* What is inside items has its turn before the items in it: bodies that are not needed are few
 * questions, their statements many. In languages of blocks, branches that go one way alone come
 * behind the statements of bodies: they take along what only the other way led to. */
enum { BRANCH_LEVEL = 3, FORM_LISTS = 2 };

static uint32_t count_branches(const struct view *v)
{
	uint32_t n = 0;
	for (uint32_t i = 0; v->tokenizer && i < tokenizer_n_rewrites(v->tokenizer); i++)
		n += tokenizer_rewrites_branch(v->tokenizer, i);
	return n;
}

/* Of nested forms those that are largest on any level come next, as spans: each is needed by the
 * one around it, so that a level of them seldom gives anything. */
static uint32_t items_levels(const struct view *v)
{
	uint32_t levels = names_levels(v, TREE_ITEM, MAX_LEVELS);
	bool forms = has_forms(v) && levels > FORM_LISTS;
	return 2 * (forms ? FORM_LISTS : levels) + count_branches(v);
}

/* The number of the rewrite of branches that comes K behind the first. */
static uint32_t nth_branch(const struct tokenizer *tok, uint32_t k)
{
	uint32_t i = 0;
	while (!tokenizer_rewrites_branch(tok, i) || k--)
		i++;
	return i;
}

static void items_open(struct edit_sites *p)
{
	uint32_t level = p->level, branches = count_branches(p->view);
	if (level >= BRANCH_LEVEL && level < BRANCH_LEVEL + branches) {
		p->level = nth_branch(p->view->tokenizer, level - BRANCH_LEVEL);
		rewrites_open(p);
		return;
	}
	level -= level < BRANCH_LEVEL ? 0 : branches;
	if (level % 2)
		insides_at(p, level / 2);
	else
		items_at(p, level / 2);
	ties_add(p);
}

const struct strategy strategy_items = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = items_levels,
	.open = items_open,
};

static void brackets_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	for (uint32_t i = 0; i < v->tree.n; i++) {
		const struct tree_node *node = &v->tree.nodes[i];
		if (!is_inner_group(&v->tree, i))
			continue;
		uint32_t parts[4] = { view_token_begin(v, node->first),
			              view_token_begin(v, behind_opening(v, i)),
			              view_token_begin(v, tree_end(&v->tree, i) - 1),
			              view_node_end(v, i) };
		for (int k = 0; k < 4; k += 2)
			if (parts[k] < parts[k + 1])
				edit_sites_add_part(
					p, parts[k], parts[k + 1], " ",
					words_would_glue(v->tc, parts[k], parts[k + 1]));
		edit_sites_end_element(p);
	}
}

const struct strategy strategy_brackets = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.open = brackets_open,
};

static uint32_t hollow_levels(const struct view *v)
{
	return names_levels(v, TREE_GROUP, MAX_LEVELS);
}

static void hollow_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	ARENA_SCOPED struct arena scratch = { 0 };
	uint8_t *level = names_nesting(v, TREE_GROUP, &scratch);
	for (uint32_t i = 0; i < v->tree.n; i++)
		if (is_inner_group(&v->tree, i) && level[i] == p->level)
			add_inside(p, i, NULL, 0);
	ties_add(p);
}

const struct strategy strategy_hollow = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = hollow_levels,
	.open = hollow_open,
};

/* Spans from the least to the most complicated (seed 000): the sweep takes them from the end. */
struct span {
	uint32_t begin, end, node;
};

static int span_order(const void *a, const void *b, void *arg)
{
	const struct span *x = a, *y = b;
	const uint8_t *bytes = arg;
	uint32_t n = x->end - x->begin, m = y->end - y->begin;
	if (n != m)
		return n < m ? -1 : 1;
	int d = n > 64 ? 0 : memcmp(bytes + x->begin, bytes + y->begin, n);
	return d ? d : (x->begin < y->begin ? -1 : x->begin > y->begin);
}

/* The item behind the one at NODE, which may go only with it, as an option and what it allows;
 * TREE_NONE: there is none, or both are all that their list has. */
static uint32_t neighbour(const struct view *v, uint32_t node)
{
	const struct tree_node *nodes = v->tree.nodes, *n = &nodes[node];
	uint32_t next = tree_next(&v->tree, node);
	bool is = n->kind == TREE_ITEM && n->strength != TOKEN_STRENGTH_FILE && next != TREE_NONE &&
	          nodes[next].kind == TREE_ITEM && n->first < tree_end(&v->tree, node) &&
	          nodes[next].first < tree_end(&v->tree, next);
	bool all = is && tree_parent(&v->tree, node) != TREE_NONE &&
	           node == tree_child(nodes, tree_parent(&v->tree, node)) &&
	           tree_next(&v->tree, next) == TREE_NONE;
	return is && !all ? next : TREE_NONE;
}

enum { SPANS_PAIRS = 2, SPANS_LEVELS };

static void spans_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct span *spans = arena_alloc(&p->arena, (v->tree.n + (size_t)1) * sizeof *spans);
	for (uint32_t i = 1; i < v->tree.n; i++) {
		struct span s = { .node = i };
		uint32_t other = p->level == SPANS_PAIRS ? neighbour(v, i) : i, begin;
		node_span(v, i, &s.begin, &s.end);
		if (other == TREE_NONE)
			continue;
		node_span(v, other, &begin, &s.end);
		if (s.end - s.begin >= (p->level ? 1 : TINY))
			spans[p->n++] = s;
	}
	qsort_r(spans, p->n, sizeof *spans, span_order, v->tc->bytes);
	p->data = spans;
}

static bool spans_edit(const struct edit_sites *p, uint32_t i, UNUSED uint32_t j,
                       struct arena *arena, struct edit *out)
{
	const struct span *s = &((const struct span *)p->data)[i];
	if (s->end - s->begin > 1 && words_would_glue(p->view->tc, s->begin, s->end))
		*out = edit_replace(arena, s->begin, s->end, (const uint8_t *)" ", 1);
	else
		*out = edit_cut(arena, s->begin, s->end);
	return true;
}

/* A span is enlarged to what encloses it. */
static bool spans_enlarge(const struct edit_sites *p, uint32_t i, UNUSED uint32_t j, uint32_t k,
                          struct arena *arena, struct edit *out)
{
	const struct view *v = p->view;
	uint32_t node = ((const struct span *)p->data)[i].node;
	for (; k && node != TREE_NONE; k--)
		node = tree_parent(&v->tree, node);
	if (node == TREE_NONE || !node)
		return false;
	uint32_t begin, end;
	node_span(v, node, &begin, &end);
	*out = edit_cut(arena, begin, end);
	return true;
}

const struct strategy strategy_spans = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.n_levels = SPANS_LEVELS,
	.open = spans_open,
	.edit = spans_edit,
	.enlarge = spans_enlarge,
};

static uint32_t form_levels(const struct view *v)
{
	return has_forms(v);
}

const struct strategy strategy_forms = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.levels = form_levels,
	.open = spans_open,
	.edit = spans_edit,
	.enlarge = spans_enlarge,
};

/* Lift: a node is replaced by something inside it. Start i is the pair (node, inner group), counted
 * per node. */
struct lift {
	uint32_t outer, inner;
};

/* The groups inside NODE, at most one group between: its lifts. Looks at a bounded number of nodes,
 * so that deep nesting costs linear time. */
static uint32_t collect_lifts(const struct view *v, uint32_t node, struct lift *out)
{
	const struct tree *t = &v->tree;
	uint32_t n = 0, last = tree_end(t, node),
		 stop = t->n - node > MAX_LIFT_NODES ? node + MAX_LIFT_NODES : t->n;
	for (uint32_t i = node + 1; i < stop && t->nodes[i].first < last && n < MAX_LIFTS; i++) {
		if (t->nodes[i].kind != TREE_GROUP)
			continue;
		if (t->nodes[i].first == t->nodes[node].first &&
		    tree_end(t, i) == tree_end(t, node))
			continue;
		uint32_t groups = 0;
		for (uint32_t at = i; at != node && groups <= 2; at = tree_parent(t, at))
			groups += t->nodes[at].kind == TREE_GROUP;
		if (groups > 2)
			continue;
		if (out)
			out[n] = (struct lift){ node, i };
		n++;
	}
	return n;
}

static void lift_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	uint32_t n = 0;
	for (uint32_t i = 1; i < v->tree.n; i++)
		n += collect_lifts(v, i, NULL);
	struct lift *lifts = arena_alloc(&p->arena, (n + (size_t)1) * sizeof *lifts);
	for (uint32_t i = 1; i < v->tree.n; i++)
		p->n += collect_lifts(v, i, lifts + p->n);
	ties_add(p);
	p->data = lifts;
}

/* j = 1: the outer node becomes what stands in the inner brackets; j = 0: the inner group with its
 * brackets. */
static bool lift_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                      struct edit *out)
{
	const struct view *v = p->view;
	const struct lift *l = &((const struct lift *)p->data)[i];
	const struct tree_node *outer = &v->tree.nodes[l->outer], *inner = &v->tree.nodes[l->inner];
	uint32_t from = view_token_begin(v, inner->first + j),
		 to = view_token_begin(v, tree_end(&v->tree, l->inner) - j);
	uint32_t end =
		view_token_begin(v, outer->kind == TREE_ITEM && j ? view_behind(v, l->outer)
	                                                          : tree_end(&v->tree, l->outer));
	struct edit_part parts[2] = { { .begin = view_token_begin(v, outer->first), .end = from },
		                      { .begin = to, .end = end } };
	return from < to && edit_make(arena, parts, 2, out) && out->n;
}

const struct strategy strategy_lift = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = lift_open,
	.n_ends = 2,
	.edit = lift_edit,
};

/* Stand-ins: an item, a bracket group or an identifier replaced by a text that the language's
 * definition offers for it. */

struct stand_in_site {
	uint32_t begin, end;
	const char *text;
};

/* Longest last, where a sweep begins. */
static int place_order(const void *a, const void *b)
{
	const struct stand_in_site *x = a, *y = b;
	uint32_t n = x->end - x->begin, m = y->end - y->begin;
	if (n != m)
		return n < m ? -1 : 1;
	return x->begin != y->begin ? MEM_ORDER(x, y, begin) : strcmp(x->text, y->text);
}

static void add_places(struct edit_sites *p, struct stand_in_site **list, uint32_t *cap,
                       enum stand_in what, uint32_t begin, uint32_t end)
{
	const struct view *v = p->view;
	const struct tokenizer *tok = view_tokenizer_at(v, begin);
	const char *text;
	for (uint32_t i = 0; (text = tokenizer_stand_in(tok, what, i)); i++) {
		uint32_t len = (uint32_t)strlen(text), old = end - begin;
		if (len > old || (len == old && memcmp(text, v->tc->bytes + begin, len) >= 0))
			continue;
		MEM_GROW(*list, p->n, *cap);
		(*list)[p->n++] = (struct stand_in_site){ begin, end, text };
	}
}

static void stand_ins_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct stand_in_site *list = NULL;
	uint32_t cap = 0;
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		if (n->first < tree_end(&v->tree, i) && !view_is_statement(v, i))
			add_places(p, &list, &cap,
			           n->kind == TREE_ITEM ? STAND_IN_ITEM : STAND_IN_GROUP,
			           view_token_begin(v, n->first), view_node_end(v, i));
	}
	for (uint32_t t = 0; t < v->tokens.n; t++)
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER)
			add_places(p, &list, &cap, STAND_IN_IDENTIFIER, view_token_begin(v, t),
			           view_token_end(v, t));
	MEM_SORT(list, p->n, place_order);
	struct stand_in_site *kept = arena_copy(&p->arena, list, p->n * sizeof *kept);
	free(list);
	p->data = kept;
	ties_add(p);
}

static bool stand_ins_edit(const struct edit_sites *p, uint32_t i, UNUSED uint32_t j,
                           struct arena *arena, struct edit *out)
{
	const struct stand_in_site *place = &((const struct stand_in_site *)p->data)[i];
	*out = edit_replace(arena, place->begin, place->end, (const uint8_t *)place->text,
	                    (uint32_t)strlen(place->text));
	return true;
}

const struct strategy strategy_stand_ins = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = stand_ins_open,
	.edit = stand_ins_edit,
};
