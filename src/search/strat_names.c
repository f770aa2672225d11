/* Strategies over identifiers: what mentions one goes with it; shorter names; two names become one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/solid.h"
#include "search/strategies.h"

enum { MAX_USES = 400, MERGE_PARTNERS = 12 };

/* The distinct identifiers of a view; occurrences of name i are uses [first[i], first[i + 1]), token indices in order.
 * Names are in order of their first occurrence. */
struct names {
	uint32_t n;
	uint32_t *first;
	uint32_t *uses;
};

static bool same_text(const struct view *v, uint32_t a, uint32_t b)
{
	uint32_t n, m;
	const uint8_t *x = token_text(v, a, &n), *y = token_text(v, b, &m);
	return n == m && !memcmp(x, y, n);
}

static uint64_t text_hash(const struct view *v, uint32_t token)
{
	uint32_t len;
	const uint8_t *bytes = token_text(v, token, &len);
	return hash_bytes(bytes, len, 0).lo;
}

/* For each identifier token the number of its name; how many names there are in *n. */
static uint32_t *number_names(const struct view *v, uint32_t *n, struct arena *scratch)
{
	uint32_t *id = arena_alloc(scratch, (v->tokens.n + (size_t)1) * sizeof *id);
	size_t size = 16;
	while (size < 2 * (size_t)v->tokens.n)
		size *= 2;
	uint32_t *table = mem_zero(size, sizeof *table); /* 1 + first token of the name */
	*n = 0;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		id[t] = UINT32_MAX;
		if (v->tokens.list[t].kind != TOKEN_IDENTIFIER)
			continue;
		size_t at = text_hash(v, t) & (size - 1);
		while (table[at] && !same_text(v, table[at] - 1, t))
			at = (at + 1) & (size - 1);
		if (!table[at]) {
			table[at] = t + 1;
			id[t] = (*n)++;
		} else
			id[t] = id[table[at] - 1];
	}
	free(table);
	return id;
}

static struct names *names_new(const struct view *v, struct arena *arena)
{
	struct arena scratch = { 0 };
	struct names *names = arena_alloc(arena, sizeof *names);
	uint32_t *id = number_names(v, &names->n, &scratch), total = 0;
	names->first = arena_alloc(arena, (names->n + (size_t)2) * sizeof *names->first);
	memset(names->first, 0, (names->n + (size_t)2) * sizeof *names->first);
	for (uint32_t t = 0; t < v->tokens.n; t++)
		if (id[t] != UINT32_MAX) {
			names->first[id[t] + 2]++;
			total++;
		}
	for (uint32_t i = 2; i <= names->n + 1; i++)
		names->first[i] += names->first[i - 1];
	names->uses = arena_alloc(arena, (total + (size_t)1) * sizeof *names->uses);
	for (uint32_t t = 0; t < v->tokens.n; t++)
		if (id[t] != UINT32_MAX)
			names->uses[names->first[id[t] + 1]++] = t;
	arena_release(&scratch);
	return names;
}

/* Coupled deletion: an identifier goes with the items that mention it, its definition and its uses at once. */
enum coupled_reach { /* which item goes for a use; tried in this order by deterministic mode, from the last */
	COUPLED_OUTER,     /* the statement around the innermost statement */
	COUPLED_INNERMOST, /* an argument, a member, whatever is innermost */
	COUPLED_STATEMENT, /* the innermost item of the strongest separators of its group: a statement, a declaration */
	COUPLED_N_REACHES,
};

struct coupled {
	struct names *names;
	uint32_t *order; /* names, those with many uses first */
	uint32_t *item;  /* per token: the innermost item that holds it, TREE_NONE when there is none */
};

/* The innermost item of each token. A parent comes before its children, so the last node that begins at or before a token
 * or one of its ancestors is the one. */
static uint32_t *innermost_items(const struct view *v, struct arena *arena)
{
	uint32_t *item = arena_alloc(arena, (v->tokens.n + (size_t)1) * sizeof *item), node = 0;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		while (node + 1 < v->tree.n && v->tree.nodes[node + 1].first <= t)
			node++;
		uint32_t at = node;
		while (at != TREE_NONE && (t >= v->tree.nodes[at].last || v->tree.nodes[at].kind != TREE_ITEM || !at))
			at = v->tree.nodes[at].parent;
		item[t] = at;
	}
	return item;
}

static int more_uses_first(const void *a, const void *b, void *arg)
{
	const struct names *n = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t ux = n->first[x + 1] - n->first[x], uy = n->first[y + 1] - n->first[y];
	return ux != uy ? (ux > uy ? -1 : 1) : x < y ? -1 : x > y;
}

