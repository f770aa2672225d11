/* Sections that go or join others, and choices between those that control comes from. */
#include <stdlib.h>
#include <string.h>

#include "lang/mend_def.h"
#include "lang/mend_work.h"
#include "binary/repair_impl.h"

/* Whether EDIT removes a mention, and does not put it back with the text that it comes with. */
static bool drops(const struct mend *g, struct edit edit, const struct mend_mention *m)
{
	if (!mend_is_removed(edit, m->begin, m->end))
		return false;
	const struct edit_part *p = &edit.parts[repair_parts_before(edit, m->begin + 1) - 1];
	return !p->len || !memmem(p->text, p->len, g->bytes + m->begin, m->end - m->begin);
}

/* Is the mention no branch any more? */
static bool is_no_branch(const struct mend *g, const struct mend_work *w,
                         const struct mend_mention *m)
{
	return w && (drops(g, w->plain, m) || drops(g, w->mends, m));
}

/* What becomes of the label of a section. */
enum fate mend_section_fate(const struct mend *g, const struct mend_work *w, uint32_t section)
{
	uint32_t d = g->sections[section].definition;
	return w && d != MEND_NONE ? (enum fate)w->gone[d] : STAYS;
}

/* The section of SCOPE that joins this one, or MEND_NONE. */
static uint32_t find_joining(const struct mend *g, const struct mend_scope *scope,
                             const struct mend_work *w, uint32_t section)
{
	uint32_t next = section + 1, end = scope->section + scope->n_sections;
	while (next < end && mend_section_fate(g, w, next) == GOES)
		next++;
	return next < end && mend_section_fate(g, w, next) == JOINS ? next : MEND_NONE;
}

static void reach(const struct mend_scope *scope, uint32_t section, uint8_t *reached,
                  uint32_t *stack, uint32_t *n)
{
	if (section < scope->section || section - scope->section >= scope->n_sections ||
	    reached[section - scope->section])
		return;
	reached[section - scope->section] = 1;
	stack[(*n)++] = section;
}

void mend_reach(const struct mend *g, const struct mend_scope *scope, const struct mend_work *w,
                uint8_t *reached)
{
	uint32_t n = 0, *stack = mem_alloc((scope->n_sections + (size_t)1) * sizeof *stack);
	if (scope->n_sections)
		reach(scope, scope->section, reached, stack, &n);
	while (n) {
		uint32_t s = stack[--n];
		for (uint32_t i = 0; i < g->sections[s].n_mentions; i++) {
			const struct mend_mention *m = &g->mentions[g->sections[s].mention + i];
			uint32_t to = g->definitions[m->definition].section;
			if (m->choice == MEND_NONE && to != MEND_NONE && !is_no_branch(g, w, m))
				reach(scope, to, reached, stack, &n);
		}
		uint32_t next = w ? find_joining(g, scope, w, s) : MEND_NONE;
		if (next != MEND_NONE)
			reach(scope, next, reached, stack, &n);
	}
	free(stack);
}

/* Sections that control cannot come to any more go. */
void mend_drop_unreached(struct mend_work *w, const struct mend_scope *scope)
{
	const struct mend *g = w->g;
	if (scope->n_sections < 2)
		return;
	uint8_t *reached = arena_alloc(w->arena, scope->n_sections);
	memset(reached, 0, scope->n_sections);
	mend_reach(g, scope, w, reached);
	for (uint32_t i = 0; i < scope->n_sections; i++) {
		const struct mend_section *s = &g->sections[scope->section + i];
		if (reached[i] || !g->reached[scope->section + i] ||
		    repair_is_cut(w->plain, s->begin, s->end))
			continue;
		mend_add_part(w, (struct edit_part){ s->begin, s->end, 0, NULL });
		for (uint32_t d = mend_first_behind(g, s->begin);
		     d < g->n_definitions && g->definitions[d].begin < s->end; d++)
			mend_lose(w, d, GOES);
	}
}

