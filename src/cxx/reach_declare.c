/* What a declaration declares. An item is looked at as the row of its tokens and groups: what
 * stands inside of groups is none of its business, but for enumerators and pointers to functions.
 */
#include <ctype.h>

#include "base/hash.h"
#include "base/work.h"
#include "cxx/reach_impl.h"
#include "search/mends.h"
#include "edits/significant.h"
#include "edits/words.h"

uint8_t reach_library(const struct reach *r, uint32_t name)
{
	for (uint32_t i = 1; i < r->libraries.n; i++)
		if (r->libraries.names[i] == name)
			return (uint8_t)i;
	return REACH_ANYWHERE;
}

bool reach_is_library(const struct reach *r, uint32_t name)
{
	return reach_library(r, name) != REACH_ANYWHERE;
}

uint8_t reach_library_of(struct reach *r, uint32_t parent)
{
	if (parent == REACH_NONE)
		return 0;
	const struct reach_item *p = &r->items[parent];
	if (p->library || p->kind != REACH_SPACE || !p->n_declares)
		return p->library;
	uint32_t name = r->names[p->declares];
	uint8_t library = reach_library(r, name);
	if (library == REACH_ANYWHERE && r->libraries.n < REACH_ANYWHERE) {
		library = (uint8_t)r->libraries.n;
		r->libraries.names[r->libraries.n++] = name;
	}
	return library;
}

bool reach_is_inline(const struct reach *r, uint32_t i)
{
	const struct reach_item *item = &r->items[i];
	return item->kind == REACH_SPACE && token_is(r->view, item->first, "inline");
}

/* Parts of an inline namespace after the first need not say so. */
static bool was_inline(const struct reach *r, struct reach_building *x, uint32_t space)
{
	uint32_t name = r->names[r->items[space].declares];
	for (uint32_t i = 0; i < x->inlines.n; i++)
		if (x->inlines.names[i] == name)
			return true;
	bool is = reach_is_inline(r, space) && x->inlines.n < REACH_ANYWHERE;
	if (is)
		x->inlines.names[x->inlines.n++] = name;
	return is;
}

uint32_t reach_scope_of(const struct reach *r, struct reach_building *x, uint32_t parent)
{
	if (parent == REACH_NONE)
		return 0;
	const struct reach_item *p = &r->items[parent];
	if (p->kind != REACH_SPACE || !p->n_declares || was_inline(r, x, parent))
		return p->scope;
	const uint32_t path[] = { p->scope, r->names[p->declares] };
	return (uint32_t)hash_bytes(path, sizeof path, 0).lo | 1;
}

static bool declares(const struct reach *r, const struct reach_item *item, uint32_t name)
{
	for (uint32_t i = 0; i < item->n_declares; i++)
		if (r->names[item->declares + i] == name)
			return true;
	return false;
}

static bool is_scope(const struct view *v, uint32_t token)
{
	uint32_t len;
	const uint8_t *text = token == REACH_NONE ? NULL : token_text(v, token, &len);
	return text && len == 2 && text[0] == ':' && text[1] == ':';
}

/* Where ITEM looks for the name of a token: in the library that qualifies it (behind `::` alone in
 * none), else in its own; near the end, where names may be used without saying whose they are,
 * anywhere. */
static uint8_t looks_in(struct reach *r, const struct reach_item *item, uint32_t token)
{
	const struct view *v = r->view;
	uint8_t where = item->begin >= r->tail ? REACH_ANYWHERE : item->library;
	for (uint32_t at = reach_significant_before(v, token); is_scope(v, at);
	     at = reach_significant_before(v, token)) {
		token = reach_significant_before(v, at);
		if (token == REACH_NONE || v->tokens.list[token].kind == TOKEN_KEYWORD)
			return where == REACH_ANYWHERE ? where : 0;
		if (v->tokens.list[token].kind != TOKEN_IDENTIFIER)
			break;
		uint8_t library = reach_library(r, reach_text(r, token));
		if (library != REACH_ANYWHERE)
			where = library;
	}
	return where;
}

