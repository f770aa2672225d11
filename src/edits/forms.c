#include "edits/forms.h"

#include <string.h>

#include "base/buf.h"
#include "edits/solid.h"

enum way { LET, QUERY, TYPED, SET, FORM, N_WAYS };
_Static_assert((int)N_WAYS == (int)FORMS_N_WAYS, "the header says how many");
enum { FORMS_PARAMETERS = 16, FORMS_TEXT = 4096 };

/* Tokens [first, last). */
struct stretch {
	uint32_t first, last;
};

/* What goes, in front of all uses, and what these become. PARAMETERS: the first item of them,
 * TREE_NONE where there are none. DECLARED: what goes besides, empty: nothing. */
struct form {
	struct stretch gone, declared, body;
	uint32_t parameters;
};

static const struct stretch NOTHING = { 0, 0 };

struct forms *forms_new(const struct view *v, struct arena *arena)
{
	struct forms *x = arena_alloc(arena, sizeof *x);
	size_t n = v->tokens.n + (size_t)1;
	x->names = names_new(v, arena);
	x->item = names_innermost_items(v, arena);
	x->group = arena_alloc(arena, n * sizeof *x->group);
	memset(x->group, 0xff, n * sizeof *x->group);
	for (uint32_t i = v->tree.n; i-- > 1;)
		if (v->tree.nodes[i].kind == TREE_GROUP)
			x->group[v->tree.nodes[i].first] = i;
	return x;
}

/* The first token that matters from TOKEN on; LAST: none. */
static uint32_t solid_from(const struct view *v, uint32_t token, uint32_t last)
{
	while (token < last && !view_token_solid(v, token))
		token++;
	return token;
}

/* The last one before TOKEN; TREE_NONE: none. */
static uint32_t solid_before(const struct view *v, uint32_t token)
{
	while (token-- > 0)
		if (view_token_solid(v, token))
			return token;
	return TREE_NONE;
}

static struct stretch trimmed(const struct view *v, uint32_t first, uint32_t last)
{
	first = solid_from(v, first, last);
	while (last > first && !view_token_solid(v, last - 1))
		last--;
	return (struct stretch){ first, last };
}

/* Behind the token, or behind the group that it opens. */
static uint32_t step(const struct forms *x, const struct view *v, uint32_t token)
{
	return x->group[token] == TREE_NONE ? token + 1 : v->tree.nodes[x->group[token]].last;
}

static bool assigns(const struct view *v, uint32_t token)
{
	return token_is(v, token, "=") || token_is(v, token, ":=");
}

/* The token WORD that belongs to the OPENER in front of FROM, which may nest; TREE_NONE: a
 * statement or what is around ends before. */
static uint32_t partner(const struct forms *x, const struct view *v, uint32_t from,
                        const char *opener, const char *word)
{
	uint32_t depth = 1;
	for (uint32_t t = from; t < v->tokens.n; t = step(x, v, t)) {
		uint8_t kind = v->tokens.list[t].kind;
		if (kind == TOKEN_TERMINATOR || kind == TOKEN_CLOSE)
			break;
		depth += token_is(v, t, opener);
		if (token_is(v, t, word) && !--depth)
			return t;
	}
	return TREE_NONE;
}

/* let NAME = body in */
static bool find_let(const struct forms *x, const struct view *v, uint32_t name, struct form *out)
{
	uint32_t let = solid_before(v, name), equals = solid_from(v, name + 1, v->tokens.n);
	if (let == TREE_NONE || !token_is(v, let, "let") || equals == v->tokens.n ||
	    !assigns(v, equals))
		return false;
	uint32_t in = partner(x, v, equals + 1, "let", "in");
	if (in == TREE_NONE)
		return false;
	out->gone = (struct stretch){ let, in + 1 };
	out->body = trimmed(v, equals + 1, in);
	return true;
}

/* with NAME as (body), or one more behind a comma */
static bool find_query(const struct forms *x, const struct view *v, uint32_t name, struct form *out)
{
	uint32_t n = v->tokens.n, before = solid_before(v, name), as = solid_from(v, name + 1, n);
	uint32_t open = as < n ? solid_from(v, as + 1, n) : n;
	if (before == TREE_NONE || open == n || x->group[open] == TREE_NONE ||
	    v->tokens.list[as].kind != TOKEN_KEYWORD)
		return false;
	uint8_t kind = v->tokens.list[before].kind;
	if (kind != TOKEN_KEYWORD && kind != TOKEN_SEPARATOR)
		return false;
	out->body = (struct stretch){ open, v->tree.nodes[x->group[open]].last };
	out->gone = (struct stretch){ before, out->body.last };
	return true;
}