static void coupled_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	struct coupled *c = arena_alloc(&p->arena, sizeof *c);
	c->names = names_new(v, &p->arena);
	c->item = innermost_items(v, &p->arena);
	c->order = arena_alloc(&p->arena, (c->names->n + (size_t)1) * sizeof *c->order);
	for (uint32_t i = 0; i < c->names->n; i++)
		c->order[i] = i;
	qsort_r(c->order, c->names->n, sizeof *c->order, more_uses_first, c->names);
	p->data = c;
	p->n = c->names->n;
}

static uint32_t coupled_ends(const struct places *p, uint32_t i)
{
	const struct coupled *c = p->data;
	uint32_t uses = c->names->first[c->order[i] + 1] - c->names->first[c->order[i]];
	return uses > MAX_USES ? 0 : COUPLED_N_REACHES;
}

static uint32_t item_above(const struct tree *t, uint32_t node)
{
	do
		node = t->nodes[node].parent;
	while (node != TREE_NONE && node && t->nodes[node].kind != TREE_ITEM);
	return node ? node : TREE_NONE;
}

/* From an item outwards to one whose list is separated by more than commas. */
static uint32_t statement_of(const struct tree *t, uint32_t item)
{
	while (item != TREE_NONE && t->nodes[item].strength < 2)
		item = item_above(t, item);
	return item;
}

static uint32_t item_for_use(const struct tree *t, uint32_t item, uint32_t reach)
{
	if (item == TREE_NONE || reach == COUPLED_INNERMOST)
		return item;
	uint32_t statement = statement_of(t, item);
	if (statement == TREE_NONE)
		return item;
	if (reach == COUPLED_STATEMENT)
		return statement;
	uint32_t above = item_above(t, statement), outer = above == TREE_NONE ? above : statement_of(t, above);
	return outer == TREE_NONE ? statement : outer;
}

static bool coupled_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena, struct edit *out)
{
	const struct coupled *c = p->data;
	const struct view *v = p->view;
	uint32_t name = c->order[i], first = c->names->first[name], n = c->names->first[name + 1] - first;
	struct edit_part *parts = arena_alloc(arena, n * sizeof *parts);
	for (uint32_t u = 0; u < n; u++) {
		uint32_t item = item_for_use(&v->tree, c->item[c->names->uses[first + u]], j);
		if (item == TREE_NONE)
			return false;
		const struct tree_node *node = &v->tree.nodes[item];
		uint32_t last = node->sep_last > node->sep_first ? node->sep_last : node->last;
		parts[u] = (struct edit_part){ .begin = v->tokens.list[node->first].begin, .end = v->tokens.list[last].begin };
	}
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_names = {
	.name = "names", .help = "an identifier with all items that mention it",
	.shape = STRATEGY_CUTTING, .needs = STRATEGY_TREE, .open = coupled_open, .ends = coupled_ends, .edit = coupled_edit,
};

/* Twins: items that begin with all of another item, as a definition does with its declaration, go together. */
enum { TWIN_LEAST = 3, TWIN_MOST = 40 };

struct prefix { /* the first COUNT solid tokens of an item */
	uint64_t hash;
	uint32_t item;
};

struct twins {
	uint32_t n_prefixes;
	struct prefix *prefixes; /* sorted by hash */
	uint32_t *items;         /* starts */
	uint64_t *whole;         /* hash of all tokens of each start */
};

/* Hashes of the first 1, 2, ... solid tokens of NODE, at most TWIN_MOST; returns how many there are. */
static uint32_t prefix_hashes(const struct view *v, const struct tree_node *node, uint64_t out[TWIN_MOST + 1])
{
	uint32_t n = 0;
	uint64_t h = 1;
	for (uint32_t t = node->first; t < node->last && n <= TWIN_MOST; t++)
		if (view_token_solid(v, t)) {
			h = (h ^ text_hash(v, t)) * 0x9e3779b97f4a7c15u;
			out[n++] = h ^= h >> 29;
		}
	return n;
}

static int prefix_order(const void *a, const void *b)
{
	const struct prefix *x = a, *y = b;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

static bool is_statement(const struct tree_node *n)
{
	return n->kind == TREE_ITEM && n->strength > 1;
}

static void twins_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	struct twins *w = arena_alloc(&p->arena, sizeof *w);
	struct prefix *list = NULL;
	uint32_t n = 0, cap = 0;
	uint64_t hashes[TWIN_MOST + 1];
	w->items = arena_alloc(&p->arena, v->tree.n * sizeof *w->items);
	w->whole = arena_alloc(&p->arena, v->tree.n * sizeof *w->whole);
	for (uint32_t i = 1; i < v->tree.n; i++) {
		if (!is_statement(&v->tree.nodes[i]))
			continue;
		uint32_t count = prefix_hashes(v, &v->tree.nodes[i], hashes);
		for (uint32_t k = TWIN_LEAST; k <= count && k <= TWIN_MOST; k++) {
			MEM_GROW(list, n, cap);
			list[n++] = (struct prefix){ hashes[k - 1], i };
		}
		if (count < TWIN_LEAST || count > TWIN_MOST)
			continue;
		w->items[p->n] = i;
		w->whole[p->n++] = hashes[count - 1];
	}
	if (n)
		qsort(list, n, sizeof *list, prefix_order);
	w->n_prefixes = n;
	w->prefixes = arena_alloc(&p->arena, n * sizeof *list);
	if (n)
		memcpy(w->prefixes, list, n * sizeof *list);
	free(list);
	p->data = w;
}

static bool twins_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena, struct edit *out)
{
	(void)j;
	const struct twins *w = p->data;
	const struct view *v = p->view;
	uint32_t lo = 0, hi = w->n_prefixes;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (w->prefixes[mid].hash < w->whole[i])
			lo = mid + 1;
		else
			hi = mid;
	}
	uint32_t n = 0;
	while (lo + n < w->n_prefixes && w->prefixes[lo + n].hash == w->whole[i])
		n++;
	if (n < 2)
		return false;
	struct edit_part *parts = arena_alloc(arena, n * sizeof *parts);
	for (uint32_t k = 0; k < n; k++) {
		const struct tree_node *node = &v->tree.nodes[w->prefixes[lo + k].item];
		uint32_t last = node->sep_last > node->sep_first ? node->sep_last : node->last;
		parts[k] = (struct edit_part){ .begin = v->tokens.list[node->first].begin, .end = v->tokens.list[last].begin };
	}
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_twins = {
	.name = "twins", .help = "an item with all that begin like it: a declaration with its definition",
	.shape = STRATEGY_CUTTING, .needs = STRATEGY_TREE, .open = twins_open, .edit = twins_edit,
};