/* What a language means by a word without saying it. */
static const char *const implied[][16] = {
	{ "typeid", "type_info" },
	{ "for", "begin", "end", "++", "*", "==", "!=" },
	{ "<=>", "strong_ordering", "weak_ordering", "partial_ordering", "equal", "equivalent",
	  "less", "greater", "unordered" },
	{ "co_await", "coroutine_traits", "coroutine_handle", "await_ready", "await_suspend",
	  "await_resume" },
};

struct mentioner {
	struct reach *r;
	uint32_t n, *seen; /* of a name: where it was added last */
};

/* Once for a place where it is looked for. What the item declares is its own but where it says
 * whose it is: `using ::name`. */
static void mention(struct mentioner *m, const struct reach_item *item, uint32_t name,
                    uint8_t where, bool qualified)
{
	struct reach *r = m->r;
	if (name >= m->n) {
		m->seen = mem_resize(m->seen, r->texts.cap, sizeof *m->seen);
		reach_fill(m->seen + m->n, r->texts.cap - m->n);
		m->n = r->texts.cap;
	}
	uint32_t seen = m->seen[name];
	if (seen >= item->mentions && seen < r->n_names && r->where[seen] == where)
		return;
	bool here = where == item->library || where == REACH_ANYWHERE;
	if (here && (!qualified || item->out_of_line) && declares(r, item, name))
		return;
	m->seen[name] = r->n_names;
	reach_add_name(r, name, where);
}

static void mention_implied(struct mentioner *m, const struct reach_item *item, uint32_t token)
{
	uint32_t len;
	const char *text = (const char *)token_text(m->r->view, token, &len);
	for (size_t i = 0; i < sizeof implied / sizeof *implied; i++) {
		if (strlen(implied[i][0]) != len || memcmp(implied[i][0], text, len))
			continue;
		for (const char *const *word = implied[i] + 1; *word; word++)
			mention(m, item, reach_word(m->r, *word, strlen(*word)), REACH_ANYWHERE,
			        false);
	}
}

/* In a script names are also said in strings, with whatever stands around them there: `:name`,
 * "name". */
static void mention_said(struct mentioner *m, const struct reach_item *item, uint32_t token)
{
	uint32_t len, begin = 0;
	const uint8_t *text = token_text(m->r->view, token, &len);
	while (begin < len && !words_has(text[begin]))
		begin++;
	while (len > begin && !words_has(text[len - 1]))
		len--;
	uint32_t end = begin;
	while (end < len && words_has(text[end]))
		end++;
	if (end == begin || end < len || isdigit(text[begin]))
		return;
	mention(m, item, reach_word(m->r, (const char *)text + begin, end - begin), REACH_ANYWHERE,
	        false);
}

/* The token behind item I. */
static uint32_t end_of(const struct reach *r, uint32_t i)
{
	const struct reach_item *item = &r->items[i];
	return item->kind == REACH_BODY ? item->def.end : tree_end(&r->view->tree, item->node);
}

static void find_mention(struct mentioner *m, const struct reach_item *item, uint32_t t)
{
	const struct view *v = m->r->view;
	uint8_t kind = v->tokens.list[t].kind;
	bool is_operator = kind == TOKEN_OTHER || kind == TOKEN_KEYWORD;
	if (kind == TOKEN_STRING && reach_is_worded(v))
		mention_said(m, item, t);
	if (kind != TOKEN_IDENTIFIER && !is_operator)
		return;
	bool qualified = is_scope(v, reach_significant_before(v, t));
	mention(m, item, reach_text(m->r, t), is_operator ? item->library : looks_in(m->r, item, t),
	        qualified);
	if (is_operator)
		mention_implied(m, item, t);
}

/* Of the tokens that are in no item within it. */
static void find_mentions(struct mentioner *m, uint32_t i)
{
	struct reach *r = m->r;
	struct reach_item *item = &r->items[i];
	uint32_t inner = i + 1, last = end_of(r, i);
	item->mentions = r->n_names;
	for (uint32_t t = item->first; t < last;) {
		work_step(16);
		bool enters = inner < r->n && r->items[inner].first <= t;
		if (!enters)
			find_mention(m, item, t);
		t = enters ? end_of(r, inner) : t + 1;
		inner += enters;
		if (enters)
			inner += MEM_FIRST(r->items + inner, r->n - inner, first, t);
	}
	if (item->said.value != REACH_NONE)
		mention(m, item, item->said.value, REACH_ANYWHERE, false);
	item->n_mentions = r->n_names - item->mentions;
}

