/* What the tail mentions of the front. */

#include "cxx/stub_text.h"
#include "edits/significant.h"

/* What a name is in front of the tail. */

enum stub_kind {
	STUB_UNKNOWN,
	STUB_TYPE,
	STUB_NUMBER,
	STUB_FUNCTION,
	STUB_DATA,
	STUB_CONCEPT,
	STUB_N_KINDS
};

enum { MOST = 256, FOLLOWED = 4 };

static bool is_one_of(const struct view *v, uint32_t token, const char *const *words)
{
	while (*words && !token_is(v, token, *words))
		words++;
	return *words;
}

/* Behind `template <...>`, as often as that stands there. */
static uint32_t skip_template(const struct view *v, uint32_t token, uint32_t last)
{
	while (token < last && token_is(v, token, "template")) {
		int depth = 0;
		do {
			token = view_significant_from(v, token + 1, last);
			if (token >= last)
				break;
			depth += token_is(v, token, "<") - token_is(v, token, ">") -
			         2 * token_is(v, token, ">>");
		} while (depth > 0);
		if (token < last)
			token = view_significant_from(v, token + 1, last);
	}
	return token;
}

/* The name that [token, last) consists of, if it is one; *WORDS: it is of keywords alone. */
static uint32_t only_name(const struct reach *r, uint32_t token, uint32_t last, bool *words)
{
	uint32_t name = REACH_NONE;
	bool other = false;
	const struct view *v = r->view;
	*words = token < last;
	for (; token < last; token = view_significant_from(v, token + 1, last)) {
		bool is_name = v->tokens.list[token].kind == TOKEN_IDENTIFIER;
		*words = *words && v->tokens.list[token].kind == TOKEN_KEYWORD;
		other |= !is_name && !token_is(v, token, "::");
		name = is_name ? reach_name_at(r, token) : name;
	}
	return other ? REACH_NONE : name;
}

struct lookup {
	const struct reach *r;
	uint32_t tail;
	const char *text;
	uint32_t len;
};

static enum stub_kind look_up(struct lookup *l, uint32_t name, int followed);

/* [begin, end) is what a name stands for. */
static enum stub_kind kind_of_alias(struct lookup *l, uint32_t begin, uint32_t end, int followed)
{
	const struct view *v = l->r->view;
	bool words;
	uint32_t to = only_name(l->r, begin, end, &words);
	if (words) {
		uint32_t at = view_token_begin(v, begin), last = end;
		while (last > begin && !view_token_significant(v, last - 1))
			last--;
		l->text = (const char *)v->tc->bytes + at;
		l->len = view_token_begin(v, last) - at;
		return STUB_NUMBER;
	}
	bool follows = to != REACH_NONE && followed < FOLLOWED;
	return follows && look_up(l, to, followed + 1) == STUB_NUMBER ? STUB_NUMBER : STUB_TYPE;
}

static uint32_t find_name(const struct reach *r, uint32_t token, uint32_t last, uint32_t name,
                          const char *const *stop)
{
	while (token < last && reach_name_at(r, token) != name && !is_one_of(r->view, token, stop))
		token = view_significant_from(r->view, token + 1, last);
	return token;
}

/* Is NAME the last word of [token, last), and so what a typedef defines? */
static bool is_typedef_name(const struct reach *r, uint32_t token, uint32_t last, uint32_t name)
{
	uint32_t word = REACH_NONE;
	for (; token < last; token = view_significant_from(r->view, token + 1, last))
		word = reach_name_at(r, token) != REACH_NONE ? reach_name_at(r, token) : word;
	return word == name;
}