/* An item with what ends it. */
static struct stretch with_separator(const struct view *v, uint32_t item)
{
	const struct tree_node *n = &v->tree.nodes[item];
	return (struct stretch){ n->first, n->sep_last > n->sep_first ? n->sep_last : n->last };
}

/* ... NAME : type = body, up to the end of the statement */
static bool find_typed(const struct forms *x, const struct view *v, uint32_t name, struct form *out)
{
	uint32_t statement = names_statement(v, x->item[name]);
	if (statement == TREE_NONE || view_is_file(v, statement))
		return false;
	const struct tree_node *s = &v->tree.nodes[statement];
	uint32_t next = solid_from(v, name + 1, s->last), t = next;
	while (t < s->last && !assigns(v, t))
		t = step(x, v, t);
	if (t >= s->last || t == next || v->tokens.list[next].kind == TOKEN_SEPARATOR)
		return false; /* strat_expand.c knows those without a type */
	out->gone = with_separator(v, statement);
	out->body = trimmed(v, t + 1, s->last);
	return true;
}

/* ... NAME; NAME = body; the first of them is FIRST */
static bool find_set(const struct forms *x, const struct view *v, uint32_t first, uint32_t name,
                     struct form *out)
{
	uint32_t declaration = x->item[first], statement = names_statement(v, x->item[name]);
	if (declaration == TREE_NONE || statement == TREE_NONE || statement == declaration ||
	    v->tree.nodes[statement].first != name)
		return false;
	uint32_t last = v->tree.nodes[statement].last, equals = solid_from(v, name + 1, last);
	if (equals == last || !(assigns(v, equals) || token_is(v, equals, "<=")))
		return false;
	out->declared = with_separator(v, declaration);
	out->gone = with_separator(v, statement);
	out->body = trimmed(v, equals + 1, last);
	return out->declared.last <= out->gone.first;
}

static uint32_t item_from(const struct view *v, uint32_t node)
{
	while (node != TREE_NONE && v->tree.nodes[node].kind != TREE_ITEM)
		node = v->tree.nodes[node].next;
	return node;
}

static uint32_t item_behind(const struct view *v, uint32_t item)
{
	return item == TREE_NONE ? item : item_from(v, v->tree.nodes[item].next);
}

/* Does ITEM begin what is in its brackets? */
static bool is_first(const struct view *v, uint32_t item)
{
	return item != TREE_NONE && v->tree.nodes[item].parent != TREE_NONE &&
	       v->tree.nodes[v->tree.nodes[item].parent].child == item;
}

/* (define (NAME parameters) body), (defun NAME (parameters) body) */
static bool find_form(const struct forms *x, const struct view *v, uint32_t name, struct form *out)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t item = x->item[name], head = item;
	if (item == TREE_NONE || nodes[item].first != name || nodes[item].last != name + 1)
		return false;
	if (is_first(v, item)) { /* within the brackets of the head */
		head = names_item_above(&v->tree, item);
		out->parameters = item_behind(v, item);
	} else {
		uint32_t list = item_behind(v, item);
		uint32_t group = list == TREE_NONE ? TREE_NONE : x->group[nodes[list].first];
		out->parameters = group == TREE_NONE ? group : item_from(v, nodes[group].child);
	}
	if (out->parameters == TREE_NONE || head == TREE_NONE || is_first(v, head) ||
	    nodes[head].parent == TREE_NONE || nodes[nodes[head].parent].kind != TREE_GROUP)
		return false;
	uint32_t last = head;
	for (uint32_t c = head; c != TREE_NONE; c = item_behind(v, c))
		last = c;
	const struct tree_node *whole = &nodes[nodes[head].parent];
	out->gone = (struct stretch){ whole->first, whole->last };
	out->body = (struct stretch){ nodes[last].first, nodes[last].last };
	return last != head && whole->first != whole->last && nodes[head].parent;
}

/* USES: of the name, N of them. */
static bool find(const struct forms *x, const struct view *v, const uint32_t *uses, uint32_t n,
                 enum way way, struct form *out)
{
	*out = (struct form){ NOTHING, NOTHING, NOTHING, TREE_NONE };
	if (way == SET)
		return n > 2 && find_set(x, v, uses[0], uses[1], out);
	return way == LET     ? find_let(x, v, uses[0], out)
	       : way == QUERY ? find_query(x, v, uses[0], out)
	       : way == TYPED ? find_typed(x, v, uses[0], out)
	                      : find_form(x, v, uses[0], out);
}

static void add_tokens(const struct view *v, struct stretch s, struct buf *out)
{
	uint32_t begin = v->tokens.list[s.first].begin;
	if (s.first < s.last)
		buf_add(out, v->tc->bytes + begin, view_token_end(v, s.last - 1) - begin);
}

