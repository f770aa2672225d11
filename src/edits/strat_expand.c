/* Expanding a definition: the statement that defines a name goes, and each use of the name becomes
 * what the definition says. That may be longer than before, so it is a pump (reduce/stages.h), not
 * a pass. Known by the shape of tokens alone: what stands behind the name (a macro, a constant, a
 * variable), before it (a typedef), in the last bracket group of the statement (a function), or at
 * the end of the list that the name stands in (Lisp, SMT-LIB). In
 * what a function says its parameters become the arguments of the use: what stands between the
 * brackets behind its name, item by item, of a parameter the first or the last identifier. For
 * other definitions see forms.h. */
#include <string.h>

#include "base/buf.h"
#include "edits/forms.h"
#include "edits/solid.h"
#include "edits/strategies.h"

enum way {
	BEHIND,     /* all behind the name */
	BEHIND_ONE, /* without the first token of it: "=" */
	BEFORE,     /* all before the name */
	BEFORE_ONE, /* without the first token: "typedef" */
	GROUP,      /* name and arguments of the use become the last group; parameters are the last
	               identifiers of theirs */
	VALUE, /* the arguments of the use become the last item of the last group, without its first
	          token: "return" */
	GROUP_FIRST, /* as GROUP, where parameters are the first identifiers */
	VALUE_FIRST,
	ASSIGNED, /* all before the name, where it stands last, without the token before it: "=" */
	WRAPPED,  /* all behind the name without the first token of it, in parentheses: an
	             expression, a query */
	LAST, /* the last item of the list that the name stands in, and what holds that list goes: a
	         definition in brackets, a binding */
	IN_LIST, /* as BEHIND_ONE, and only the innermost item goes: a parameter with its value */
	N_WAYS,
};
enum { MAX_USES = 8, MAX_PARAMETERS = 16 };

static void expand_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	struct forms *x = forms_new(p->view, &p->arena);
	p->data = x;
	p->n = x->names->n;
}

static uint32_t expand_ends(const struct places *p, uint32_t i)
{
	const struct names *n = ((const struct forms *)p->data)->names;
	uint32_t uses = n->first[i + 1] - n->first[i];
	/* Each use may be in the definition. */
	return uses > 1 && uses <= MAX_USES ? N_WAYS * uses + FORMS_N_WAYS : 0;
}

static bool is_function(enum way way)
{
	return way == GROUP || way == VALUE || way == GROUP_FIRST || way == VALUE_FIRST;
}

/* Tokens [first, last). */
struct body {
	uint32_t first, last;
};

static uint32_t next_solid(const struct view *v, uint32_t token, uint32_t last)
{
	while (token < last && !view_token_solid(v, token))
		token++;
	return token;
}

static struct body trimmed(const struct view *v, uint32_t first, uint32_t last)
{
	first = next_solid(v, first, last);
	while (last > first && !view_token_solid(v, last - 1))
		last--;
	return (struct body){ first, last };
}

static struct body text_of(const struct view *v, uint32_t item)
{
	return trimmed(v, v->tree.nodes[item].first, v->tree.nodes[item].last);
}

/* The last group among the tokens of NODE, TREE_NONE. */
static uint32_t last_group(const struct view *v, uint32_t node)
{
	uint32_t found = TREE_NONE;
	for (uint32_t c = v->tree.nodes[node].child; c != TREE_NONE; c = v->tree.nodes[c].next)
		if (v->tree.nodes[c].kind == TREE_GROUP)
			found = c;
	return found;
}

static uint32_t last_item(const struct view *v, uint32_t group)
{
	uint32_t found = TREE_NONE;
	for (uint32_t c = v->tree.nodes[group].child; c != TREE_NONE; c = v->tree.nodes[c].next)
		if (v->tree.nodes[c].kind == TREE_ITEM)
			found = c;
	return found;
}