static bool name_taken(const struct view *v, const char *text, uint32_t len)
{
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		uint32_t n;
		const uint8_t *bytes = token_text(v, t, &n);
		if (n == len && !memcmp(bytes, text, len))
			return true;
	}
	return false;
}

/* The COUNTth short name: a ... z, then two letters, and so on. */
static uint32_t short_name(uint32_t count, char *out)
{
	uint32_t n = 0;
	do
		out[n++] = (char)('a' + count % 26);
	while ((count = count / 26) && count--);
	return n;
}

/* Each name to a short one that does not occur; in order of first use, so that the result is canonical. */
static void rename_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level;
	const struct view *v = p->view;
	struct arena scratch = { 0 };
	struct names *names = names_new(v, &scratch);
	uint32_t count = 0, uses = names->n ? names->first[names->n] : 0;
	places_begin(p, names->n, uses);
	for (uint32_t i = 0; i < names->n && !options->keep_names; i++) {
		char text[8];
		uint32_t len, old_len, next = count;
		do
			len = short_name(next++, text);
		while (name_taken(v, text, len));
		const uint8_t *old = token_text(v, names->uses[names->first[i]], &old_len);
		if (len > old_len || (len == old_len && memcmp(text, old, len) >= 0))
			continue;
		count = next;
		char *kept = arena_alloc(&p->arena, len);
		memcpy(kept, text, len);
		for (uint32_t u = names->first[i]; u < names->first[i + 1]; u++)
			places_add_part(p, v->tokens.list[names->uses[u]].begin, view_token_end(v, names->uses[u]), kept, len);
		places_end_element(p);
	}
	arena_release(&scratch);
}

const struct strategy strategy_rename = {
	.name = "rename", .help = "identifiers get short names (not with --keep-names)",
	.shape = STRATEGY_LIST, .needs = STRATEGY_TOKENS, .open = rename_open,
};

/* Two names become one: name i replaced by one of those around it in the order of first use. */
static void merge_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level;
	p->data = names_new(p->view, &p->arena);
	p->n = options->keep_names ? 0 : ((struct names *)p->data)->n;
}

static uint32_t merge_ends(const struct places *p, uint32_t i)
{
	(void)i;
	return p->n - 1 < MERGE_PARTNERS ? p->n - 1 : MERGE_PARTNERS;
}

static bool merge_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena, struct edit *out)
{
	const struct names *names = p->data;
	const struct view *v = p->view;
	uint32_t other = (i + p->n - 1 - j) % p->n, len, old_len;
	const uint8_t *text = token_text(v, names->uses[names->first[other]], &len);
	token_text(v, names->uses[names->first[i]], &old_len);
	uint32_t n = names->first[i + 1] - names->first[i];
	if (len > old_len || n > MAX_USES)
		return false;
	struct edit_part *parts = arena_alloc(arena, n * sizeof *parts);
	for (uint32_t u = 0; u < n; u++) {
		uint32_t token = names->uses[names->first[i] + u];
		parts[u] = (struct edit_part){ v->tokens.list[token].begin, view_token_end(v, token), len, text };
	}
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_merge_names = {
	.name = "merge-names", .help = "an identifier replaced by another one (not with --keep-names)",
	.shape = STRATEGY_CUTTING, .needs = STRATEGY_TOKENS, .open = merge_open, .ends = merge_ends, .edit = merge_edit,
};