/* ITEM declares NAME. */
static enum stub_kind kind_in(struct lookup *l, const struct reach_item *item, uint32_t name,
                              int followed)
{
	static const char *const types[] = { "class", "struct", "union", "enum", NULL };
	static const char *const body[] = { "{", NULL };
	const struct reach *r = l->r;
	const struct view *v = r->view;
	uint32_t last = tree_end(&v->tree, item->node);
	uint32_t first = skip_template(v, item->first, last);
	uint32_t t = find_name(r, first, last, name, types);
	if (t >= last)
		return STUB_UNKNOWN;
	uint32_t next = view_significant_from(v, t + 1, last);
	if (token_is(v, first, "concept"))
		return STUB_CONCEPT;
	if (token_is(v, first, "typedef") && reach_name_at(r, t) != name &&
	    token_is(v, t, "enum") && !is_typedef_name(r, t, last, name))
		return STUB_DATA;
	if (token_is(v, first, "typedef"))
		return kind_of_alias(l, view_significant_from(v, first + 1, last), t, followed);
	if (token_is(v, first, "using"))
		return next < last && token_is(v, next, "=")
		               ? kind_of_alias(l, view_significant_from(v, next + 1, last), last,
		                               followed)
		               : STUB_UNKNOWN;
	if (reach_name_at(r, t) != name) {
		t = find_name(r, t, last, name, body);
		bool value = token_is(v, first, "enum") && t < last && reach_name_at(r, t) != name;
		return value ? STUB_DATA : STUB_TYPE;
	}
	return next < last && (token_is(v, next, "(") || token_is(v, next, "<")) ? STUB_FUNCTION
	                                                                         : STUB_DATA;
}

/* A type before anything else. */
static enum stub_kind look_up(struct lookup *l, uint32_t name, int followed)
{
	uint32_t n[STUB_N_KINDS] = { 0 };
	const struct reach *r = l->r;
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
		const struct reach_item *item = &r->items[r->by[k]];
		if (item->begin >= l->tail || item->kind == REACH_SPACE)
			continue;
		uint32_t weight = reach_is_member(r, r->by[k]) ? 1 : MOST;
		n[kind_in(l, item, name, followed)] += weight;
	}
	enum stub_kind most = STUB_UNKNOWN;
	for (int kind = STUB_TYPE; kind < STUB_N_KINDS; kind++)
		most = n[kind] > (most ? n[most] : 0) ? (enum stub_kind)kind : most;
	return n[STUB_TYPE] >= MOST && most != STUB_NUMBER ? STUB_TYPE : most;
}

/* What NAME is in front of the tail; a STUB_NUMBER has *ITS of *LEN bytes in the source for the
 * type. */
static enum stub_kind stub_front_kind(const struct reach *r, uint32_t tail, uint32_t name,
                                      const char **its, uint32_t *len)
{
	struct lookup l = { .r = r, .tail = tail };
	enum stub_kind kind = look_up(&l, name, 0);
	*its = l.text;
	*len = l.len;
	return kind;
}

/* Is NAME declared in front of the tail, where a name without qualifiers finds it? */
static bool stub_in_front(const struct reach *r, uint32_t tail, uint32_t name, bool anywhere)
{
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
		const struct reach_item *item = &r->items[r->by[k]];
		bool is_found = anywhere || !item->library;
		if (item->begin < tail && is_found && !reach_is_member(r, r->by[k]) &&
		    item->kind != REACH_SPACE)
			return true;
	}
	return false;
}

/* Is NAME a namespace in front of the tail? */
static bool stub_space_in_front(const struct reach *r, uint32_t tail, uint32_t name)
{
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
		const struct reach_item *item = &r->items[r->by[k]];
		if (item->begin < tail && item->kind == REACH_SPACE)
			return true;
	}
	return false;
}

enum {
	TAIL_MOST = 64 << 10,
	LIBRARY = 32, /* a library has at least one part in so many of the file */
};

/* Where a name is declared. */
enum own {
	OWN_NOT,
	OWN_TAIL,  /* in the tail, perhaps in front, too */
	OWN_SPACE, /* a namespace of both */
	OWN_ALIAS, /* in the tail, but it stands for a namespace of the front */
};

struct finder {
	struct stub_row row;
	struct stubs *out;
	uint32_t cap;
	uint8_t *own;  /* by name: enum own */
	bool *value;   /* by name: stands for a value among template parameters of the tail */
	bool anywhere; /* `using namespace` stands in the tail */
	struct stub_names names;
};