void reach_find_mentions(struct reach *r)
{
	struct mentioner m = { .r = r };
	for (uint32_t i = 0; i < r->n; i++)
		find_mentions(&m, i);
	free(m.seen);
}

enum { ROW_MAX = 512 };

struct row {
	const struct view *v;
	bool statement; /* may be an expression: of a function's body, or where there are others */
	bool method;    /* is none, and begins with its name: f(a) { } */
	uint32_t n;
	struct thing {
		uint32_t token; /* the first */
		uint32_t group; /* TREE_NONE: it is a token */
	} things[ROW_MAX];
};

static bool opens_with(const struct view *v, struct thing thing, char opens)
{
	return thing.group != TREE_NONE && v->tc->bytes[view_token_begin(v, thing.token)] == opens;
}

static bool is_group(const struct row *row, uint32_t i, char opens)
{
	return i < row->n && opens_with(row->v, row->things[i], opens);
}

static void row_fill(struct row *row, const struct view *v, const struct reach_item *item)
{
	row->v = v;
	row->n = 0;
	uint32_t last = tree_end(&v->tree, item->node);
	for (uint32_t t = item->first; t < last && row->n < ROW_MAX;) {
		uint32_t group = mends_group_at(v, t);
		row->things[row->n] = (struct thing){ t, group };
		bool directive = row->n && opens_with(v, row->things[row->n], '#');
		row->n += !directive && (group != TREE_NONE || view_token_significant(v, t));
		t = group == TREE_NONE || tree_end(&v->tree, group) <= t
		            ? t + 1
		            : tree_end(&v->tree, group);
	}
}

static uint8_t kind_at(const struct row *row, uint32_t i)
{
	return i < row->n && row->things[i].group == TREE_NONE
	               ? row->v->tokens.list[row->things[i].token].kind
	               : TOKEN_N_KINDS;
}

static bool is_text(const struct row *row, uint32_t i, const char *text)
{
	return i < row->n && row->things[i].group == TREE_NONE &&
	       token_is(row->v, row->things[i].token, text);
}

/* The first thing that is TEXT; n: there is none. */
static uint32_t find_text(const struct row *row, const char *text)
{
	uint32_t i = 0;
	while (i < row->n && !is_text(row, i, text))
		i++;
	return i;
}

static uint32_t find_group(const struct row *row, char opens)
{
	uint32_t i = 0;
	while (i < row->n && !is_group(row, i, opens))
		i++;
	return i;
}

/* Does a type stand before I, as in a declaration and not in an expression? */
static bool is_typed(const struct row *row, uint32_t i)
{
	static const char *const not_types[] = { "return", "throw",  "new",       "delete", "else",
		                                 "goto",   "sizeof", "co_return", "case" };
	if (!i)
		return false;
	for (size_t k = 0; k < sizeof not_types / sizeof *not_types; k++)
		if (is_text(row, i - 1, not_types[k]) || is_text(row, 0, not_types[k]))
			return false;
	uint8_t kind = kind_at(row, i - 1);
	return kind == TOKEN_IDENTIFIER || kind == TOKEN_KEYWORD || is_group(row, i - 1, '<') ||
	       (is_text(row, 0, "func") && is_group(row, i - 1, '(')) ||
	       (i > 1 && (is_text(row, i - 1, "*") || is_text(row, i - 1, "&") ||
	                  is_text(row, i - 1, "&&") || is_text(row, i - 1, ",")));
}

static void add(struct reach *r, const struct row *row, uint32_t i)
{
	if (!row->statement || (!i && row->method) || is_typed(row, i))
		reach_add_name(r, reach_text(r, row->things[i].token), REACH_ANYWHERE);
}

