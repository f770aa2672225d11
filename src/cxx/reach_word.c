/* What a declaration declares in languages whose tokenizer says with which words they begin. Its
 * body is the brackets that such a word opens, or the last ones behind it: an indented block, "is"
 * up to "end". */
#include <ctype.h>

#include "edits/forms.h"
#include "edits/names.h"
#include "cxx/reach_impl.h"
#include "search/mends.h"
#include "edits/significant.h"
#include "edits/words.h"

enum {
	LOOKED_AT = 16, /* tokens and groups in front of the word, at most */
	ITS_LENGTH = 2, /* a function that holds more than one part in so many of the file is a
	                   space */
};

struct worded {
	struct reach *r;
	struct reach_item *item;
	struct reach_building *b;
	const struct view *v;
	uint32_t first;     /* token of the item, or of one within it */
	uint32_t last;      /* the token behind that */
	uint32_t word;      /* the token that says what is declared; REACH_NONE: none */
	enum declares what; /* of it */
	bool form;          /* brackets hold all of it: (define (f x) x) */
};

static bool is_said(const struct view *v, uint32_t token, enum declares what)
{
	uint32_t len;
	const uint8_t *text = token_text(v, token, &len);
	const struct tokenizer *tok = view_tokenizer_at(v, view_token_begin(v, token));
	return len && tok && tokenizer_declares(tok, what, text, len);
}

static enum declares says(const struct view *v, uint32_t token)
{
	enum declares what = 0;
	while (what < DECLARES_N && !is_said(v, token, what))
		what++;
	return what;
}

/* The first significant token behind T, T itself left out; last when there is none. */
static uint32_t behind(const struct worded *w, uint32_t t)
{
	do
		t++;
	while (t < w->last && !view_token_significant(w->v, t));
	return t < w->last ? t : w->last;
}

/* Likewise the first behind the group that begins with T, if one does. */
static uint32_t over(const struct worded *w, uint32_t t)
{
	uint32_t group = mends_group_at(w->v, t);
	if (group == TREE_NONE || tree_end(&w->v->tree, group) <= t)
		return behind(w, t);
	return view_significant_from(w->v, tree_end(&w->v->tree, group), w->last);
}

static bool is_name(const struct worded *w, uint32_t t)
{
	return t < w->last && w->v->tokens.list[t].kind == TOKEN_IDENTIFIER;
}

static bool is_given(const struct worded *w, uint32_t t)
{
	return token_is(w->v, t, "=") || token_is(w->v, t, ":=");
}

static void add(const struct worded *w, uint32_t t)
{
	reach_add_name(w->r, reach_text(w->r, t), REACH_ANYWHERE);
}

/* Of several words in a row the last one counts: `const fn`, `local function`. */
static void find_word(struct worded *w)
{
	uint32_t t = view_significant_from(w->v, w->first, w->last);
	w->word = REACH_NONE;
	w->what = DECLARES_N;
	for (uint32_t n = 0; n < LOOKED_AT && t < w->last && !is_given(w, t); n++) {
		enum declares what = says(w->v, t);
		if (what > DECLARES_PATH && w->word != REACH_NONE)
			return;
		if (what <= DECLARES_PATH) {
			w->word = t;
			w->what = what;
		}
		t = what <= DECLARES_PATH ? behind(w, t) : over(w, t);
	}
}

/* The last of the names from T on that are joined: `M.sub.f`. */
static uint32_t last_joined(const struct worded *w, uint32_t t)
{
	while (t + 2 < w->last && is_name(w, t + 2) &&
	       (token_is(w->v, t + 1, ".") || token_is(w->v, t + 1, ":") ||
	        token_is(w->v, t + 1, "::")))
		t += 2;
	return t;
}

/* Behind the word, or where the item begins when another one says it for all in its list. */
static uint32_t after_word(const struct worded *w)
{
	return w->word == REACH_NONE ? view_significant_from(w->v, w->first, w->last)
	                             : behind(w, w->word);
}

/* Of an item that is one pair of brackets, what is between them, if a declaration begins there. */
static void enter_form(struct worded *w)
{
	uint32_t t = view_significant_from(w->v, w->first, w->last);
	uint32_t group = t < w->last ? mends_group_at(w->v, t) : TREE_NONE;
	if (group == TREE_NONE || over(w, t) < w->last || says(w->v, behind(w, t)) == DECLARES_N)
		return;
	w->form = true;
	w->first = behind(w, t);
	w->last = tree_end(&w->v->tree, group) - 1;
}

/* `(t *T)`, `(T)`: a method's own type. */
static void find_receiver(const struct worded *w, uint32_t t)
{
	uint32_t end = over(w, t), n = 0, name = REACH_NONE;
	for (; t < end && n < 2; t++)
		if (is_name(w, t)) {
			name = t;
			n++;
		}
	if (name != REACH_NONE)
		w->item->said.of = reach_text(w->r, name);
}