static bool same_text(const struct view *v, uint32_t a, uint32_t b)
{
	uint32_t a_len, b_len;
	const uint8_t *x = token_text(v, a, &a_len), *y = token_text(v, b, &b_len);
	return a_len == b_len && !memcmp(x, y, a_len);
}

/* The first identifier of an item: the name of a parameter; TREE_NONE: none. */
static uint32_t name_in(const struct view *v, uint32_t item)
{
	for (uint32_t t = v->tree.nodes[item].first; t < v->tree.nodes[item].last; t++)
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER)
			return t;
	return TREE_NONE;
}

/* What TOKEN of a body becomes in a call whose arguments begin with the item ARGUMENT. */
static struct stretch argument_for(const struct view *v, const struct form *f, uint32_t token,
                                   uint32_t argument)
{
	uint32_t p = f->parameters;
	for (uint32_t n = 0; n < FORMS_PARAMETERS && p != TREE_NONE && argument != TREE_NONE; n++) {
		uint32_t name = name_in(v, p);
		if (name != TREE_NONE && same_text(v, name, token))
			return (struct stretch){ v->tree.nodes[argument].first,
				                 v->tree.nodes[argument].last };
		p = item_behind(v, p);
		argument = item_behind(v, argument);
	}
	return (struct stretch){ token, token + 1 };
}

/* The call at the token USE as a part; false: it is none. */
static bool replace_call(const struct forms *x, const struct view *v, const struct form *f,
                         uint32_t use, struct buf *text, struct edit_part *part)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t item = x->item[use];
	if (item == TREE_NONE || nodes[item].first != use || !is_first(v, item) ||
	    nodes[nodes[item].parent].kind != TREE_GROUP || !nodes[item].parent)
		return false;
	const struct tree_node *call = &nodes[nodes[item].parent];
	for (uint32_t t = f->body.first; t < f->body.last; t++)
		add_tokens(v, argument_for(v, f, t, item_behind(v, item)), text);
	part->begin = v->tokens.list[call->first].begin;
	part->end = view_token_end(v, call->last - 1);
	return true;
}

/* Several tokens are one operand only in parentheses, unless they are in brackets already. */
static void replace_name(const struct forms *x, const struct view *v, const struct form *f,
                         uint32_t use, struct buf *text, struct edit_part *part)
{
	bool whole = step(x, v, f->body.first) >= f->body.last;
	buf_addf(text, "%s", whole ? "" : "(");
	add_tokens(v, f->body, text);
	buf_addf(text, "%s", whole ? "" : ")");
	part->begin = v->tokens.list[use].begin;
	part->end = view_token_end(v, use);
}

static void keep_text(struct buf *text, struct arena *arena, struct edit_part *part)
{
	uint8_t *copy = arena_alloc(arena, text->len + (size_t)1);
	if (text->len)
		memcpy(copy, text->data, text->len);
	part->text = copy;
	part->len = (uint32_t)text->len;
	buf_release(text);
}

static struct edit_part cut_of(const struct view *v, struct stretch s)
{
	struct edit_part part = { 0 };
	if (s.first < s.last) {
		part.begin = v->tokens.list[s.first].begin;
		part.end = view_token_end(v, s.last - 1);
	}
	return part;
}

bool forms_edit(const struct forms *x, const struct view *v, uint32_t i, uint32_t way,
                struct arena *arena, struct edit *out)
{
	uint32_t n = x->names->first[i + 1] - x->names->first[i], defined = way == SET ? 2 : 1,
		 m = 2;
	const uint32_t *uses = x->names->uses + x->names->first[i];
	struct form f;
	if (!find(x, v, uses, n, (enum way)way, &f) || f.body.first >= f.body.last ||
	    f.body.last - f.body.first > FORMS_TEXT)
		return false;
	struct edit_part *parts = arena_alloc(arena, (n + (size_t)2) * sizeof *parts);
	parts[0] = cut_of(v, f.declared);
	parts[1] = cut_of(v, f.gone);
	for (uint32_t u = defined; u < n; u++) {
		struct buf text = { 0 };
		if (uses[u] < f.gone.last || v->tokens.list[uses[u]].kind != TOKEN_IDENTIFIER)
			return false; /* it mentions itself */
		parts[m] = (struct edit_part){ 0 };
		if (way != FORM)
			replace_name(x, v, &f, uses[u], &text, &parts[m]);
		else if (!replace_call(x, v, &f, uses[u], &text, &parts[m]))
			return false;
		keep_text(&text, arena, &parts[m++]);
	}
	return m > 2 && edit_make(arena, parts, m, out);
}
