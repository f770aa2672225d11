/* Families: items of one shape anywhere in the file, all of them at once: what a generator has
 * written line by line (.loc and its labels, !12 = !DILocation(...), $x: 1px !default), a kind of
 * statement, an attribute of every element. There are few of them, so that each is worth a
 * question before single items are. */

#include "base/hash.h"
#include "base/mem.h"
#include "edits/names.h"
#include "edits/significant.h"
#include "edits/strategies.h"
#include "edits/ties.h"

enum {
	SHAPES = 2,   /* by the word that an item begins with; by the kinds of its first tokens */
	DEPTHS = 8,   /* lists within lists that are looked at */
	FIRST = 6,    /* tokens that make a shape */
	LEAST = 1024, /* bytes of a family: smaller ones are as cheap one by one */
	SHARE = 256,  /* nor is it less than one part in so many of the file */
};

struct member {
	uint64_t shape;
	uint32_t node;
};

/* What a token is to the shape: letters stay where words count, digits are all alike. */
static uint64_t add_token(uint64_t hash, const struct view *v, uint32_t token, bool words)
{
	uint32_t len;
	const uint8_t *text = token_text(v, token, &len);
	uint8_t kind = v->tokens.list[token].kind;
	bool named = kind == TOKEN_IDENTIFIER || kind == TOKEN_NUMBER || kind == TOKEN_STRING;
	hash = hash * 31 + (named ? kind : 0);
	for (uint32_t i = 0; i < len; i++) {
		bool digit = text[i] >= '0' && text[i] <= '9';
		bool letter = text[i] >= 0x80 || text[i] == '_' ||
		              ((text[i] | 32) >= 'a' && (text[i] | 32) <= 'z');
		if (named && (kind != TOKEN_IDENTIFIER || (!words && (letter || digit))))
			continue;
		if (digit && i && text[i - 1] >= '0' && text[i - 1] <= '9')
			continue;
		hash = (hash ^ (digit ? '0' : text[i])) * 0x100000001b3u;
	}
	return hash;
}

/* The shape of an item: by WORDS of its first significant token, and what joins it to the next;
 * else by the kinds of several. */
static uint64_t shape_of(const struct view *v, uint32_t node, bool words)
{
	uint64_t hash = 0xcbf29ce484222325u;
	uint32_t n = 0, last = tree_end(&v->tree, node);
	for (uint32_t t = v->tree.nodes[node].first; t < last && n < (words ? 2 : FIRST); t++) {
		uint8_t kind = v->tokens.list[t].kind;
		if (!view_token_significant(v, t))
			continue;
		if (words && n && kind != TOKEN_OTHER && kind != TOKEN_OPEN)
			break;
		hash = add_token(hash, v, t, words);
		n++;
	}
	return hash;
}

/* Families by where they begin. */
struct family {
	uint32_t first, n; /* members */
	uint32_t node;     /* the first */
};

/* The members M, one family, as an element: the last of a list goes with the separator before all
 * of them that stand there. */
static void add_family(struct edit_sites *p, const struct member *m, uint32_t n,
                       const uint32_t *before)
{
	const struct view *v = p->view;
	const struct tree_node *nodes = v->tree.nodes;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t end, k = i, node = m[i].node;
		while (k + 1 < n && before[m[k + 1].node] == m[k].node)
			k++;
		struct edit_part cut = names_item_cut(v, m[k].node);
		uint32_t begin = view_token_begin(v, nodes[node].first), front = before[node];
		end = cut.end;
		if (!nodes[m[k].node].has_sep && front != TREE_NONE && !view_is_statement(v, node))
			begin = view_separator_begin(v, front);
		if (begin < end)
			edit_sites_add_part(p, begin, end, NULL, 0);
		i = k;
	}
	edit_sites_end_element(p);
}

/* Per item the one before it in its list; TREE_NONE: it is the first. */
static uint32_t *items_before(const struct view *v, struct arena *scratch)
{
	uint32_t *before = arena_alloc(scratch, (v->tree.n + (size_t)1) * sizeof *before);
	for (uint32_t i = 0; i < v->tree.n; i++)
		before[i] = TREE_NONE;
	for (uint32_t i = 0; i < v->tree.n; i++) {
		uint32_t next =
			v->tree.nodes[i].kind == TREE_ITEM ? tree_next(&v->tree, i) : TREE_NONE;
		if (next != TREE_NONE)
			before[next] = i;
	}
	return before;
}

static uint32_t families_levels(const struct view *v)
{
	/* Records are the business of `records`. */
	return v->records ? 0 : SHAPES * names_levels(v, TREE_ITEM, DEPTHS);
}

static void families_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	ARENA_SCOPED struct arena scratch = { 0 };
	uint8_t *depth = names_nesting(v, TREE_ITEM, &scratch);
	uint32_t *before = items_before(v, &scratch);
	struct member *m = arena_alloc(&scratch, (v->tree.n + (size_t)1) * sizeof *m);
	struct family *f = arena_alloc(&scratch, (v->tree.n + (size_t)1) * sizeof *f);
	uint32_t n = 0, n_families = 0;
	for (uint32_t i = 1; i < v->tree.n; i++)
		if (v->tree.nodes[i].kind == TREE_ITEM && depth[i] == p->level / SHAPES &&
		    v->tree.nodes[i].first < tree_end(&v->tree, i) && !view_is_file(v, i))
			m[n++] = (struct member){ shape_of(v, i, p->level % SHAPES == 0), i };
	MEM_SORT_BY_TWO(m, n, shape, node);
	for (uint32_t i = 0, j; i < n; i = j) {
		uint64_t bytes = 0;
		for (j = i; j < n && m[j].shape == m[i].shape; j++) {
			struct edit_part cut = names_item_cut(v, m[j].node);
			bytes += cut.end - cut.begin;
		}
		if (j - i < 2 || bytes < LEAST || bytes * SHARE < v->tc->size)
			continue;
		f[n_families++] = (struct family){ i, j - i, m[i].node };
	}
	MEM_SORT_BY(f, n_families, node);
	for (uint32_t i = 0; i < n_families; i++)
		add_family(p, m + f[i].first, f[i].n, before);
	ties_add(p);
}

const struct strategy strategy_families = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = families_levels,
	.open = families_open,
};