/* The name behind the word, what it is qualified by left out: `function M.f`, `package body P`,
 * `func (m *M) f`, `function! F`, `\newcommand{\f}`; Fortran's `type(t) :: x` declares no t. */
static uint32_t find_name(const struct worded *w)
{
	uint32_t t = after_word(w), group;
	while (t < w->last &&
	       (w->v->tokens.list[t].kind == TOKEN_KEYWORD || token_is(w->v, t, "!")))
		t = behind(w, t);
	while (t < w->last && (group = mends_group_at(w->v, t)) != TREE_NONE &&
	       (w->form || (w->what != DECLARES_TYPE &&
	                    over(w, behind(w, t)) + 1 == tree_end(&w->v->tree, group))))
		t = behind(w, t);
	if (w->what == DECLARES_FUNCTION && mends_group_at(w->v, t) != TREE_NONE &&
	    is_name(w, over(w, t))) {
		find_receiver(w, t);
		t = over(w, t);
	}
	return is_name(w, t) ? last_joined(w, t) : REACH_NONE;
}

/* The group that the word opens, if it is a bracket. */
static uint32_t word_group(const struct worded *w)
{
	return w->word == REACH_NONE ? TREE_NONE : mends_group_at(w->v, w->word);
}

static bool is_worded_group(const struct view *v, uint32_t group)
{
	const struct tree_node *n = &v->tree.nodes[group];
	uint32_t len;
	const uint8_t *text = token_text(v, n->first, &len);
	return !len || isalpha(*text) || (*text == '{' && view_holds_statements(v, group));
}

/* The brackets that hold what ITEM declares or does; TREE_NONE: there are none. */
static uint32_t find_body(const struct worded *w)
{
	const struct tree_node *nodes = w->v->tree.nodes;
	uint32_t group = word_group(w), found = TREE_NONE;
	if (group != TREE_NONE)
		return group;
	for (uint32_t c = tree_child(nodes, w->item->node); c != TREE_NONE;
	     c = tree_next(&w->v->tree, c))
		if (nodes[c].kind == TREE_GROUP && is_worded_group(w->v, c))
			found = c;
	return found;
}

/* What is left of the group without what its function does. */
static void find_definition(const struct worded *w, uint32_t group)
{
	const struct view *v = w->v;
	const struct tree_node *nodes = v->tree.nodes, *n = &nodes[group];
	uint32_t begin = n->first + 1, child = tree_child(nodes, group);
	if (tree_end(&v->tree, group) < n->first + 2 || tree_end(&v->tree, group) > v->tokens.n)
		return;
	uint32_t at = view_token_begin(v, n->first);
	if (*reach_empty_body(v, at) == v->tc->bytes[at]) {
		w->item->def.stub = reach_empty_body(v, at);
		w->item->def.begin = n->first;
		w->item->def.end = tree_end(&v->tree, group);
		return;
	}
	w->item->def.stub = mends_stand_in(v, group, &w->r->arena);
	if (word_group(w) == group) { /* the first item is the head */
		while (child != TREE_NONE && nodes[child].has_child &&
		       nodes[child + 1].kind == TREE_ITEM)
			child++;
		if (child == TREE_NONE || !nodes[child].has_sep)
			return;
		begin = view_behind(v, child);
	}
	uint32_t end = tree_end(&v->tree, group) - 1;
	if (!w->item->def.stub)
		w->item->def.stub = words_would_glue(v->tc, view_token_begin(v, begin),
		                                     view_token_begin(v, end))
		                            ? " "
		                            : "";
	w->item->def.begin = begin;
	w->item->def.end = end;
}

/* Does one of the tokens from T on say WHAT? */
static bool has_mark(const struct worded *w, uint32_t t, enum declares what)
{
	for (uint32_t n = 0; n < LOOKED_AT && t < w->last; n++, t = over(w, t))
		if (is_said(w->v, t, what))
			return true;
	return false;
}

static void declare_body(const struct worded *w)
{
	const struct view *v = w->v;
	struct reach_item *item = w->item;
	uint32_t body = w->form ? form_body(v, item->node) : TREE_NONE;
	if (body != TREE_NONE) {
		item->def =
			(struct reach_definition){ body, w->last, form_stand_in(v, item->node) };
		return;
	}
	uint32_t group = find_body(w);
	if (group == TREE_NONE)
		return;
	const struct tree_node *n = &v->tree.nodes[group];
	uint32_t bytes = view_node_end(v, group) - view_token_begin(v, n->first);
	item->said.keeps_first = mends_stand_in(v, group, &w->r->arena) != NULL;
	if (w->what == DECLARES_FUNCTION && bytes < v->tc->size / ITS_LENGTH) {
		w->b->code = group;
		find_definition(w, group);
		return;
	}
	item->entries = has_mark(w, after_word(w), DECLARES_WHOLE);
	item->kind = w->what == DECLARES_TYPE || item->entries ? REACH_TYPE : REACH_SPACE;
	item->stays_with_type |= item->said.name == REACH_NONE;
	item->body = group;
	uint32_t record = reach_significant_before(v, n->first);
	if (record != REACH_NONE && says(v, record) == DECLARES_RECORD)
		item->said.holds = DECLARES_RECORD;
}