/* What the uses become; empty: it cannot be done in this way. */
static struct body find_body(const struct view *v, uint32_t statement, uint32_t name, enum way way)
{
	const struct tree_node *s = &v->tree.nodes[statement];
	struct body body = { 0, 0 };
	uint32_t group = last_group(v, statement),
		 item = group == TREE_NONE ? TREE_NONE : last_item(v, group);
	switch (way) {
	case BEHIND:
	case BEHIND_ONE:
	case WRAPPED:
	case IN_LIST:
		body = trimmed(v, name + 1, s->last);
		break;
	case BEFORE:
	case BEFORE_ONE:
		body = trimmed(v, s->first, name);
		break;
	case GROUP:
	case GROUP_FIRST:
		if (group != TREE_NONE && v->tree.nodes[group].first > name)
			body = (struct body){ v->tree.nodes[group].first,
				              v->tree.nodes[group].last };
		break;
	case VALUE:
	case VALUE_FIRST:
		if (item != TREE_NONE && v->tree.nodes[item].first > name)
			body = trimmed(v, v->tree.nodes[item].first, v->tree.nodes[item].last);
		break;
	case ASSIGNED:
		if (next_solid(v, name + 1, s->last) == s->last)
			body = trimmed(v, s->first, name);
		if (body.first < body.last)
			body = trimmed(v, body.first, body.last - 1);
		break;
	case LAST:
	case N_WAYS:
		break;
	}
	bool one_less = way == BEHIND_ONE || way == BEFORE_ONE || way == VALUE ||
	                way == VALUE_FIRST || way == WRAPPED || way == IN_LIST;
	if (one_less && body.first < body.last)
		body.first = next_solid(v, body.first + 1, body.last);
	return body;
}

/* The last item behind ITEM in its list; empty: there is none. */
static struct body end_of_list(const struct view *v, uint32_t item)
{
	uint32_t last = item;
	for (uint32_t c = item; c != TREE_NONE; c = v->tree.nodes[c].next)
		if (v->tree.nodes[c].kind == TREE_ITEM)
			last = c;
	struct body none = { 0, 0 };
	return last == item ? none : text_of(v, last);
}

/* What goes when the name at TOKEN is expanded so; TREE_NONE: nothing. */
static uint32_t definition_of(const struct forms *x, const struct view *v, uint32_t token,
                              enum way way)
{
	uint32_t item = x->item[token];
	if (item == TREE_NONE || way == IN_LIST)
		return item;
	return way == LAST ? names_item_above(&v->tree, item) : names_statement(v, item);
}

static const uint8_t *wrapped(const uint8_t *text, uint32_t len, struct arena *arena)
{
	uint8_t *copy = arena_alloc(arena, len + (size_t)2);
	copy[0] = '(';
	memcpy(copy + 1, text, len);
	copy[len + 1] = ')';
	return copy;
}

/* The group behind the token of a name: parameters, arguments. TREE_NONE: none. */
static uint32_t group_behind(const struct forms *x, const struct view *v, uint32_t token)
{
	uint32_t behind = next_solid(v, token + 1, v->tokens.n);
	return behind < v->tokens.n ? x->group[behind] : TREE_NONE;
}

static bool same_text(const struct view *v, uint32_t a, uint32_t b)
{
	uint32_t a_len, b_len;
	const uint8_t *x = token_text(v, a, &a_len), *y = token_text(v, b, &b_len);
	return a_len == b_len && !memcmp(x, y, a_len);
}

static uint32_t next_item(const struct view *v, uint32_t node)
{
	while (node != TREE_NONE && v->tree.nodes[node].kind != TREE_ITEM)
		node = v->tree.nodes[node].next;
	return node;
}

/* Whether TOKEN is the first (else last) identifier of an item. */
static bool names_parameter(const struct view *v, uint32_t token, uint32_t item, bool first)
{
	struct body b = text_of(v, item);
	for (uint32_t k = 0; k < b.last - b.first; k++) {
		uint32_t t = first ? b.first + k : b.last - 1 - k;
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER)
			return same_text(v, t, token);
	}
	return false;
}

/* What TOKEN of a body becomes: the argument in the group ARGUMENTS for what it names in
 * PARAMETERS, or itself. */
static struct body argument_for(const struct view *v, uint32_t token, uint32_t parameters,
                                uint32_t arguments, bool first)
{
	struct body itself = { token, token + 1 };
	if (v->tokens.list[token].kind != TOKEN_IDENTIFIER || parameters == TREE_NONE ||
	    arguments == TREE_NONE)
		return itself;
	uint32_t p = next_item(v, v->tree.nodes[parameters].child),
		 a = next_item(v, v->tree.nodes[arguments].child);
	for (uint32_t n = 0; n < MAX_PARAMETERS && p != TREE_NONE && a != TREE_NONE; n++) {
		if (names_parameter(v, token, p, first))
			return text_of(v, a);
		p = next_item(v, v->tree.nodes[p].next);
		a = next_item(v, v->tree.nodes[a].next);
	}
	return itself;
}