/* The identifier that ends before I, template arguments left out; n: none does. */
static uint32_t name_before(const struct row *row, uint32_t i)
{
	if (i && is_group(row, i - 1, '<'))
		i--;
	return i && kind_at(row, i - 1) == TOKEN_IDENTIFIER ? i - 1 : row->n;
}

/* The name of the parameter list that comes first; n: there is none. */
static uint32_t function_name(const struct row *row, uint32_t stop)
{
	for (uint32_t i = 1; i < stop; i++)
		if (is_group(row, i, '(') && name_before(row, i) < row->n)
			return name_before(row, i);
	return row->n;
}

static void add_qualifier(struct reach *r, struct reach_item *item, const struct row *row,
                          uint32_t name)
{
	if (name && is_text(row, name - 1, "~"))
		name--;
	if (!name || !is_text(row, name - 1, "::") || name_before(row, name - 1) >= row->n)
		return;
	add(r, row, name_before(row, name - 1));
	item->out_of_line = true;
	item->data = !is_group(row, row->n - 1, '{');
}

/* `operator` at OP: of a type it stays with it when no other token says that it is called. */
static void declare_operator(struct reach *r, struct reach_item *item, const struct row *row,
                             uint32_t op)
{
	item->overloaded = true;
	if (kind_at(row, op + 1) == TOKEN_OTHER || kind_at(row, op + 1) == TOKEN_KEYWORD)
		reach_add_name(r, reach_text(r, row->things[op + 1].token), REACH_ANYWHERE);
	else if (kind_at(row, op + 1) == TOKEN_STRING && kind_at(row, op + 2) == TOKEN_IDENTIFIER)
		add(r, row, op + 2);
	else
		item->stays_with_type = true;
	add_qualifier(r, item, row, op);
}

static void declare_function(struct reach *r, struct reach_item *item, const struct row *row,
                             uint32_t name)
{
	item->overloaded = true;
	add(r, row, name);
	add_qualifier(r, item, row, name);
	if (item->parent == REACH_NONE)
		return;
	const struct reach_item *type = &r->items[item->parent];
	uint32_t id = reach_text(r, row->things[name].token);
	for (uint32_t i = 0; i < type->n_declares; i++)
		item->stays_with_type |= r->names[type->declares + i] == id;
}

/* Variables, aliases: what stands before "=", ",", "[", "{", ":" or the end; not behind a "=". */
static void declare_names(struct reach *r, struct reach_item *item, const struct row *row,
                          uint32_t from)
{
	bool value = false;
	for (uint32_t i = from; i < row->n; i++) {
		bool ends = i + 1 == row->n || is_text(row, i + 1, "=") ||
		            is_text(row, i + 1, ",") || is_text(row, i + 1, ":") ||
		            is_group(row, i + 1, '[') || is_group(row, i + 1, '{');
		if (!value && ends && kind_at(row, i) == TOKEN_IDENTIFIER) {
			add(r, row, i);
			if (!is_text(row, 0, "using"))
				add_qualifier(r, item, row, i);
		}
		value = (value || is_text(row, i, "=")) && !is_text(row, i, ",");
	}
}

/* The first identifier in each item between the brackets. */
static void declare_inside(struct reach *r, const struct view *v, uint32_t group)
{
	for (uint32_t c = tree_child(v->tree.nodes, group); c != TREE_NONE;
	     c = tree_next(&v->tree, c))
		for (uint32_t t = v->tree.nodes[c].first; t < tree_end(&v->tree, c); t++)
			if (v->tokens.list[t].kind == TOKEN_IDENTIFIER) {
				reach_add_name(r, reach_text(r, t), REACH_ANYWHERE);
				break;
			}
}

static bool holds_statements(const struct view *v, uint32_t group)
{
	uint32_t c = tree_child(v->tree.nodes, group);
	return c == TREE_NONE || view_is_statement(v, c);
}

/* A type, a namespace, an enumeration: named before its bases and its body, which stands at
 * BODY. */
