/* Names that change because definitions go: numbers, and sections that have joined others. */
#include <stdio.h>
#include <stdlib.h>

#include "lang/mend_def.h"
#include "lang/mend_work.h"

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* How many of N sorted numbers are below NUMBER. */
static uint32_t count_below(const uint32_t *numbers, uint32_t n, uint32_t number)
{
	uint32_t lo = 0, hi = n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (numbers[mid] < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The number at [begin, end), with LESS of them in front of it; a mark and the like stay. */
static void add_number(struct mend_work *w, uint32_t begin, uint32_t len, uint32_t number,
                       uint32_t less)
{
	if (!less || mend_is_touched(w, begin, begin + len))
		return;
	uint8_t *text = arena_alloc(w->arena, 16);
	uint32_t n = (uint32_t)sprintf((char *)text, "%u", number - less);
	mend_add_part(w, (struct edit_part){ begin, begin + len, n, text });
}

/* Per section of SCOPE the one that it is of, if it joins. */
static uint32_t *find_homes(const struct mend_work *w, const struct mend_scope *scope)
{
	uint32_t *home = arena_alloc(w->arena, (scope->n_sections + (size_t)1) * sizeof *home);
	for (uint32_t i = 0; i < scope->n_sections; i++) {
		enum fate fate = mend_section_fate(w->g, w, scope->section + i);
		home[i] = i && (fate == JOINS || fate == GOES) ? home[i - 1] : scope->section + i;
	}
	return home;
}

/* Choices name the section that theirs joins. */
static void name_joined(struct mend_work *w, const struct mend_scope *scope, const uint32_t *lost,
                        uint32_t n)
{
	const struct mend *g = w->g;
	const uint32_t *home = find_homes(w, scope);
	for (uint32_t i = 0; i < scope->n_mentions; i++) {
		const struct mend_mention *m = &g->mentions[scope->mention + i];
		if (m->choice == MEND_NONE || w->gone[m->definition] != JOINS)
			continue;
		uint32_t s = home[g->definitions[m->definition].section - scope->section];
		if (g->sections[s].definition == MEND_NONE)
			continue;
		const struct mend_definition *d = &g->definitions[g->sections[s].definition];
		char *text = arena_alloc(w->arena, d->name_len + (size_t)16);
		int len = d->number == MEND_NONE
		                  ? sprintf(text, "%c%.*s", g->mark[0], (int)d->name_len,
		                            g->bytes + d->name_begin)
		                  : sprintf(text, "%c%u", g->mark[0],
		                            d->number - count_below(lost, n, d->number));
		mend_add_part(
			w, (struct edit_part){ m->begin, m->end, (uint32_t)len, (uint8_t *)text });
	}
}

/* The definitions of SCOPE that go leave no gap in the numbers. */
static void close_gaps(struct mend_work *w, const struct mend_scope *scope, const uint32_t *lost,
                       uint32_t n)
{
	const struct mend *g = w->g;
	uint32_t index = (uint32_t)(scope - g->scopes);
	for (uint32_t i = 0; i < scope->n_mentions; i++) {
		const struct mend_mention *m = &g->mentions[scope->mention + i];
		const struct mend_definition *d = &g->definitions[m->definition];
		if (d->scope == index && d->number != MEND_NONE)
			add_number(w, m->begin + 1, m->end - m->begin - 1, d->number,
			           count_below(lost, n, d->number));
	}
	for (uint32_t i = mend_first_behind(g, scope->begin);
	     i < g->n_definitions && g->definitions[i].begin < scope->end; i++) {
		const struct mend_definition *d = &g->definitions[i];
		if (d->scope == index && d->number != MEND_NONE && !d->nameless)
			add_number(w, d->name_begin, d->name_len, d->number,
			           count_below(lost, n, d->number));
	}
}

void mend_names(struct mend_work *w, const struct mend_scope *scope)
{
	const struct mend *g = w->g;
	uint32_t n = 0, index = (uint32_t)(scope - g->scopes);
	uint32_t *lost = arena_alloc(w->arena, (w->n_list + (size_t)1) * sizeof *lost);
	for (uint32_t i = 0; i < w->n_list && scope->numbered; i++) {
		const struct mend_definition *d = &g->definitions[w->list[i]];
		if (d->number != MEND_NONE && d->scope == index)
			lost[n++] = d->number;
	}
	if (n)
		qsort(lost, n, sizeof *lost, by_number);
	name_joined(w, scope, lost, n);
	if (n)
		close_gaps(w, scope, lost, n);
}
