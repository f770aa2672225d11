/* What a name is in front of the tail. */
#include <string.h>

#include "edits/solid.h"
#include "cxx/stub_impl.h"

enum { MOST = 256, FOLLOWED = 4 };

static bool is_any(const struct view *v, uint32_t token, const char *const *words)
{
	while (*words && !token_is(v, token, *words))
		words++;
	return *words;
}

static uint32_t next_solid(const struct view *v, uint32_t token, uint32_t last)
{
	do
		token++;
	while (token < last && !view_token_solid(v, token));
	return token;
}

/* Behind `template <...>`, as often as that stands there. */
static uint32_t skip_template(const struct view *v, uint32_t token, uint32_t last)
{
	while (token < last && token_is(v, token, "template")) {
		int depth = 0;
		do {
			token = next_solid(v, token, last);
			if (token >= last)
				break;
			depth += token_is(v, token, "<") - token_is(v, token, ">") -
			         2 * token_is(v, token, ">>");
		} while (depth > 0);
		if (token < last)
			token = next_solid(v, token, last);
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
	for (; token < last; token = next_solid(v, token, last)) {
		bool is_name = v->tokens.list[token].kind == TOKEN_IDENTIFIER;
		*words = *words && v->tokens.list[token].kind == TOKEN_KEYWORD;
		other |= !is_name && !token_is(v, token, "::");
		name = is_name ? r->name_at[token] : name;
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
		uint32_t at = v->tokens.list[begin].begin, last = end;
		while (last > begin && !view_token_solid(v, last - 1))
			last--;
		l->text = (const char *)v->tc->bytes + at;
		l->len = v->tokens.list[last].begin - at;
		return STUB_NUMBER;
	}
	bool follows = to != REACH_NONE && followed < FOLLOWED;
	return follows && look_up(l, to, followed + 1) == STUB_NUMBER ? STUB_NUMBER : STUB_TYPE;
}

static uint32_t find_name(const struct reach *r, uint32_t token, uint32_t last, uint32_t name,
                          const char *const *stop)
{
	while (token < last && r->name_at[token] != name && !is_any(r->view, token, stop))
		token = next_solid(r->view, token, last);
	return token;
}

/* Is NAME the last word of [token, last), and so what a typedef defines? */
static bool is_typedef_name(const struct reach *r, uint32_t token, uint32_t last, uint32_t name)
{
	uint32_t word = REACH_NONE;
	for (; token < last; token = next_solid(r->view, token, last))
		word = r->name_at[token] != REACH_NONE ? r->name_at[token] : word;
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
	uint32_t last = v->tree.nodes[item->node].last;
	uint32_t first = skip_template(v, item->first, last);
	uint32_t t = find_name(r, first, last, name, types);
	if (t >= last)
		return STUB_UNKNOWN;
	uint32_t next = next_solid(v, t, last);
	if (token_is(v, first, "concept"))
		return STUB_CONCEPT;
	if (token_is(v, first, "typedef") && r->name_at[t] != name && token_is(v, t, "enum") &&
	    !is_typedef_name(r, t, last, name))
		return STUB_DATA;
	if (token_is(v, first, "typedef"))
		return kind_of_alias(l, next_solid(v, first, last), t, followed);
	if (token_is(v, first, "using"))
		return next < last && token_is(v, next, "=")
		               ? kind_of_alias(l, next_solid(v, next, last), last, followed)
		               : STUB_UNKNOWN;
	if (r->name_at[t] != name) {
		t = find_name(r, t, last, name, body);
		bool value = token_is(v, first, "enum") && t < last && r->name_at[t] != name;
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

enum stub_kind stub_front_kind(const struct reach *r, uint32_t tail, uint32_t name,
                               const char **its, uint32_t *len)
{
	struct lookup l = { .r = r, .tail = tail };
	enum stub_kind kind = look_up(&l, name, 0);
	*its = l.text;
	*len = l.len;
	return kind;
}

bool stub_in_front(const struct reach *r, uint32_t tail, uint32_t name, bool anywhere)
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

bool stub_space_in_front(const struct reach *r, uint32_t tail, uint32_t name)
{
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
		const struct reach_item *item = &r->items[r->by[k]];
		if (item->begin < tail && item->kind == REACH_SPACE)
			return true;
	}
	return false;
}