static void declare_type(struct reach *r, struct reach_item *item, const struct row *row,
                         uint32_t body)
{
	uint32_t group = row->things[body].group;
	bool space = find_text(row, "namespace") < body || find_text(row, "extern") < body;
	uint32_t colon = find_text(row, ":"), name = body < colon ? body : colon;
	while (name && kind_at(row, name - 1) != TOKEN_IDENTIFIER)
		name--;
	if (name)
		add(r, row, name - 1);
	else
		item->stays_with_type = true;
	item->overloaded = is_group(row, name, '<');
	item->special = item->overloaded;
	if (holds_statements(row->v, group)) {
		item->kind = space ? REACH_SPACE : REACH_TYPE;
		item->body = group;
	} else
		declare_inside(r, row->v, group);
	declare_names(r, item, row, body + 1);
}

static bool declare_directive(struct reach *r, struct reach_item *item, uint32_t group)
{
	const struct view *v = r->view;
	uint32_t len;
	const uint8_t *text = token_text(v, v->tree.nodes[group].first, &len);
	uint32_t at = 1;
	while (at < len && (text[at] == ' ' || text[at] == '\t'))
		at++;
	if (at < len && text[at] >= '0' && text[at] <= '9') {
		item->kind = REACH_MARKER;
		return true;
	}
	if (len - at != 6 || memcmp(text + at, "define", 6))
		return false;
	declare_inside(r, v, group);
	return true;
}

/* `(*name)`, as in a pointer to a function. */
static bool is_pointer(const struct row *row, uint32_t group)
{
	uint32_t t = row->v->tree.nodes[row->things[group].group].first + 1;
	while (t < row->v->tokens.n && !view_token_significant(row->v, t))
		t++;
	return token_is(row->v, t, "*") || token_is(row->v, t, "&") || token_is(row->v, t, "^");
}

/* Data of a type, on which its layout depends, and whom it befriends. */
static bool is_data(const struct row *row)
{
	static const char *const others[] = { "typedef",  "using",  "static",
		                              "template", "extern", "static_assert" };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (is_text(row, 0, others[i]))
			return false;
	return true;
}

/* An explicit instantiation. */
static bool is_instance(const struct row *row)
{
	uint32_t at = is_text(row, 0, "extern");
	return is_text(row, at, "template") && !is_group(row, at + 1, '<');
}

/* Are the braces at I those of `requires { }`? */
static bool is_required(const struct row *row, uint32_t i)
{
	i -= i && is_group(row, i - 1, '(');
	return i && is_text(row, i - 1, "requires");
}

/* Does the next item go on with it? So it is when a directive stands within a declaration, and
 * behind what a template requires in braces. */
static bool is_head(const struct row *row, uint32_t node)
{
	const struct view *v = row->v;
	uint32_t last = row->n - 1;
	bool body = is_group(row, last, '{');
	uint32_t sep = tree_separator(&v->tree, v->tokens.list, node);
	bool ends =
		v->tree.nodes[node].has_sep && view_token_begin(v, sep) < view_token_end(v, sep);
	if (ends || !body)
		return !ends;
	if (!last || !is_text(row, 0, "template") || find_text(row, "=") < row->n)
		return false;
	return is_required(row, last);
}

/* The group in braces that is its body; n: it has none. */
static uint32_t find_body(const struct row *row)
{
	for (uint32_t i = 0; i < row->n; i++)
		if (is_group(row, i, '{') && (i + 1 == row->n || !is_required(row, i)))
			return i;
	return row->n;
}

/* Some functions cannot do without their bodies. */
static bool must_define(const struct row *row, bool constexpr_too)
{
	static const char *const asked[] = { "consteval", "try", "constexpr" };
	for (size_t i = 0; i < sizeof asked / sizeof *asked - constexpr_too; i++)
		if (find_text(row, asked[i]) < row->n)
			return true;
	uint32_t value = find_text(row, "=");
	if (value < row->n && (!value || !is_text(row, value - 1, "operator")))
		return true;
	bool of_template = is_text(row, 0, "template") || find_text(row, "requires") < row->n;
	if (of_template && find_text(row, "friend") < row->n)
		return true;
	return find_text(row, "auto") < row->n && find_text(row, "->") == row->n;
}

