#include "edits/names.h"

#include <ctype.h>

#include "base/map.h"
#include "base/work.h"
#include "edits/significant.h"

static bool in_name(uint8_t c)
{
	return isalnum(c) || c == '_' || c == '-' || c == '.' || c == ':' || c >= 0x80;
}

struct edit_part names_part(const struct view *v, uint32_t token)
{
	struct edit_part part = { .begin = view_token_begin(v, token),
		                  .end = view_token_end(v, token) };
	const uint8_t *bytes = v->tc->bytes;
	uint8_t kind = v->tokens.list[token].kind;
	if (kind == TOKEN_IDENTIFIER) {
		tokenizer_name_part(view_tokenizer_at(v, part.begin), bytes, &part.begin,
		                    &part.end);
		return part;
	}
	uint32_t begin = part.begin + 1, end = part.end;
	if ((kind != TOKEN_OPEN && kind != TOKEN_CLOSE) || begin >= end || bytes[part.begin] != '<')
		return (struct edit_part){ 0 };
	begin += kind == TOKEN_CLOSE && bytes[begin] == '/';
	part.begin = begin;
	for (part.end = begin; part.end < end && in_name(bytes[part.end]);)
		part.end++;
	return part;
}

const uint8_t *names_text(const struct view *v, uint32_t token, uint32_t *len)
{
	struct edit_part part = names_part(v, token);
	*len = part.end - part.begin;
	return v->tc->bytes + part.begin;
}

bool names_are_same(const struct view *v, uint32_t a, uint32_t b)
{
	uint32_t n, m;
	const uint8_t *x = names_text(v, a, &n), *y = names_text(v, b, &m);
	return n == m && !memcmp(x, y, n);
}

struct edit_part names_become(const struct view *v, uint32_t token, uint32_t by)
{
	struct edit_part part = names_part(v, token);
	part.text = names_text(v, by, &part.len);
	return part;
}

uint32_t names_group_behind(const struct names *names, const struct view *v, uint32_t token)
{
	return names->group[view_significant_from(v, token + 1, v->tokens.n)];
}

bool names_is_assignment(const struct view *v, uint32_t token)
{
	return token < v->tokens.n && (token_is(v, token, "=") || token_is(v, token, ":="));
}

static uint64_t text_hash(const struct view *v, uint32_t token)
{
	uint32_t len;
	const uint8_t *bytes = names_text(v, token, &len);
	return tokenizer_hash(v->tokenizer, bytes, len, 0);
}

/* TREE_NONE for each token, and behind the last one. */
static uint32_t *per_token(const struct view *v, struct arena *arena)
{
	size_t size = (v->tokens.n + (size_t)1) * sizeof(uint32_t);
	return memset(arena_alloc(arena, size), 0xff, size);
}

/* For each token with a name the number of its name; how many names there are in *n. */
static uint32_t *number_names(const struct view *v, uint32_t *n, struct arena *arena)
{
	uint32_t *id = per_token(v, arena);
	SCOPED(map_release) struct map first = { 0 }; /* token of each name */
	map_reserve(&first, v->tokens.n);
	*n = 0;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		work_step(4);
		struct edit_part part = names_part(v, t);
		if (part.begin == part.end)
			continue;
		size_t at;
		uint64_t hash = text_hash(v, t);
		uint32_t same = map_first(&first, hash, &at);
		while (same != MAP_END && !names_are_same(v, same, t))
			same = map_next(&first, hash, &at);
		if (same == MAP_END) {
			map_add(&first, hash, t);
			id[t] = (*n)++;
		} else
			id[t] = id[same];
	}
	return id;
}