/* Where the last declaration of a library ends, and then that of the file itself which holds it. */
static uint32_t find_tail(const struct reach *r)
{
	uint32_t bytes[REACH_ANYWHERE + 1] = { 0 }, end[REACH_ANYWHERE + 1] = { 0 }, own = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct reach_item *item = &r->items[i];
		uint32_t outer = i;
		if (!item->library || item->kind == REACH_SPACE)
			continue;
		bytes[item->library] += item->end - item->begin;
		while (r->items[outer].parent != REACH_NONE)
			outer = r->items[outer].parent;
		end[item->library] = r->items[outer].end;
	}
	for (uint32_t i = 1; i < r->libraries.n; i++)
		if (bytes[i] > r->view->tc->size / LIBRARY && end[i] > own)
			own = end[i];
	uint32_t i = 0;
	while (i < r->n && (r->items[i].begin < own || r->items[i].kind == REACH_MARKER))
		i++;
	return own && i < r->n && r->view->tc->size - r->items[i].begin <= TAIL_MOST
	               ? r->items[i].begin
	               : 0;
}

static void fill_row(struct stub_row *row, struct arena *arena)
{
	const struct view *v = row->v;
	uint32_t first = v->tokens.n, n = 0;
	while (first && view_token_begin(v, first - 1) >= row->tail)
		first--;
	size_t size = (v->tokens.n - first + (size_t)1) * sizeof(uint32_t);
	uint32_t *at = arena_alloc(arena, size);
	row->token = arena_alloc(arena, size);
	row->past = arena_alloc(arena, size);
	for (uint32_t t = first; t < v->tokens.n; t++) {
		at[t - first] = n;
		row->past[n] = n + 1;
		row->token[n] = t;
		n += view_token_significant(v, t);
	}
	at[v->tokens.n - first] = row->n = n;
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *node = &v->tree.nodes[i];
		if (node->kind == TREE_GROUP && node->first >= first &&
		    node->first < tree_end(&v->tree, i) &&
		    row->past[at[node->first - first]] == at[node->first - first] + 1)
			row->past[at[node->first - first]] = at[tree_end(&v->tree, i) - first];
	}
}

static bool is_any(const struct stub_row *row, uint32_t i, const char *const *words)
{
	while (*words && !stub_is(row, i, *words))
		words++;
	return *words;
}

/* Does a name stand at I as in a declaration: behind a type, and before what ends a declarator? */
static bool is_declarator(const struct stub_row *row, uint32_t i)
{
	static const char *const not_types[] = { "return",   "throw",    "new",      "delete",
		                                 "else",     "goto",     "sizeof",   "case",
		                                 "do",       "typename", "template", "co_return",
		                                 "co_await", NULL };
	static const char *const before[] = { ">", "*", "&", "&&", "...", "[", ">>", NULL };
	static const char *const after[] = {
		",", ")", ";", "=", "(", "{", "[", ":", ">", "]", NULL
	};
	if (!i || is_any(row, i - 1, not_types) || !is_any(row, i + 1, after))
		return false;
	return stub_is_name(row, i - 1) || is_any(row, i - 1, before) ||
	       row->v->tokens.list[row->token[i - 1]].kind == TOKEN_KEYWORD;
}

/* Names that are also declared in the tail, and namespaces of it alone. */
static void find_own(struct finder *f)
{
	const struct reach *r = f->row.r;
	for (uint32_t i = 0; i < r->n; i++)
		for (uint32_t k = 0; k < r->items[i].n_declares; k++) {
			uint8_t *own = &f->own[r->names[r->items[i].declares + k]];
			if (r->items[i].kind == REACH_SPACE)
				*own = *own == OWN_SPACE || r->items[i].begin < f->row.tail
				               ? OWN_SPACE
				               : OWN_TAIL;
			else if (r->items[i].begin >= f->row.tail)
				*own = *own ? *own : OWN_TAIL;
		}
	for (uint32_t i = 0; i < f->row.n; i++) {
		f->anywhere |= stub_is(&f->row, i, "using") && stub_is(&f->row, i + 1, "namespace");
		uint32_t name = stub_name(&f->row, i);
		if (name != REACH_NONE && !f->own[name] && is_declarator(&f->row, i))
			f->own[name] = OWN_TAIL;
	}
}

