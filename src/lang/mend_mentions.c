/* Finding what mentions definitions, choices, and what mentions become. */
#include <stdlib.h>
#include <string.h>

#include "lang/mend_finder.h"
#include "lang/mend_work.h"
#include "lang/tokenizer_def.h"

/* The definition of the name in the token [begin, end), MEND_NONE. */
static uint32_t definition_of(const struct finder *f, uint32_t begin, uint32_t end)
{
	char mark[2];
	uint32_t len;
	const uint8_t *name = finder_name(f, begin, end, mark, &len);
	uint32_t d = finder_definition(f, mark, name, len, f->scope);
	return d == MEND_NONE ? finder_definition(f, mark, name, len, MEND_NONE) : d;
}

static uint32_t item_end(const struct finder *f, const struct tree_node *node)
{
	return finder_begin(f, node->sep_last > node->sep_first ? node->sep_last : node->last);
}

static void add_mention(struct finder *f, uint32_t t, uint32_t definition)
{
	struct mend *g = f->g;
	const struct tree_node *item =
		&f->tree->nodes[f->statement == MEND_NONE ? f->top : f->statement];
	MEM_GROW(g->mentions, g->n_mentions, f->cap_mentions);
	g->mentions[g->n_mentions++] = (struct mend_mention){ .begin = finder_begin(f, t),
		                                              .end = finder_begin(f, t + 1),
		                                              .definition = definition,
		                                              .section = f->section,
		                                              .choice = MEND_NONE,
		                                              .item = finder_begin(f, item->first),
		                                              .item_end = item_end(f, item) };
	g->definitions[definition].n++;
	if (f->section != MEND_NONE) {
		struct mend_section *s = &g->sections[f->section];
		if (!s->n_mentions++)
			s->mention = g->n_mentions - 1;
	}
}

/* The definition whose token is at offset BEGIN, or MEND_NONE. */
static uint32_t defined_at(const struct mend *g, uint32_t begin)
{
	uint32_t d = mend_first_behind(g, begin);
	d += d < g->n_definitions && g->definitions[d].nameless;
	return d < g->n_definitions && g->definitions[d].begin == begin ? d : MEND_NONE;
}

/* The last mention is the last name in the group that ends with the token T: a choice of the
 * statement, if that defines a name. */
static void add_choice(struct finder *f, uint32_t group, uint32_t t)
{
	struct mend *g = f->g;
	struct mend_mention *m = g->n_mentions ? &g->mentions[g->n_mentions - 1] : NULL;
	uint32_t last = t;
	while (last && !finder_is_solid(finder_token(f, last - 1)))
		last--;
	if (!m || f->section == MEND_NONE || f->statement == MEND_NONE ||
	    m->end != finder_begin(f, last) || g->definitions[m->definition].section == MEND_NONE)
		return;
	const struct tree_node *node = &f->tree->nodes[f->statement];
	uint32_t begin = finder_begin(f, node->first);
	uint32_t definition = defined_at(g, begin);
	if (definition == MEND_NONE)
		return;
	uint32_t end = item_end(f, node);
	if (!g->n_statements || g->statements[g->n_statements - 1].begin != begin) {
		MEM_GROW(g->statements, g->n_statements, f->cap_statements);
		g->statements[g->n_statements++] =
			(struct mend_statement){ begin, end, g->n_choices, 0, definition };
		g->scopes[f->scope].n_statements++;
	}
	struct mend_statement *s = &g->statements[g->n_statements - 1];
	uint32_t rank = 0; /* of more than these few all stay, or all go */
	for (uint32_t i = 0; i < s->n && s->n < 64; i++)
		rank += g->mentions[g->choices[s->first + i].mention].definition == m->definition;
	MEM_GROW(g->choices, g->n_choices, f->cap_choices);
	g->choices[g->n_choices] = (struct mend_choice){
		.begin = finder_begin(f, f->tree->nodes[group].first),
		.end = finder_begin(f, t + 1),
		.mention = g->n_mentions - 1,
		.section = f->section,
		.rank = rank,
	};
	m->choice = g->n_choices++;
	s->n++;
}

