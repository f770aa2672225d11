/* Edits at several places that only work together: twins, definitions put in the place of their
 * uses, columns. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "edits/names.h"
#include "edits/solid.h"
#include "edits/strategies.h"

static uint64_t text_hash(const struct view *v, uint32_t token)
{
	uint32_t len;
	const uint8_t *bytes = token_text(v, token, &len);
	return hash_bytes(bytes, len, 0).lo;
}

/* Twins: items that begin with all of another item, as a definition does with its declaration, go
 * together. */
enum { TWIN_LEAST = 3, TWIN_MOST = 40, TWIN_PREFIXES = 1 << 20 };

struct prefix { /* the first COUNT solid tokens of an item */
	uint64_t hash;
	uint32_t item;
};

/* Starts that are alike would give one edit; the last of them, where a sweep begins, stands for
 * all. */
struct twins {
	uint32_t n_prefixes;
	struct prefix *prefixes; /* sorted by hash */
	struct prefix *starts;   /* by item; hash of all tokens of each */
};

/* Hashes of the first 1, 2, ... solid tokens of NODE, at most TWIN_MOST; returns how many there
 * are. */
static uint32_t prefix_hashes(const struct view *v, const struct tree_node *node,
                              uint64_t out[TWIN_MOST + 1])
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

static int start_order(const void *a, const void *b)
{
	const struct prefix *x = a, *y = b;
	return x->item < y->item ? -1 : x->item > y->item;
}

/* Of N starts those that have no like behind them, by item; returns how many. */
static uint32_t distinct_starts(struct prefix *starts, uint32_t n)
{
	uint32_t kept = 0;
	if (n)
		qsort(starts, n, sizeof *starts, prefix_order);
	for (uint32_t i = 0; i < n; i++)
		if (i + 1 == n || starts[i + 1].hash != starts[i].hash)
			starts[kept++] = starts[i];
	if (kept)
		qsort(starts, kept, sizeof *starts, start_order);
	return kept;
}

static void twins_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	struct twins *w = arena_alloc(&p->arena, sizeof *w);
	struct prefix *list = NULL;
	uint32_t n = 0, cap = 0, n_starts = 0;
	uint64_t hashes[TWIN_MOST + 1];
	w->starts = arena_alloc(&p->arena, v->tree.n * sizeof *w->starts);
	for (uint32_t i = 1; i < v->tree.n && n < TWIN_PREFIXES; i++) {
		if (!view_is_statement(v, i))
			continue;
		uint32_t count = prefix_hashes(v, &v->tree.nodes[i], hashes);
		for (uint32_t k = TWIN_LEAST; k <= count && k <= TWIN_MOST; k++) {
			MEM_GROW(list, n, cap);
			list[n++] = (struct prefix){ hashes[k - 1], i };
		}
		if (count >= TWIN_LEAST && count <= TWIN_MOST)
			w->starts[n_starts++] = (struct prefix){ hashes[count - 1], i };
	}
	if (n)
		qsort(list, n, sizeof *list, prefix_order);
	p->n = distinct_starts(w->starts, n_starts);
	w->n_prefixes = n;
	w->prefixes = arena_alloc(&p->arena, n * sizeof *list);
	if (n)
		memcpy(w->prefixes, list, n * sizeof *list);
	free(list);
	p->data = w;
}

static bool twins_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	(void)j;
	const struct twins *w = p->data;
	uint64_t whole = w->starts[i].hash;
	uint32_t lo = 0, hi = w->n_prefixes;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (w->prefixes[mid].hash < whole)
			lo = mid + 1;
		else
			hi = mid;
	}
	uint32_t n = 0;
	while (lo + n < w->n_prefixes && w->prefixes[lo + n].hash == whole)
		n++;
	if (n < 2)
		return false;
	struct edit_part *parts = arena_alloc(arena, n * sizeof *parts);
	for (uint32_t k = 0; k < n; k++)
		parts[k] = names_item_cut(p->view, w->prefixes[lo + k].item);
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_twins = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = twins_open,
	.edit = twins_edit,
};

/* Inlining a name: the statement that defines it goes, and its uses become one of the names which
 * that statement mentions: an alias, a copy, a view of a view. */
enum { INLINE_CHOICES = 8 };