/* Behind `namespace NAME = SPACE;`, when that stands at I and SPACE is one of a library; else 0. */
static uint32_t end_of_alias(const struct finder *f, uint32_t i)
{
	const struct stub_row *row = &f->row;
	if (!stub_is(row, i, "namespace") || !stub_is_name(row, i + 1) || !stub_is(row, i + 2, "="))
		return 0;
	uint32_t space = i + 3 + stub_is(row, i + 3, "::"), end = space;
	uint32_t name = stub_name(row, space);
	while (end < row->n && !stub_is(row, end, ";"))
		end++;
	bool of_front =
		name != REACH_NONE && (reach_is_library(row->r, name) || f->own[name] == OWN_ALIAS);
	return of_front && end < row->n ? end + 1 : 0;
}

static void find_aliases(struct finder *f)
{
	for (uint32_t i = 0; i < f->row.n; i++)
		if (end_of_alias(f, i) && stub_name(&f->row, i + 1) != REACH_NONE)
			f->own[stub_name(&f->row, i + 1)] = OWN_ALIAS;
}

/* Is the word at I an arithmetic type, or `auto`, and no concept? */
static bool is_value_type(const struct stub_row *row, uint32_t i)
{
	static const char *const of_types[] = { "class", "typename", NULL };
	const char *its;
	uint32_t len, name = stub_name(row, i);
	if (row->v->tokens.list[row->token[i]].kind == TOKEN_KEYWORD)
		return !is_any(row, i, of_types);
	return name != REACH_NONE &&
	       stub_front_kind(row->r, row->tail, name, &its, &len) == STUB_NUMBER;
}

static void find_values(struct finder *f)
{
	const struct stub_row *row = &f->row;
	for (uint32_t i = 0; i + 1 < row->n; i++)
		for (uint32_t k = i + 2; stub_is(row, i, "template") &&
		                         stub_opens(row, i + 1, '<') && k < row->past[i + 1];
		     k++)
			if (stub_name(row, k) != REACH_NONE && is_value_type(row, k - 1))
				f->value[stub_name(row, k)] = true;
}

/* The end of the name at I, with qualifiers and template arguments; *LAST: its last identifier. */
static uint32_t end_of_name(const struct stub_row *row, uint32_t i, uint32_t *last)
{
	i += stub_is(row, i, "::");
	while (stub_is_name(row, i)) {
		*last = i++;
		if (stub_opens(row, i, '<'))
			i = row->past[i];
		uint32_t next = i + 1 + stub_is(row, i + 1, "template");
		if (!stub_is(row, i, "::") || !stub_is_name(row, next))
			break;
		i = next;
	}
	return i;
}

static bool is_of_front(const struct finder *f, uint32_t i, uint32_t last)
{
	const struct stub_row *row = &f->row;
	uint32_t first = i + stub_is(row, i, "::"), name = stub_name(row, first);
	if (name == REACH_NONE || f->own[name] == OWN_TAIL)
		return false;
	if (f->own[name] == OWN_ALIAS)
		return true;
	bool qualified = first != last || first != i;
	if (qualified)
		return first != i || reach_is_library(row->r, name) ||
		       (f->anywhere && stub_space_in_front(row->r, row->tail, name));
	return stub_in_front(row->r, row->tail, name, f->anywhere);
}

static bool begins_name(const struct stub_row *row, uint32_t i)
{
	bool starts = stub_is_name(row, i) || (stub_is(row, i, "::") && stub_is_name(row, i + 1));
	if (!starts || !i)
		return starts;
	static const char *const goes_on[] = { ".", "->", "~", NULL };
	if (is_any(row, i - 1, goes_on) || (stub_is(row, i - 1, "::") && stub_is_name(row, i)))
		return false;
	bool template = i > 1 && stub_is(row, i - 1, "template");
	static const char *const scope[] = { ".", "->", "::", NULL };
	return !(template && is_any(row, i - 2, scope)) &&
	       !(stub_is(row, i, "::") && (stub_is_name(row, i - 1) || stub_is(row, i - 1, ">")));
}