/* Sections that have lost their end, and that nothing joins, get one in place of what is cut; the
 * first one stays, whatever becomes of its label. */
void mend_end_sections(struct mend_work *w, const struct mend_scope *scope)
{
	const struct mend *g = w->g;
	for (uint32_t i = 0; i < scope->n_sections && g->section_end; i++) {
		const struct mend_section *s = &g->sections[scope->section + i];
		uint32_t k = repair_parts_before(w->plain, s->last_begin + 1);
		if ((s->before != MEND_NONE &&
		     mend_section_fate(g, w, scope->section + i) == GOES) ||
		    s->last_begin == s->last_end || !mend_loses_end(w, scope->section + i) ||
		    find_joining(g, scope, w, scope->section + i) != MEND_NONE)
			continue;
		struct edit_part *part = (struct edit_part *)&w->plain.parts[k - 1];
		part->len = (uint32_t)strlen(g->section_end);
		part->text = (const uint8_t *)g->section_end;
	}
}

/* ---- choices ---- */

/* How many branches lead from section P to the section with the label D, before and after. */
static void count_edges(const struct mend_work *w, uint32_t p, const struct mend_definition *d,
                        uint32_t *before, uint32_t *after)
{
	const struct mend *g = w->g;
	const uint32_t *edges = g->edges + d->edges;
	uint32_t lo = 0, hi = d->n_edges;
	while (lo < hi) { /* the first that is not before the section */
		uint32_t mid = lo + (hi - lo) / 2;
		if (g->mentions[edges[mid]].begin < g->sections[p].begin)
			lo = mid + 1;
		else
			hi = mid;
	}
	*before = *after = 0;
	for (; lo < d->n_edges && g->mentions[edges[lo]].begin < g->sections[p].end; lo++) {
		++*before;
		*after += !is_no_branch(g, w, &g->mentions[edges[lo]]);
	}
}

/* Whether control does not come any more from where the choice says. */
static bool is_over(const struct mend_work *w, const struct mend_choice *c)
{
	const struct mend *g = w->g;
	uint32_t from = g->mentions[c->mention].definition, to = g->sections[c->section].definition,
		 before, after;
	if (w->gone[from] == GOES)
		return true;
	if (to == MEND_NONE)
		return false;
	count_edges(w, g->definitions[from].section, &g->definitions[to], &before, &after);
	return after < before && c->rank >= after;
}

/* What becomes of the choices of a statement. */
static void mend_choices(struct mend_work *w, uint32_t statement)
{
	const struct mend *g = w->g;
	const struct mend_statement *s = &g->statements[statement];
	uint32_t over = 0;
	bool *is_gone = arena_alloc(w->arena, s->n * sizeof *is_gone), kept = false;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct mend_choice *c = &g->choices[s->first + i];
		is_gone[i] = repair_is_cut(w->plain, c->begin, c->end) || is_over(w, c);
		over += is_gone[i];
	}
	if (over == s->n) {
		mend_add_part(w, (struct edit_part){ s->begin, s->end, 0, NULL });
		mend_lose(w, s->definition, GOES);
		return;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		const struct mend_choice *c = &g->choices[s->first + i];
		if (is_gone[i])
			mend_add_part(w,
			              kept ? (struct edit_part){ c[-1].end, c->end, 0, NULL }
			                   : (struct edit_part){ c->begin, c[1].begin, 0, NULL });
		kept |= !is_gone[i];
	}
}

void mend_statements(struct mend_work *w, const struct mend_scope *scope)
{
	const struct mend *g = w->g;
	for (uint32_t i = 0; i < scope->n_statements; i++) {
		const struct mend_statement *s = &g->statements[scope->statement + i];
		if (!mend_is_removed(w->plain, s->begin, s->end) &&
		    !mend_is_removed(w->mends, s->begin, s->end))
			mend_choices(w, scope->statement + i);
	}
}