/* Is the item `const ( ... )`, whose word speaks for all that it holds? Not so `local function ...
 * end`: brackets that are words say something themselves. */
static bool declare_list(const struct worded *w)
{
	const struct tree_node *nodes = w->v->tree.nodes;
	uint32_t group = w->word == REACH_NONE || w->what == DECLARES_FUNCTION
	                         ? TREE_NONE
	                         : mends_group_at(w->v, behind(w, w->word));
	if (group == TREE_NONE || !view_holds_statements(w->v, group) ||
	    isalpha(w->v->tc->bytes[view_token_begin(w->v, nodes[group].first)]))
		return false;
	w->item->kind = REACH_SPACE;
	w->item->body = group;
	w->item->said.holds = (uint8_t)w->what;
	return true;
}

/* What stands in a list without a value has the value of the one before it. */
static void repeat(const struct worded *w)
{
	struct reach *r = w->r;
	for (uint32_t i = r->n; i-- > 0 && i != w->item->parent;) {
		const struct reach_item *before = &r->items[i];
		if (before->parent != w->item->parent)
			continue;
		w->item->said.value = before->said.value == REACH_NONE && before->n_declares
		                              ? r->names[before->declares]
		                              : before->said.value;
		return;
	}
}

/* Names of fields and methods: `a, b int`, `f(int) string`. What is one name only, a type whose
 * fields are meant, stays with the record. */
static void declare_fields(const struct worded *w)
{
	uint32_t t = view_significant_from(w->v, w->first, w->last);
	uint32_t next = is_name(w, t) ? behind(w, last_joined(w, t)) : w->last;
	w->item->stays_with_type = next >= w->last || w->v->tokens.list[next].kind == TOKEN_STRING;
	for (; !w->item->stays_with_type && is_name(w, t); t = behind(w, next)) {
		add(w, t);
		next = behind(w, t);
		if (next >= w->last || !token_is(w->v, next, ","))
			return;
	}
}

/* The name by which what is imported is mentioned: `name "a/path"`, `"a/path"`. */
static void declare_path(const struct worded *w)
{
	uint32_t len, t = after_word(w);
	w->item->said.tied = true;
	if (is_name(w, t)) {
		add(w, t);
		return;
	}
	if (t >= w->last || w->v->tokens.list[t].kind != TOKEN_STRING)
		return;
	const char *name = (const char *)imports_name(w->v, t, &len);
	if (len)
		reach_add_name(w->r, reach_word(w->r, name, len), REACH_ANYWHERE);
}

/* What a type holds: constructors, the names behind marks, = A Int | B, and fields, those that have
 * one behind them: { field :: Int }. */
static void declare_cases(const struct worded *w)
{
	bool comes = false;
	for (uint32_t t = after_word(w); t < w->last; t = behind(w, t)) {
		uint32_t next = behind(w, t);
		bool field = next < w->last && is_said(w->v, next, DECLARES_HEADS) &&
		             !is_said(w->v, next, DECLARES_CASES);
		if (is_name(w, t) && (comes || field))
			add(w, t);
		comes = is_said(w->v, t, DECLARES_CASES);
	}
}

/* `a, b.c = 1, 2`, `a : type := 1`; behind a word that says so `a` alone, too. */
static void declare_variables(const struct worded *w, uint32_t t)
{
	uint32_t names[LOOKED_AT], n = 0;
	if (t < w->last && is_said(w->v, t, DECLARES_HEADS) &&
	    mends_group_at(w->v, t) != TREE_NONE && is_name(w, behind(w, t))) {
		add(w, last_joined(w, behind(w, t)));
		return;
	}
	while (is_name(w, t) && n < LOOKED_AT) {
		names[n] = last_joined(w, t);
		t = behind(w, names[n++]);
		if (t >= w->last || !token_is(w->v, t, ","))
			break;
		t = behind(w, t);
	}
	if (n && t >= w->last && w->word == REACH_NONE && w->what == DECLARES_VARIABLE)
		repeat(w);
	bool given = t < w->last && (is_given(w, t) || token_is(w->v, t, ":"));
	for (uint32_t i = 0; i < n && (given || w->what == DECLARES_VARIABLE); i++)
		add(w, names[i]);
	/* f x y = ..., f(X) -> ... */
	if (n && !given && w->what == DECLARES_N && has_mark(w, t, DECLARES_HEADS))
		add(w, names[0]);
}