struct inlining {
	struct names *names;
	uint32_t *item;
};

static void inline_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	struct inlining *in = arena_alloc(&p->arena, sizeof *in);
	in->names = names_new(p->view, &p->arena);
	in->item = names_innermost_items(p->view, &p->arena);
	p->data = in;
	p->n = in->names->n;
}

static uint32_t inline_ends(const struct places *p, uint32_t i)
{
	const struct names *n = ((const struct inlining *)p->data)->names;
	uint32_t uses = n->first[i + 1] - n->first[i];
	return uses > 1 && uses <= NAMES_MAX_USES ? INLINE_CHOICES : 0;
}

/* The (j + 1)th identifier of the tokens of NODE that is not the one of token NAME; from the last.
 * TREE_NONE: none. */
static uint32_t other_name(const struct view *v, const struct tree_node *node, uint32_t name,
                           uint32_t j)
{
	for (uint32_t t = node->last; t > node->first; t--)
		if (v->tokens.list[t - 1].kind == TOKEN_IDENTIFIER &&
		    text_hash(v, t - 1) != text_hash(v, name) && !j--)
			return t - 1;
	return TREE_NONE;
}

/* The uses of name I from token BEHIND on become TEXT; how many parts that makes. */
static uint32_t replace_uses(const struct view *v, const struct names *names, uint32_t i,
                             uint32_t behind, struct edit_part text, struct edit_part *parts)
{
	uint32_t m = 0;
	for (uint32_t u = names->first[i]; u < names->first[i + 1]; u++) {
		if (names->uses[u] < behind)
			continue;
		parts[m] = names_part(v, names->uses[u]);
		parts[m].len = text.len;
		parts[m++].text = text.text;
	}
	return m;
}

static bool inline_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct inlining *in = p->data;
	const struct view *v = p->view;
	uint32_t first = in->names->first[i], n = in->names->first[i + 1] - first, len,
		 definition = in->names->uses[first];
	uint32_t statement = names_statement(v, in->item[definition]);
	uint32_t by = statement == TREE_NONE
	                      ? TREE_NONE
	                      : other_name(v, &v->tree.nodes[statement], definition, j);
	if (by == TREE_NONE)
		return false;
	const uint8_t *text = token_text(v, by, &len);
	struct edit_part *parts = arena_alloc(arena, (n + (size_t)1) * sizeof *parts);
	parts[0] = names_item_cut(v, statement);
	uint32_t m = 1 + replace_uses(v, in->names, i, v->tree.nodes[statement].last,
	                              (struct edit_part){ .len = len, .text = text }, parts + 1);
	return m > 1 && edit_make(arena, parts, m, out);
}

const struct strategy strategy_inline = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = inline_open,
	.ends = inline_ends,
	.edit = inline_edit,
};

/* Unifying: the statement that defines a name goes, and its uses become a name that was there
 * already: one of two types, or functions, does. Partners are the names around it in the order of
 * first use. */
enum { UNIFY_PARTNERS = 8 };

static uint32_t unify_ends(const struct places *p, uint32_t i)
{
	const struct names *n = ((const struct inlining *)p->data)->names;
	uint32_t uses = n->first[i + 1] - n->first[i], others = p->n - 1;
	if (uses < 2 || uses > NAMES_MAX_USES)
		return 0;
	return others < UNIFY_PARTNERS ? others : UNIFY_PARTNERS;
}

static bool unify_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	const struct inlining *in = p->data;
	const struct view *v = p->view;
	uint32_t half = j / 2 + 1, other = (j % 2 ? i + half : i + p->n - half) % p->n;
	uint32_t n = in->names->first[i + 1] - in->names->first[i];
	uint32_t statement = names_statement(v, in->item[in->names->uses[in->names->first[i]]]);
	if (statement == TREE_NONE || other == i)
		return false;
	struct edit_part text = { 0 }, *parts = arena_alloc(arena, (n + (size_t)1) * sizeof *parts);
	text.text = names_text(v, in->names->uses[in->names->first[other]], &text.len);
	parts[0] = names_item_cut(v, statement);
	uint32_t m =
		1 + replace_uses(v, in->names, i, v->tree.nodes[statement].last, text, parts + 1);
	return m > 1 && edit_make(arena, parts, m, out);
}