struct names *names_new(const struct view *v, struct arena *arena)
{
	struct names *names = arena_alloc(arena, sizeof *names);
	uint32_t *id = names->of = number_names(v, &names->n, arena), total = 0;
	work_step(v->tokens.n);
	names->first = arena_zero(arena, (names->n + (size_t)2) * sizeof *names->first);
	for (uint32_t t = 0; t < v->tokens.n; t++)
		if (id[t] != TREE_NONE) {
			names->first[id[t] + 2]++;
			total++;
		}
	for (uint32_t i = 2; i <= names->n + 1; i++)
		names->first[i] += names->first[i - 1];
	names->uses = arena_alloc(arena, (total + (size_t)1) * sizeof *names->uses);
	for (uint32_t t = 0; t < v->tokens.n; t++)
		if (id[t] != TREE_NONE)
			names->uses[names->first[id[t] + 1]++] = t;
	return names;
}

struct names *names_new_placed(const struct view *v, struct arena *arena)
{
	struct names *x = names_new(v, arena);
	x->item = names_innermost_items(v, arena);
	x->group = per_token(v, arena);
	for (uint32_t i = v->tree.n; i-- > 1;)
		if (v->tree.nodes[i].kind == TREE_GROUP)
			x->group[v->tree.nodes[i].first] = i;
	return x;
}

void names_open(struct edit_sites *p)
{
	struct names *x = names_new_placed(p->view, &p->arena);
	p->data = x;
	p->n = x->n;
}

const uint32_t *names_uses(const struct names *names, uint32_t i, uint32_t *n)
{
	*n = names->first[i + 1] - names->first[i];
	return names->uses + names->first[i];
}

/* Nodes come in the order of their beginnings, a parent before its children: `node` is the
 * innermost one that is open at the token, `next` the first that has not begun. Linear, however
 * deep the nesting. */
uint32_t *names_innermost_items(const struct view *v, struct arena *arena)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t *item = arena_alloc(arena, (v->tokens.n + (size_t)1) * sizeof *item), node = 0,
		 next = 1;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		work_step(4);
		while (node && t >= tree_end(&v->tree, node))
			node = tree_parent(&v->tree, node);
		for (; next < v->tree.n && nodes[next].first <= t; next++)
			if (t < tree_end(&v->tree, next))
				node = next;
		uint32_t at = node;
		while (at != TREE_NONE && (nodes[at].kind != TREE_ITEM || !at))
			at = tree_parent(&v->tree, at);
		item[t] = at;
	}
	return item;
}

uint32_t names_item_above(const struct tree *t, uint32_t node)
{
	do
		node = tree_parent(t, node);
	while (node != TREE_NONE && node && t->nodes[node].kind != TREE_ITEM);
	return node ? node : TREE_NONE;
}

uint32_t names_statement(const struct view *v, uint32_t item)
{
	while (item != TREE_NONE && !view_is_statement(v, item))
		item = names_item_above(&v->tree, item);
	return item;
}

uint32_t names_definition(const struct view *v, uint32_t statement, uint32_t token)
{
	uint32_t group = statement == TREE_NONE ? statement : tree_parent(&v->tree, statement),
		 open = group && group != TREE_NONE ? v->tree.nodes[group].first : TREE_NONE;
	if (open == TREE_NONE || view_significant_before(v, token) != open ||
	    !isalpha(v->tc->bytes[view_token_begin(v, open)]))
		return statement;
	uint32_t around = names_statement(v, names_item_above(&v->tree, group));
	return around == TREE_NONE ? statement : around;
}

uint8_t *names_nesting(const struct view *v, enum tree_kind kind, struct arena *scratch)
{
	const struct tree *t = &v->tree;
	uint8_t *level = arena_alloc(scratch, t->n * sizeof *level);
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t p = tree_parent(t, i), more = i && p && t->nodes[p].kind == kind;
		level[i] = i ? level[p] : 0;
		level[i] = (uint8_t)(level[i] + (more && level[i] < UINT8_MAX));
	}
	return level;
}

uint32_t names_levels(const struct view *v, enum tree_kind kind, uint32_t most)
{
	ARENA_SCOPED struct arena scratch = { 0 };
	uint8_t *level = names_nesting(v, kind, &scratch);
	uint32_t max = 0;
	for (uint32_t i = 1; i < v->tree.n; i++)
		if (v->tree.nodes[i].kind == kind && level[i] >= max)
			max = level[i] + 1u;
	return max < most ? max : most;
}