/* Of a path its last name: `use a::b`. */
static void declare_all(const struct worded *w)
{
	for (uint32_t t = after_word(w); t < w->last; t = behind(w, t))
		if (is_name(w, t) && (t + 1 >= w->last || !token_is(w->v, t + 1, "::")))
			add(w, t);
}

/* Does the item go on with the next one, or the next one with it? */
static bool is_head(const struct worded *w)
{
	const struct tree_node *n = &w->v->tree.nodes[w->item->node];
	uint32_t first = view_significant_from(w->v, n->first, w->last);
	if (first < w->last && says(w->v, first) == DECLARES_BEFORE)
		return true;
	uint32_t behind = tree_next(&w->v->tree, w->item->node);
	if (behind == TREE_NONE)
		return false;
	const struct tree_node *next = &w->v->tree.nodes[behind];
	uint32_t t = view_significant_from(w->v, next->first, tree_end(&w->v->tree, behind));
	return t < tree_end(&w->v->tree, behind) && says(w->v, t) == DECLARES_AFTER;
}

static bool has_name(const struct worded *w)
{
	for (uint32_t t = w->first; t < w->last; t++)
		if (is_name(w, t))
			return true;
	return false;
}

/* What the word of an item says, and the names that it declares; the name of a function, a type or
 * a space, REACH_NONE: it is none. */
static uint32_t declare_names(struct worded *w)
{
	uint32_t name = w->what <= DECLARES_SPACE ? find_name(w) : REACH_NONE;
	if (w->what == DECLARES_TYPE)
		declare_cases(w);
	if (name != REACH_NONE)
		add(w, name);
	else if (w->what == DECLARES_ALL)
		declare_all(w);
	else if (w->what == DECLARES_PATH)
		declare_path(w);
	else if (w->what == DECLARES_RECORD)
		declare_fields(w);
	else
		declare_variables(w, w->what == DECLARES_VARIABLE
		                             ? after_word(w)
		                             : view_significant_from(w->v, w->first, w->last));
	return name;
}

/* What is declared in the blocks of an item that is no function and no type: `try`, `if`; of those
 * from the one at NODE on. */
static void declare_inside(const struct worded *w, uint32_t node)
{
	const struct tree_node *nodes = w->v->tree.nodes;
	for (uint32_t i = node; i < w->v->tree.n && nodes[i].first < w->last; i++) {
		uint32_t parent = tree_parent(&w->v->tree, i);
		struct worded inner = *w;
		inner.first = nodes[i].first;
		inner.last = tree_end(&w->v->tree, i);
		if (nodes[i].kind != TREE_ITEM || !parent || inner.first >= inner.last ||
		    nodes[parent].kind != TREE_GROUP || !is_worded_group(w->v, parent))
			continue;
		find_word(&inner);
		declare_names(&inner);
	}
}

/* The node of the item with which ITEM begins, if others belong to it. */
static uint32_t first_node(const struct worded *w)
{
	const struct tree_node *nodes = w->v->tree.nodes;
	uint32_t head = w->b->head;
	bool goes_on = head < w->v->tree.n && nodes[head].first == w->first;
	return goes_on ? head : w->item->node;
}

bool reach_declare_worded(struct reach *r, struct reach_item *item, struct reach_building *b)
{
	struct worded w = { .r = r,
		            .item = item,
		            .b = b,
		            .v = r->view,
		            .first = item->first,
		            .last = tree_end(&r->view->tree, item->node) };
	b->is_head = is_head(&w);
	enter_form(&w);
	w.what = item->parent == REACH_NONE ? DECLARES_N : r->items[item->parent].said.holds;
	w.word = REACH_NONE;
	bool said = w.what != DECLARES_N;
	if (!said)
		find_word(&w);
	uint32_t first = view_significant_from(w.v, w.first, w.last);
	if (first < w.last && says(w.v, first) == DECLARES_STAYS) {
		item->kind = REACH_HEAD;
		return true;
	}
	if (declare_list(&w))
		return true;
	item->said.name = declare_names(&w);
	if (item->said.name == REACH_NONE && !said)
		declare_inside(&w, first_node(&w));
	else if (item->said.name != REACH_NONE)
		item->stays_with_type = says(w.v, item->said.name) == DECLARES_CALLED;
	item->overloaded = item->said.name != REACH_NONE && w.what == DECLARES_FUNCTION;
	if (w.what <= DECLARES_SPACE)
		declare_body(&w);
	return r->n_names > item->declares || has_name(&w);
}

/* Does NODE, an item, hold the items of its group and is none itself, as what stands in front of
 * "begin" does? */
bool reach_is_part(const struct view *v, uint32_t node)
{
	uint32_t child = tree_child(v->tree.nodes, node);
	return child != TREE_NONE && view_is_statement(v, child);
}