/* A body with arguments in place of parameters. The text is in ARENA. */
static const uint8_t *with_arguments(const struct view *v, struct body body, uint32_t parameters,
                                     uint32_t arguments, bool first, struct arena *arena,
                                     uint32_t *len)
{
	struct buf text = { 0 };
	for (uint32_t t = body.first; t < body.last; t++) {
		struct body by = argument_for(v, t, parameters, arguments, first);
		if (by.first < by.last)
			buf_add(&text, v->tc->bytes + v->tokens.list[by.first].begin,
			        view_token_end(v, by.last - 1) - v->tokens.list[by.first].begin);
	}
	uint8_t *copy = arena_alloc(arena, text.len + (size_t)1);
	if (text.len)
		memcpy(copy, text.data, text.len);
	*len = (uint32_t)text.len;
	buf_release(&text);
	return copy;
}

/* The use at TOKEN as parts of the edit; how many, 0: it cannot be. */
static uint32_t replace_use(const struct forms *x, const struct view *v, uint32_t token,
                            uint32_t name, struct body body, enum way way, struct arena *arena,
                            struct edit_part parts[2])
{
	const struct token *list = v->tokens.list;
	uint32_t begin = list[body.first].begin, len = view_token_end(v, body.last - 1) - begin;
	const uint8_t *text = v->tc->bytes + begin;
	uint32_t group = group_behind(x, v, token);
	if (way == WRAPPED) {
		parts[0] = (struct edit_part){ list[token].begin, view_token_end(v, token), len + 2,
			                       wrapped(text, len, arena) };
		return 1;
	}
	if (!is_function(way)) {
		parts[0] = (struct edit_part){ list[token].begin, view_token_end(v, token), len,
			                       text };
		return 1;
	}
	if (group == TREE_NONE)
		return 0;
	const struct tree_node *g = &v->tree.nodes[group];
	bool first = way == GROUP_FIRST || way == VALUE_FIRST;
	text = with_arguments(v, body, group_behind(x, v, name), group, first, arena, &len);
	if (way == GROUP || way == GROUP_FIRST) {
		parts[0] = (struct edit_part){ list[token].begin, list[g->last].begin, len, text };
		return 1;
	}
	parts[0] = (struct edit_part){ list[token].begin, view_token_end(v, token), 0, NULL };
	parts[1] = (struct edit_part){ view_token_end(v, g->first), list[g->last - 1].begin, len,
		                       text };
	return 2;
}

/* Within what is around a statement. */
static bool is_near(const struct view *v, uint32_t token, uint32_t statement)
{
	uint32_t above = names_item_above(&v->tree, statement);
	return above == TREE_NONE ||
	       (token >= v->tree.nodes[above].first && token < v->tree.nodes[above].last);
}

/* A name may have several roles: a function may be defined at any use of its name, and only calls
 * become what it says; of a variable that is assigned from it is the uses around. */
static bool expand_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct forms *x = p->data;
	const struct view *v = p->view;
	enum way way = (enum way)(j % N_WAYS);
	uint32_t definition = j / N_WAYS, n = x->names->first[i + 1] - x->names->first[i];
	if (definition >= n)
		return forms_edit(x, v, i, j - n * N_WAYS, arena, out);
	const uint32_t *uses = x->names->uses + x->names->first[i];
	uint32_t name = uses[definition], statement = definition_of(x, v, name, way);
	if (statement == TREE_NONE || (definition && !is_function(way) && way != ASSIGNED))
		return false;
	struct body body =
		way == LAST ? end_of_list(v, x->item[name]) : find_body(v, statement, name, way);
	if (body.first >= body.last)
		return false;
	struct edit_part *parts = arena_alloc(arena, (2 * n + (size_t)1) * sizeof *parts);
	uint32_t m = 0;
	parts[m++] = names_item_cut(v, statement);
	for (uint32_t u = 0; u < n; u++) {
		bool within = uses[u] >= v->tree.nodes[statement].first &&
		              uses[u] < v->tree.nodes[statement].last;
		if (within && u != definition)
			return false; /* it mentions itself */
		bool other = (is_function(way) && group_behind(x, v, uses[u]) == TREE_NONE) ||
		             (way == ASSIGNED && !is_near(v, uses[u], statement));
		if (within || other)
			continue;
		if (v->tokens.list[uses[u]].kind != TOKEN_IDENTIFIER)
			return false; /* that of a tag */
		m += replace_use(x, v, uses[u], name, body, way, arena, &parts[m]);
	}
	return m > 1 && edit_make(arena, parts, m, out);
}

const struct strategy strategy_expand = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = expand_open,
	.ends = expand_ends,
	.edit = expand_edit,
};