const struct strategy strategy_unify = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = inline_open,
	.ends = unify_ends,
	.edit = unify_edit,
};

/* Columns: the k-th item of several lists at once: a parameter with its arguments, a column with
 * its values. */
enum { COLUMNS_MAX_LISTS = 400, COLUMNS_BY_NAME = 0, COLUMNS_BY_LENGTH = 1, COLUMNS_N_WAYS };

struct list_group {
	uint32_t node;
	uint32_t n_items;
	uint64_t name; /* hash of the solid token before the bracket; 0: none */
};

struct columns {
	uint32_t n_lists;
	struct list_group *lists;
	struct column {
		uint32_t list, item;
	} * starts;
};

static uint64_t token_before(const struct view *v, uint32_t token)
{
	while (token > 0 && !view_token_solid(v, token - 1))
		token--;
	return token && v->tokens.list[token - 1].kind == TOKEN_IDENTIFIER
	               ? text_hash(v, token - 1) | 1
	               : 0;
}

/* How many items separated by commas a group has; 0 when its items are statements or it has none.
 */
static uint32_t count_items(const struct view *v, uint32_t group)
{
	const struct tree *t = &v->tree;
	uint32_t n = 0;
	for (uint32_t c = t->nodes[group].child; c != TREE_NONE; c = t->nodes[c].next) {
		if (t->nodes[c].kind != TREE_ITEM || view_is_statement(v, c))
			return 0;
		n++;
	}
	return n;
}

static void columns_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	struct columns *c = arena_alloc(&p->arena, sizeof *c);
	uint32_t total = 0;
	*c = (struct columns){ .lists = arena_alloc(&p->arena, v->tree.n * sizeof *c->lists) };
	for (uint32_t i = 1; i < v->tree.n; i++) {
		uint32_t n = v->tree.nodes[i].kind == TREE_GROUP ? count_items(v, i) : 0;
		if (n)
			c->lists[c->n_lists++] =
				(struct list_group){ i, n,
				                     token_before(v, v->tree.nodes[i].first) };
		total += n;
	}
	c->starts = arena_alloc(&p->arena, (total + (size_t)1) * sizeof *c->starts);
	for (uint32_t l = 0; l < c->n_lists; l++)
		for (uint32_t k = 0; k < c->lists[l].n_items; k++)
			c->starts[p->n++] = (struct column){ l, k };
	p->data = c;
}

static uint32_t columns_ends(const struct places *p, uint32_t i)
{
	(void)p, (void)i;
	return COLUMNS_N_WAYS;
}

static bool alike(const struct list_group *a, const struct list_group *b, uint32_t item,
                  uint32_t way)
{
	if (way == COLUMNS_BY_NAME)
		return a->name && a->name == b->name && b->n_items > item;
	return a->n_items == b->n_items;
}

/* The K-th item of GROUP with one of the separators beside it. */
static struct edit_part column_cut(const struct view *v, uint32_t group, uint32_t k)
{
	const struct tree *t = &v->tree;
	uint32_t item = t->nodes[group].child, before = TREE_NONE;
	for (; k; k--) {
		before = item;
		item = t->nodes[item].next;
	}
	struct edit_part part = names_item_cut(v, item);
	if (t->nodes[item].sep_last <= t->nodes[item].sep_first && before != TREE_NONE)
		part.begin = v->tokens.list[t->nodes[before].sep_first].begin;
	return part;
}

static bool columns_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                         struct edit *out)
{
	const struct columns *c = p->data;
	const struct column *start = &c->starts[i];
	const struct list_group *model = &c->lists[start->list];
	struct edit_part *parts = arena_alloc(arena, COLUMNS_MAX_LISTS * sizeof *parts);
	uint32_t n = 0;
	for (uint32_t l = 0; l < c->n_lists; l++) {
		if (!alike(model, &c->lists[l], start->item, j))
			continue;
		if (l < start->list || n == COLUMNS_MAX_LISTS)
			return false; /* the first list of its kind stands for all */
		parts[n++] = column_cut(p->view, c->lists[l].node, start->item);
	}
	return n > 1 && edit_make(arena, parts, n, out);
}

const struct strategy strategy_columns = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = columns_open,
	.ends = columns_ends,
	.edit = columns_edit,
};