/* Mentions and choices of the scope; sections come in the order of their beginnings. */
void finder_mentions(struct finder *f, uint32_t node, uint32_t *next_section)
{
	const struct tree_node *n = &f->tree->nodes[node];
	struct mend *g = f->g;
	struct mend_scope *scope = &g->scopes[f->scope];
	uint32_t depth = 0;
	f->top = node;
	scope->mention = g->n_mentions;
	scope->statement = g->n_statements;
	f->section = f->statement = MEND_NONE;
	for (uint32_t t = n->first; t < n->last; t++) {
		uint32_t statement = finder_statement(f, t), at = finder_begin(f, t), d;
		while (*next_section < g->n_sections && g->sections[*next_section].begin <= at)
			f->section = (*next_section)++;
		if (f->section != MEND_NONE && at >= g->sections[f->section].end)
			f->section = MEND_NONE;
		if (statement != TREE_NONE)
			f->statement = statement;
		if (f->ground->group[t] != TREE_NONE)
			f->open[depth++] = f->ground->group[t];
		if (finder_token(f, t)->kind == TOKEN_IDENTIFIER &&
		    defined_at(g, at) == MEND_NONE) {
			d = definition_of(f, at, finder_begin(f, t + 1));
			if (d != MEND_NONE)
				add_mention(f, t, d);
		}
		if (depth && f->tree->nodes[f->open[depth - 1]].last == t + 1) {
			uint32_t group = f->open[--depth];
			if (finder_token(f, t)->bracket == f->tok->choices && f->tok->choices)
				add_choice(f, group, t);
		}
	}
	scope->n_mentions = g->n_mentions - scope->mention;
}

/* Lists of mentions by definition: all, and those outside of choices. */
void finder_sort_uses(struct mend *g)
{
	uint32_t all = 0;
	g->uses = mem_alloc((g->n_mentions + (size_t)1) * sizeof *g->uses);
	g->edges = mem_alloc((g->n_mentions + (size_t)1) * sizeof *g->edges);
	for (uint32_t d = 0; d < g->n_definitions; d++) {
		g->definitions[d].first = g->definitions[d].edges = all;
		all += g->definitions[d].n;
		g->definitions[d].n = 0;
	}
	for (uint32_t m = 0; m < g->n_mentions; m++) {
		struct mend_definition *d = &g->definitions[g->mentions[m].definition];
		g->uses[d->first + d->n++] = m;
		if (g->mentions[m].choice == MEND_NONE)
			g->edges[d->edges + d->n_edges++] = m;
	}
}

/* The mention at offset BEGIN, MEND_NONE. */
static uint32_t mentioned_at(const struct mend *g, uint32_t begin)
{
	uint32_t lo = 0, hi = g->n_mentions;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (g->mentions[mid].begin < begin)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < g->n_mentions && g->mentions[lo].begin == begin ? lo : MEND_NONE;
}

static void add_match(void *arg, const struct rewrite_match *match)
{
	struct finder *f = arg;
	struct mend *g = f->g;
	struct mend_match m = { .n = match->n, .parts = match->parts, .n_gone = match->n_gone };
	for (uint32_t i = 0; i < m.n_gone; i++) {
		m.gone[i] = mentioned_at(g, finder_begin(f, match->gone[i]));
		if (m.gone[i] == MEND_NONE)
			return;
	}
	MEM_GROW(g->matches, g->n_matches, f->cap_matches);
	g->matches[g->n_matches++] = m;
}

void finder_matches(struct finder *f)
{
	struct mend *g = f->g;
	uint32_t all = 0;
	for (uint32_t i = 0; i < tokenizer_n_gone(f->tok); i++)
		rewrite_find_gone(f->ground, f->tok, i, 0, f->tokens->n, &g->arena, add_match, f);
	for (uint32_t i = 0; i < g->n_matches; i++)
		for (uint32_t k = 0; k < g->matches[i].n_gone; k++)
			g->mentions[g->matches[i].gone[k]].n++;
	for (uint32_t m = 0; m < g->n_mentions; m++) {
		g->mentions[m].first = all;
		all += g->mentions[m].n;
		g->mentions[m].n = 0;
	}
	g->order = mem_alloc((all + (size_t)1) * sizeof *g->order);
	for (uint32_t i = 0; i < g->n_matches; i++)
		for (uint32_t k = 0; k < g->matches[i].n_gone; k++) {
			struct mend_mention *m = &g->mentions[g->matches[i].gone[k]];
			g->order[m->first + m->n++] = i;
		}
}
