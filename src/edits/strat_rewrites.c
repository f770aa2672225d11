/* Rewrites: what the language's definition says may become what (lang/rewrite.h). Level by level in
 * the order of the definition, so that a block of elements is of one kind: many at once where the
 * kind works, few tests where it does not. */

#include "edits/strategies.h"
#include "edits/ties.h"
#include "lang/rewrite.h"

enum {
	MAX_LAYERS = 48,
	LEAST_SHARE = 1 << 16, /* of the size: what a rewrite must save, so that a large
	                          test case has no millions of them */
};

struct matches {
	uint32_t n, cap;
	uint32_t least; /* bytes to be saved */
	struct rewrite_match *list;
};

static uint32_t rewrites_levels(const struct view *v)
{
	if (!v->tokenizers)
		return tokenizer_n_rewrites(v->tokenizer);
	uint32_t most = 0;
	for (unsigned i = 1; i <= tokenizers_count(v->tokenizers); i++) {
		uint32_t n = tokenizer_n_rewrites(tokenizers_get(v->tokenizers, (uint16_t)i));
		most = n > most ? n : most;
	}
	return most;
}

static void add_match(void *arg, const struct rewrite_match *match)
{
	struct matches *m = arg;
	if (match->saving < m->least)
		return;
	MEM_PUSH(m->list, m->n, m->cap, *match);
}

/* The matches of all files, each with the rewrite LEVEL of its language. */
static void find_matches(const struct view *v, uint32_t level, struct arena *arena,
                         struct matches *out)
{
	ARENA_SCOPED struct arena scratch = { 0 };
	struct rewrite_ground *ground = rewrite_ground_new(v->tc, &v->tokens, &v->tree, &scratch);
	uint32_t first = 0;
	for (uint32_t f = 0; f < v->tc->n_files; f++) {
		const struct tokenizer *tok = view_tokenizer_at(v, v->tc->files[f].begin);
		uint32_t last = first;
		while (last < v->tokens.n && view_token_begin(v, last) < v->tc->files[f].end)
			last++;
		const struct rewrite *rewrite = tokenizer_rewrite(tok, false, level);
		if (rewrite) {
			rewrite_ground_operands(ground, tok, first, last);
			rewrite_find(ground, tok, rewrite, first, last, arena, add_match, out);
		}
		while (last < v->tokens.n && view_token_frame(v, last))
			last++;
		first = last;
	}
}

/* Matches of one layer do not overlap, those of the first are the outermost. Which layer each
 * belongs to, and in COUNT how many each layer has. */
static uint8_t *find_layers(const struct matches *m, uint32_t count[MAX_LAYERS],
                            struct arena *scratch)
{
	uint8_t *layer = arena_alloc(scratch, m->n + (size_t)1);
	uint32_t end[MAX_LAYERS] = { 0 };
	for (uint32_t i = 0; i < m->n; i++) {
		uint8_t l = 0;
		while (l + 1 < MAX_LAYERS && end[l] > m->list[i].begin)
			l++;
		if (end[l] < m->list[i].end)
			end[l] = m->list[i].end;
		layer[i] = l;
		count[l]++;
	}
	return layer;
}

/* The outermost come last, where blocks begin. */
void rewrites_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct matches m = { .least = v->tc->size / LEAST_SHARE };
	ARENA_SCOPED struct arena scratch = { 0 };
	uint32_t count[MAX_LAYERS] = { 0 }, start[MAX_LAYERS], at = 0;
	find_matches(v, p->level, &p->arena, &m);
	uint8_t *layer = find_layers(&m, count, &scratch);
	for (uint32_t l = MAX_LAYERS; l-- > 0; at += count[l])
		start[l] = at;
	uint32_t *order = arena_alloc(&scratch, (m.n + (size_t)1) * sizeof *order);
	for (uint32_t i = 0; i < m.n; i++)
		order[start[layer[i]]++] = i;
	for (uint32_t i = 0; i < m.n; i++) {
		const struct rewrite_match *match = &m.list[order[i]];
		for (uint32_t k = 0; k < match->n; k++)
			edit_sites_add_part(p, match->parts[k].begin, match->parts[k].end,
			                    (const char *)match->parts[k].text,
			                    match->parts[k].len);
		edit_sites_end_element(p);
	}
	ties_add(p);
	free(m.list);
}

const struct strategy strategy_rewrites = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = rewrites_levels,
	.open = rewrites_open,
};
