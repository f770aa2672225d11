/* Expanding a definition: the statement that defines a name goes, and each use of the name becomes what the definition
 * says. That may be longer than before, so it is a pump (reduce/stages.h), not a pass. Known by the shape of tokens alone:
 * what stands behind the name (a macro, a constant, a variable), before it (a typedef), or in the last bracket group of the
 * statement (a function). */
#include <stdlib.h>
#include <string.h>

#include "search/names.h"
#include "search/solid.h"
#include "search/strategies.h"

enum way {
	BEHIND,       /* all behind the name */
	BEHIND_ONE,   /* without the first token of it: "=" */
	BEFORE,       /* all before the name */
	BEFORE_ONE,   /* without the first token: "typedef" */
	GROUP,        /* name and argument list of the use become the last group */
	VALUE,        /* the arguments of the use become the last item of the last group, without its first token: "return" */
	WRAPPED,      /* all behind the name without the first token of it, in parentheses: an expression, a query */
	N_WAYS,
};
enum { MAX_USES = 8 };

struct expanding {
	struct names *names;
	uint32_t *item;
	uint32_t *group; /* per token: the group that begins there, TREE_NONE */
};

static void expand_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	struct expanding *x = arena_alloc(&p->arena, sizeof *x);
	x->names = names_new(v, &p->arena);
	x->item = names_innermost_items(v, &p->arena);
	x->group = arena_alloc(&p->arena, (v->tokens.n + (size_t)1) * sizeof *x->group);
	memset(x->group, 0xff, (v->tokens.n + (size_t)1) * sizeof *x->group);
	for (uint32_t i = v->tree.n; i-- > 1;)
		if (v->tree.nodes[i].kind == TREE_GROUP)
			x->group[v->tree.nodes[i].first] = i;
	p->data = x;
	p->n = x->names->n;
}

static uint32_t expand_ends(const struct places *p, uint32_t i)
{
	const struct names *n = ((const struct expanding *)p->data)->names;
	uint32_t uses = n->first[i + 1] - n->first[i];
	return uses > 1 && uses <= MAX_USES ? N_WAYS : 0;
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
	uint32_t group = last_group(v, statement), item = group == TREE_NONE ? TREE_NONE : last_item(v, group);
	switch (way) {
	case BEHIND:
	case BEHIND_ONE:
	case WRAPPED:
		body = trimmed(v, name + 1, s->last);
		break;
	case BEFORE:
	case BEFORE_ONE:
		body = trimmed(v, s->first, name);
		break;
	case GROUP:
		if (group != TREE_NONE && v->tree.nodes[group].first > name)
			body = (struct body){ v->tree.nodes[group].first, v->tree.nodes[group].last };
		break;
	case VALUE:
		if (item != TREE_NONE && v->tree.nodes[item].first > name)
			body = trimmed(v, v->tree.nodes[item].first, v->tree.nodes[item].last);
		break;
	case N_WAYS:
		break;
	}
	if ((way == BEHIND_ONE || way == BEFORE_ONE || way == VALUE || way == WRAPPED) && body.first < body.last)
		body.first = next_solid(v, body.first + 1, body.last);
	return body;
}

static const uint8_t *wrapped(const uint8_t *text, uint32_t len, struct arena *arena)
{
	uint8_t *copy = arena_alloc(arena, len + (size_t)2);
	copy[0] = '(';
	memcpy(copy + 1, text, len);
	copy[len + 1] = ')';
	return copy;
}

/* The use at TOKEN as parts of the edit; how many, 0: it cannot be. */
static uint32_t replace_use(const struct expanding *x, const struct view *v, uint32_t token, struct body body, enum way way,
                            struct arena *arena, struct edit_part parts[2])
{
	const struct token *list = v->tokens.list;
	uint32_t begin = list[body.first].begin, len = view_token_end(v, body.last - 1) - begin;
	const uint8_t *text = v->tc->bytes + begin;
	uint32_t behind = next_solid(v, token + 1, v->tokens.n), group = behind < v->tokens.n ? x->group[behind] : TREE_NONE;
	if (way == WRAPPED) {
		parts[0] = (struct edit_part){ list[token].begin, view_token_end(v, token), len + 2, wrapped(text, len, arena) };
		return 1;
	}
	if (way != GROUP && way != VALUE) {
		parts[0] = (struct edit_part){ list[token].begin, view_token_end(v, token), len, text };
		return 1;
	}
	if (group == TREE_NONE)
		return 0;
	const struct tree_node *g = &v->tree.nodes[group];
	if (way == GROUP) {
		parts[0] = (struct edit_part){ list[token].begin, list[g->last].begin, len, text };
		return 1;
	}
	parts[0] = (struct edit_part){ list[token].begin, view_token_end(v, token), 0, NULL };
	parts[1] = (struct edit_part){ view_token_end(v, g->first), list[g->last - 1].begin, len, text };
	return 2;
}

static bool expand_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena, struct edit *out)
{
	const struct expanding *x = p->data;
	const struct view *v = p->view;
	uint32_t first = x->names->first[i], n = x->names->first[i + 1] - first, name = x->names->uses[first];
	uint32_t statement = names_statement(v, x->item[name]);
	if (statement == TREE_NONE)
		return false;
	struct body body = find_body(v, statement, name, (enum way)j);
	if (body.first >= body.last)
		return false;
	struct edit_part *parts = arena_alloc(arena, (2 * n + (size_t)1) * sizeof *parts);
	uint32_t m = 0;
	parts[m++] = names_item_cut(v, statement);
	for (uint32_t u = 1; u < n; u++) {
		uint32_t token = x->names->uses[first + u], added;
		if (token < v->tree.nodes[statement].last || v->tokens.list[token].kind != TOKEN_IDENTIFIER)
			return false; /* it mentions itself, or is that of a tag */
		if (!(added = replace_use(x, v, token, body, (enum way)j, arena, &parts[m])))
			return false;
		m += added;
	}
	return m > 1 && edit_make(arena, parts, m, out);
}

const struct strategy strategy_expand = {
	.name = "expand", .help = "a definition goes and its name becomes what it says (a pump: the file may grow)",
	.shape = STRATEGY_CUTTING, .needs = STRATEGY_TREE, .open = expand_open, .ends = expand_ends, .edit = expand_edit,
};
