#include "search/ties.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "search/names.h"
#include "search/solid.h"
#include "search/tallies.h"

/* What an import is mentioned by, and what goes with the last mention. */
struct tie {
	const uint8_t *name;
	uint32_t len;
	struct edit_part cut;
};

struct ties {
	const struct view *v;
	struct tie *list;
	uint32_t n, cap;
	struct element *mentions; /* those of the first tie, then of the next one */
	uint32_t n_mentions, cap_mentions;
};

static uint32_t next_solid(const struct view *v, uint32_t token, uint32_t last)
{
	while (token < last && !view_token_solid(v, token))
		token++;
	return token;
}

static bool same_name(const struct tie *tie, const uint8_t *text, uint32_t len)
{
	return len == tie->len && !memcmp(text, tie->name, len);
}

/* The last part of the path in the string at TOKEN, as the name of TIE; false: it is none. */
static bool last_part(const struct view *v, uint32_t token, struct tie *tie)
{
	uint32_t len, from;
	const uint8_t *text = token_text(v, token, &len);
	if (len < 3)
		return false;
	for (from = --len; from > 1 && text[from - 1] != '/'; from--)
		continue;
	tie->name = text + from;
	tie->len = len - from;
	return tie->len > 0;
}

/* NODE as an import whose own tokens begin at FIRST: a string, with a name in front of it or
 * without. */
static void add_import(struct ties *t, uint32_t node, uint32_t first)
{
	const struct view *v = t->v;
	const struct token *tokens = v->tokens.list;
	uint32_t last = v->tree.nodes[node].last;
	struct tie tie = { .cut = names_item_cut(v, node) };
	first = next_solid(v, first, last);
	if (first < last && tokens[first].kind == TOKEN_IDENTIFIER) {
		tie.name = token_text(v, first, &tie.len);
		first = next_solid(v, first + 1, last);
	}
	if (first == last || tokens[first].kind != TOKEN_STRING ||
	    next_solid(v, first + 1, last) != last || (!tie.len && !last_part(v, first, &tie)))
		return;
	MEM_GROW(t->list, t->n, t->cap);
	t->list[t->n++] = tie;
}

/* The imports in the item NODE, which begins with the word: itself, or the items in its brackets.
 */
static void add_imports(struct ties *t, uint32_t node)
{
	const struct tree_node *nodes = t->v->tree.nodes;
	bool listed = false;
	for (uint32_t g = nodes[node].child; g != TREE_NONE; g = nodes[g].next) {
		if (nodes[g].kind != TREE_GROUP)
			continue;
		listed = true;
		for (uint32_t i = nodes[g].child; i != TREE_NONE; i = nodes[i].next)
			if (nodes[i].kind == TREE_ITEM)
				add_import(t, i, nodes[i].first);
	}
	if (!listed)
		add_import(t, node, nodes[node].first + 1);
}

/* The names in front of a "." that mention TIE, as elements of a list. */
static struct element_list add_mentions(struct ties *t, const struct tie *tie)
{
	const struct view *v = t->v;
	uint32_t first = t->n_mentions, before = 0, len;
	for (uint32_t i = 0; i < v->tokens.n; i++) {
		if (!view_token_solid(v, i))
			continue;
		const uint8_t *text = token_text(v, i, &len);
		bool name = v->tokens.list[i].kind == TOKEN_IDENTIFIER && before != '.' &&
		            same_name(tie, text, len);
		before = len ? text[0] : 0;
		if (!name || v->tc->bytes[view_token_end(v, i)] != '.')
			continue;
		MEM_GROW(t->mentions, t->n_mentions, t->cap_mentions);
		t->mentions[t->n_mentions++] =
			(struct element){ v->tokens.list[i].begin, view_token_end(v, i) };
	}
	return (struct element_list){ .first = first, .n = t->n_mentions - first };
}

/* The ties as fields, each with its mentions. */
static struct repair *make(struct ties *t)
{
	struct field *fields = mem_zero(t->n + (size_t)1, sizeof *fields);
	struct element_list *lists = mem_alloc((t->n + (size_t)1) * sizeof *lists);
	for (uint32_t i = 0; i < t->n; i++) {
		struct edit_part cut = t->list[i].cut;
		lists[i] = add_mentions(t, &t->list[i]);
		fields[i] = (struct field){ .kind = FIELD_LAST,
			                    .at = cut.begin,
			                    .width = cut.end - cut.begin,
			                    .from = cut.begin,
			                    .to = cut.end,
			                    .list = i };
	}
	return repair_new(fields, t->n, t->mentions, t->n_mentions, lists, t->n);
}

void ties_add(struct places *p)
{
	const struct view *v = p->view;
	const char *word = v->tokenizer ? tokenizer_import_word(v->tokenizer) : NULL;
	struct ties t = { .v = v };
	for (uint32_t i = 1; word && i < v->tree.n; i++)
		if (view_is_statement(v, i) && token_is(v, v->tree.nodes[i].first, word))
			add_imports(&t, i);
	struct repair *more = t.n ? make(&t) : tallies_find(v);
	if (more) {
		places_repair(p, p->repair ? repair_join(more, p->repair) : repair_ref(more));
		repair_unref(more);
		p->tied = true;
	}
	free(t.list);
}