static struct stub_mention *add(struct finder *f, uint32_t begin, uint32_t end, uint32_t name,
                                const char *text)
{
	struct stubs *out = f->out;
	if (out->n == f->cap) {
		struct stub_mention *old = out->mentions;
		f->cap = f->cap ? 2 * f->cap : 64;
		out->mentions = arena_alloc(&out->arena, f->cap * sizeof *out->mentions);
		if (out->n)
			memcpy(out->mentions, old, out->n * sizeof *out->mentions);
	}
	out->mentions[out->n] =
		(struct stub_mention){ .begin = view_token_begin(f->row.v, f->row.token[begin]),
		                       .end = view_token_end(f->row.v, f->row.token[end - 1]),
		                       .name = name,
		                       .len = (uint32_t)strlen(text),
		                       .text = text };
	return &out->mentions[out->n++];
}

static const char *keep_text(struct finder *f, const char *text, size_t len)
{
	char *copy = arena_alloc(&f->out->arena, len + 1);
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

/* `using namespace std;` and the like go as a whole. */
static bool add_using(struct finder *f, uint32_t i, uint32_t end, uint32_t name)
{
	const struct stub_row *row = &f->row;
	uint32_t first = i && stub_is(row, i - 1, "namespace") ? i - 1 : i;
	if (!first || !stub_is(row, first - 1, "using") || !stub_is(row, end, ";"))
		return false;
	add(f, first - 1, end + 1, name, "");
	return true;
}

/* Are the template arguments at I types, as far as that can be seen? */
static bool are_types(const struct finder *f, uint32_t i)
{
	const struct stub_row *row = &f->row;
	for (uint32_t k = i; k < row->past[i]; k++) {
		uint8_t kind = row->v->tokens.list[row->token[k]].kind;
		uint32_t name = stub_name(row, k);
		if (kind == TOKEN_NUMBER || kind == TOKEN_STRING || stub_opens(row, k, '{') ||
		    (name != REACH_NONE && f->value[name]) || stub_is(row, k, "true") ||
		    stub_is(row, k, "false"))
			return false;
	}
	return true;
}

/* What takes the place of a concept at [I, END): in front of a parameter, of `auto`, or in a
 * condition. */
static const char *concept_text(const struct stub_row *row, uint32_t i, uint32_t end)
{
	bool begins = i && (stub_is(row, i - 1, "<") || stub_is(row, i - 1, ","));
	bool named = stub_is_name(row, end) || stub_is(row, end, "...");
	return stub_is(row, end, "auto") ? "" : begins && named ? "class" : "true";
}

static void add_mention(struct finder *f, uint32_t i, uint32_t end, uint32_t last)
{
	const struct stub_row *row = &f->row;
	uint32_t name = stub_name(row, last), len = 0;
	const char *its = NULL;
	if (add_using(f, i, end, name))
		return;
	enum stub_kind kind = stub_front_kind(row->r, row->tail, name, &its, &len);
	bool called = stub_opens(row, end, '(');
	bool typed = stub_is_name(row, end) || stub_opens(row, end, '{') ||
	             (i && stub_is(row, i - 1, "typename"));
	uint32_t first = i - (i && stub_is(row, i - 1, "typename"));
	const char *type = f->names.type, *object = f->names.object;
	if (kind == STUB_CONCEPT)
		add(f, first, end, name, concept_text(row, i, end));
	else if (kind == STUB_NUMBER && !called)
		add(f, first, end, name, keep_text(f, its, len));
	else if (typed || kind == STUB_TYPE || (kind == STUB_UNKNOWN && !called)) {
		struct stub_mention *m = add(f, first, end, name, keep_text(f, type, 1));
		if (first == i && kind == STUB_TYPE && row->past[last + 1] == end &&
		    stub_opens(row, last + 1, '<') && are_types(f, last + 1))
			m->args = view_token_begin(row->v, row->token[last + 1]);
	} else
		add(f, i, end, name, keep_text(f, (char[]){ *type, ':', ':', *object }, 4));
}

/* A letter that does not occur as a word in the tail; false when all do. */
static bool free_letter(const struct stub_row *row, char first, char *out)
{
	char from = *out ? (char)(*out + 1) : first;
	for (char letter = from; letter < first + 26; letter++) {
		const char word[] = { letter, '\0' };
		uint32_t i = 0;
		while (i < row->n && !stub_is(row, i, word))
			i++;
		if (i < row->n)
			continue;
		memcpy(out, word, 2);
		return true;
	}
	return false;
}

static bool find_names(const struct stub_row *row, struct stub_names *n)
{
	bool found = free_letter(row, 'A', n->type) && free_letter(row, 'a', n->object);
	memcpy(n->derived, n->type, sizeof n->type);
	return found && free_letter(row, 'A', n->derived);
}

/* The language itself makes one of what stands in braces; it is declared by itself. */
static bool is_list(const struct stub_row *row, uint32_t i, uint32_t last)
{
	return stub_is(row, i, "std") && last == i + 2 && stub_is(row, last, "initializer_list");
}

/* `override` behind a function's parameters, which there is nothing to override for. */
static bool is_override(const struct stub_row *row, uint32_t i)
{
	static const char *const after[] = { ";", "{", "=", "final", NULL };
	return i && stub_is(row, i, "override") && is_any(row, i + 1, after);
}

/* The name of the stub whose object is made of a number at I, which it can do without; REACH_NONE:
 * nothing like that stands there. */
static uint32_t made_of_number(const struct finder *f, uint32_t i)
{
	const struct stub_row *row = &f->row;
	if (i < 2 || i + 2 >= row->n || !stub_is(row, i, "=") || !stub_is_name(row, i - 1) ||
	    row->v->tokens.list[row->token[i + 1]].kind != TOKEN_NUMBER ||
	    !stub_is(row, i + 2, ";"))
		return REACH_NONE;
	uint32_t end = view_token_end(row->v, row->token[i - 2]);
	for (uint32_t k = f->out->n; k-- > 0;) {
		const struct stub_mention *m = &f->out->mentions[k];
		if (m->end == end)
			return m->len == 1 && *m->text == *f->names.type ? m->name : REACH_NONE;
	}
	return REACH_NONE;
}

static void find_mentions(struct finder *f)
{
	struct stub_row *row = &f->row;
	for (uint32_t i = 0; i < row->n; i++) {
		uint32_t last = i, alias = end_of_alias(f, i);
		if (stub_opens(row, i, '#'))
			i = row->past[i] - 1;
		else if (alias) {
			add(f, i, alias, stub_name(row, i + 1), "");
			i = alias - 1;
		} else if (made_of_number(f, i) != REACH_NONE)
			add(f, i, i + 2, made_of_number(f, i), "");
		else if (is_override(row, i))
			add(f, i, i + 1, REACH_NONE, "");
		else if (begins_name(row, i)) {
			uint32_t end = end_of_name(row, i, &last);
			if (is_of_front(f, i, last) && !is_list(row, i, last))
				add_mention(f, i, end, last);
		}
	}
}

void stubs_find(const struct reach *r, struct stubs *out)
{
	*out = (struct stubs){ .tail = 0 };
	struct finder f = { .row = { .r = r, .v = r->view, .tail = find_tail(r) }, .out = out };
	if (!f.row.tail || strcmp(tokenizer_name(r->view->tokenizer), "c") != 0)
		return;
	ARENA_SCOPED struct arena scratch = { 0 };
	fill_row(&f.row, &scratch);
	f.own = mem_zero(r->texts.n + (size_t)1, 1);
	f.value = mem_zero(r->texts.n + (size_t)1, sizeof *f.value);
	find_own(&f);
	find_aliases(&f);
	find_values(&f);
	if (f.row.n && find_names(&f.row, &f.names)) {
		out->tail = f.row.tail;
		out->name = keep_text(&f, f.names.derived, 1);
		find_mentions(&f);
		for (int form = 0; form < STUB_FORMS; form++)
			out->declaration[form] = stub_declaration(
				&f.row, &f.names, (enum stub_form)form, &out->arena);
	}
	free(f.own);
	free(f.value);
}

void stubs_release(struct stubs *stubs)
{
	arena_release(&stubs->arena);
	*stubs = (struct stubs){ .tail = 0 };
}