/* Where what a function is defined by begins, initializers included. It is not left out of
 * functions of which more is asked than that they are there. */
static uint32_t find_definition(const struct row *row, bool constexpr_too)
{
	if (!is_group(row, row->n - 1, '{') || is_required(row, row->n - 1) ||
	    find_group(row, '(') == row->n || must_define(row, constexpr_too))
		return REACH_NONE;
	uint32_t colon = find_text(row, ":");
	return row->things[colon < row->n ? colon : row->n - 1].token;
}

/* The same in other languages than C, also of a function that is a value: a.b = function () { }. */
static uint32_t find_other_definition(const struct row *row)
{
	uint32_t last = row->n - 1;
	bool block = is_group(row, last, '{') && holds_statements(row->v, row->things[last].group);
	bool function = last && (is_group(row, last - 1, '(') || is_text(row, last - 1, "=>"));
	bool named = find_group(row, '(') < last && find_text(row, "=") == row->n;
	bool word = kind_at(row, 0) == TOKEN_KEYWORD && is_group(row, 1, '('); /* while (a) { } */
	return block && !word && (function || named) ? row->things[last].token : REACH_NONE;
}

/* NAME: as of function_name. */
static void declare_variables(struct reach *r, struct reach_item *item, const struct row *row,
                              uint32_t name)
{
	uint32_t value = find_text(row, "="), group = find_group(row, '(');
	if (group < value && is_pointer(row, group))
		declare_inside(r, r->view, row->things[group].group);
	else if (name < row->n)
		add(r, row, name);
	declare_names(r, item, row, 0);
	item->overloaded = is_text(row, 0, "using") && value == row->n;
	item->stays_with_type = is_data(row);
	if (!reach_is_forward(r))
		item->def.begin = find_other_definition(row);
}

/* Of an item that may have a body: which group that is, and where what it is defined by begins. */
static void find_code(const struct reach *r, struct reach_item *item, const struct row *row,
                      struct reach_building *b)
{
	uint32_t last = row->n - 1;
	if (item->kind != REACH_PLAIN)
		return;
	if (is_group(row, last, '{') && find_text(row, "=") == row->n &&
	    holds_statements(r->view, row->things[last].group))
		b->code = row->things[last].group;
	if (!item->out_of_line)
		item->def.begin = reach_is_forward(r) ? find_definition(row, r->bodies)
		                                      : find_other_definition(row);
}

bool reach_declare(struct reach *r, struct reach_item *item, struct reach_building *b)
{
	struct row row;
	item->def.stub = reach_empty_body(r->view, item->begin);
	item->def.end = tree_end(&r->view->tree, item->node);
	if (reach_is_worded(r->view))
		return reach_declare_worded(r, item, b);
	b->is_head = false;
	row_fill(&row, r->view, item);
	row.statement = (item->parent != REACH_NONE && r->items[item->parent].kind == REACH_CODE) ||
	                !reach_is_forward(r);
	row.method =
		!reach_is_forward(r) && is_group(&row, row.n - 1, '{') && is_group(&row, 1, '(');
	if (!row.n)
		return false;
	if (is_group(&row, 0, '#'))
		return declare_directive(r, item, row.things[0].group);
	b->is_head = is_head(&row, item->node);
	uint32_t value = find_text(&row, "="), body = find_body(&row);
	uint32_t op = find_text(&row, "operator");
	if (row.n == ROW_MAX)
		return false;
	if (is_text(&row, 0, "static_assert") || is_text(&row, 0, "_Static_assert"))
		return true;
	uint32_t name = function_name(&row, value < body ? value : body);
	item->instance = is_instance(&row);
	if (op < value && op < body)
		declare_operator(r, item, &row, op);
	else if (name < row.n && !is_text(&row, 0, "typedef"))
		declare_function(r, item, &row, name);
	else if (body < value)
		declare_type(r, item, &row, body);
	else if (is_text(&row, 0, "friend"))
		return true;
	else {
		declare_variables(r, item, &row, name);
		return true;
	}
	find_code(r, item, &row, b);
	return true;
}