struct edit_part names_item_cut(const struct view *v, uint32_t item)
{
	const struct tree_node *node = &v->tree.nodes[item];
	if (view_is_file(v, item))
		return view_file_cut(v, view_token_begin(v, node->first));
	uint32_t last = view_behind(v, item);
	return (struct edit_part){ .begin = view_token_begin(v, node->first),
		                   .end = view_token_begin(v, last) };
}

struct edit_part names_listed_cut(const struct view *v, uint32_t item)
{
	const struct tree_node *nodes = v->tree.nodes, *n = &nodes[item];
	struct edit_part cut = names_item_cut(v, item);
	uint32_t before = TREE_NONE;
	for (uint32_t c = tree_child(nodes, tree_parent(&v->tree, item)); c != item;
	     c = tree_next(&v->tree, c))
		before = nodes[c].kind == TREE_ITEM ? c : before;
	if (before != TREE_NONE && !n->has_sep)
		cut.begin = view_separator_begin(v, before);
	return cut;
}

struct edit_part names_declarator_cut(const struct view *v, uint32_t item, uint32_t token)
{
	const struct tree_node *nodes = v->tree.nodes;
	struct edit_part cut = names_listed_cut(v, item);
	uint32_t mark;
	if (tree_parent(&v->tree, item) + 1 != item)
		return cut;
	while ((mark = view_significant_before(v, token)) != TREE_NONE &&
	       mark > nodes[item].first && v->tokens.list[mark].kind == TOKEN_OTHER)
		token = mark;
	cut.begin = view_token_begin(v, token);
	return cut;
}

bool names_is_mark(const struct view *v, uint32_t token)
{
	return token_is(v, token, ".") || token_is(v, token, "::") || token_is(v, token, "->");
}

uint32_t names_qualifier(const struct view *v, uint32_t token, const uint32_t *open)
{
	uint32_t mark = view_significant_before(v, token), before;
	while (mark != TREE_NONE && names_is_mark(v, mark) &&
	       (before = view_significant_before(v, mark)) != TREE_NONE &&
	       (open || v->tokens.list[before].kind != TOKEN_CLOSE)) {
		token = open ? open[before] : before;
		mark = view_significant_before(v, token);
	}
	return token;
}

uint32_t names_short(uint32_t count, char *out)
{
	uint32_t n = 0;
	do
		out[n++] = (char)('a' + count % 26);
	while ((count = count / 26) && count--);
	return n;
}

uint32_t names_short_number(const uint8_t *text, uint32_t len, uint32_t limit)
{
	uint64_t number = 0, scale = 1;
	for (uint32_t i = 0; i < len && number < limit; i++, scale *= 26) {
		if (text[i] < 'a' || text[i] > 'z')
			return limit;
		number += (uint64_t)(text[i] - 'a' + (i > 0)) * scale;
	}
	return len && number < limit ? (uint32_t)number
	                             : limit; /* a tokenizer may make tokens of no bytes */
}

static bool is_version(const uint8_t *text, uint32_t len)
{
	if (len < 2 || *text != 'v')
		return false;
	for (uint32_t i = 1; i < len; i++)
		if (!isdigit(text[i]))
			return false;
	return true;
}

/* Where the last part of TEXT[FROM, END) begins, which is behind the last SIGN. */
static uint32_t last_part(const uint8_t *text, uint32_t from, uint32_t end, uint8_t sign)
{
	while (end > from && text[end - 1] != sign)
		end--;
	return end;
}

const uint8_t *imports_name(const struct view *v, uint32_t token, uint32_t *len)
{
	const uint8_t *text = token_text(v, token, len);
	uint32_t end = *len ? *len - 1 : 0, from = last_part(text, 1, end, '/');
	if (from > 1 && is_version(text + from, end - from)) {
		end = from - 1;
		from = last_part(text, 1, end, '/');
	}
	uint32_t version = last_part(text, from, end, '.');
	if (version > from + 1 && is_version(text + version, end - version))
		end = version - 1;
	*len = end > from ? end - from : 0;
	return text + from;
}
