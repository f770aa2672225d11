/* Stand-ins: an item, a bracket group or an identifier replaced by a text that the language's
 * definition offers for it. */
#include <stdlib.h>
#include <string.h>

#include "edits/strategies.h"
#include "edits/ties.h"

struct place {
	uint32_t begin, end;
	const char *text;
};

/* Longest last, where a sweep begins. */
static int place_order(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	uint32_t n = x->end - x->begin, m = y->end - y->begin;
	if (n != m)
		return n < m ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void add_places(struct places *p, struct place **list, uint32_t *cap, enum stand_in what,
                       uint32_t begin, uint32_t end)
{
	const struct view *v = p->view;
	const struct tokenizer *tok = view_tokenizer_at(v, begin);
	const char *text;
	for (uint32_t i = 0; (text = tokenizer_stand_in(tok, what, i)); i++) {
		uint32_t len = (uint32_t)strlen(text), old = end - begin;
		if (len > old || (len == old && memcmp(text, v->tc->bytes + begin, len) >= 0))
			continue;
		MEM_GROW(*list, p->n, *cap);
		(*list)[p->n++] = (struct place){ begin, end, text };
	}
}

static void stand_ins_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	struct place *list = NULL;
	uint32_t cap = 0;
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		if (n->first < n->last && !view_is_statement(v, i))
			add_places(p, &list, &cap,
			           n->kind == TREE_ITEM ? STAND_IN_ITEM : STAND_IN_GROUP,
			           v->tokens.list[n->first].begin, v->tokens.list[n->last].begin);
	}
	for (uint32_t t = 0; t < v->tokens.n; t++)
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER)
			add_places(p, &list, &cap, STAND_IN_IDENTIFIER, v->tokens.list[t].begin,
			           view_token_end(v, t));
	if (p->n)
		qsort(list, p->n, sizeof *list, place_order);
	struct place *kept = arena_alloc(&p->arena, (p->n + (size_t)1) * sizeof *kept);
	if (p->n)
		memcpy(kept, list, p->n * sizeof *kept);
	free(list);
	p->data = kept;
	ties_add(p);
}

static bool stand_ins_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                           struct edit *out)
{
	(void)j;
	const struct place *place = &((const struct place *)p->data)[i];
	*out = edit_replace(arena, place->begin, place->end, (const uint8_t *)place->text,
	                    (uint32_t)strlen(place->text));
	return true;
}

const struct strategy strategy_stand_ins = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = stand_ins_open,
	.edit = stand_ins_edit,
};
