#include "lang/mend.h"

#include <stdlib.h>
#include <string.h>

#include "lang/mend_def.h"
#include "lang/mend_work.h"
#include "binary/repair_impl.h"

bool mend_is_touched(const struct mend_work *w, uint32_t begin, uint32_t end)
{
	return repair_touched(w->plain, begin, end) || repair_touched(w->mends, begin, end);
}

/* Whether all of it is cut or replaced, and not a part of it alone. */
bool mend_is_removed(struct edit edit, uint32_t begin, uint32_t end)
{
	uint32_t k = repair_parts_before(edit, begin + 1);
	return k && edit.parts[k - 1].end >= end;
}

void mend_add_part(struct mend_work *w, struct edit_part part)
{
	MEM_GROW(w->parts, w->n_parts, w->cap_parts);
	w->parts[w->n_parts++] = part;
}

/* By where they begin; the one that covers others first. */
static int by_place(const void *a, const void *b)
{
	const struct edit_part *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->len < y->len ? -1 : x->len > y->len;
}

/* Puts the parts that were added into the mends, but for what the plain edit changes, and what
 * others cover or overlap. A cut may be of more than the plain edit changes. */
static void settle(struct mend_work *w)
{
	uint32_t n = 0, end = 0;
	for (uint32_t i = 0; i < w->mends.n; i++)
		mend_add_part(w, w->mends.parts[i]);
	struct edit_part *all = arena_alloc(w->arena, (w->n_parts + (size_t)1) * sizeof *all);
	if (w->n_parts)
		qsort(w->parts, w->n_parts, sizeof *w->parts, by_place);
	for (uint32_t i = 0; i < w->n_parts; i++) {
		const struct edit_part *p = &w->parts[i];
		if (p->begin < end || (p->len && repair_touched(w->plain, p->begin, p->end)))
			continue;
		all[n++] = *p;
		end = p->end;
	}
	w->mends = (struct edit){ n, all };
	w->n_parts = 0;
}

void mend_lose(struct mend_work *w, uint32_t definition, enum fate fate)
{
	enum fate was = (enum fate)w->gone[definition];
	if (was == STAYS || fate == GOES)
		w->gone[definition] = (uint8_t)fate;
	if (was != STAYS)
		return;
	MEM_GROW(w->list, w->n_list, w->cap_list);
	w->list[w->n_list++] = definition;
}

/* The first definition that ends behind AT. */
uint32_t mend_first_behind(const struct mend *g, uint32_t at)
{
	uint32_t lo = 0, hi = g->n_definitions;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (g->definitions[mid].end <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Whether the plain edit cuts the end of a section. */
bool mend_loses_end(const struct mend_work *w, uint32_t section)
{
	const struct mend_section *s = &w->g->sections[section];
	return repair_is_cut(w->plain, s->last_begin, s->last_end);
}

/* Whether the plain edit cuts the label of a section, or all of one without a label. */
static bool loses_label(const struct mend_work *w, uint32_t section)
{
	const struct mend_section *s = &w->g->sections[section];
	if (s->definition == MEND_NONE)
		return false;
	const struct mend_definition *d = &w->g->definitions[s->definition];
	return d->nameless ? repair_is_cut(w->plain, s->begin, s->last_end)
	                   : mend_is_removed(w->plain, d->begin, d->end);
}

/* What becomes of definition D, which the plain edit touches. A section without a label, or that
 * loses it and keeps its end, joins the last one before it that is not all cut, if that has lost
 * its end. */
static enum fate fate_of(const struct mend_work *w, const struct mend_definition *d)
{
	uint32_t before = d->section == MEND_NONE ? MEND_NONE : w->g->sections[d->section].before;
	if (!d->nameless && !mend_is_removed(w->plain, d->begin, d->end))
		return RENAMED;
	if (before == MEND_NONE)
		return d->nameless ? STAYS : GOES;
	if (d->nameless ? loses_label(w, d->section) : mend_loses_end(w, d->section))
		return GOES;
	while (w->g->sections[before].before != MEND_NONE && loses_label(w, before) &&
	       mend_loses_end(w, before))
		before = w->g->sections[before].before;
	return mend_loses_end(w, before) ? JOINS : d->nameless ? STAYS : GOES;
}

static void lose_definition(struct mend_work *w, uint32_t d)
{
	enum fate fate = fate_of(w, &w->g->definitions[d]);
	if (fate != STAYS)
		mend_lose(w, d, fate);
}

/* A section without a label may join one that PART cuts the end of. */
static void lose_nameless(struct mend_work *w, const struct edit_part *part)
{
	const struct mend *g = w->g;
	uint32_t lo = 0, hi = g->n_sections; /* the first section that ends behind the beginning */
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (g->sections[mid].end <= part->begin)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo + 1 < g->n_sections && g->sections[lo].begin < part->end; lo++) {
		uint32_t d = g->sections[lo + 1].definition;
		if (d != MEND_NONE && g->definitions[d].nameless)
			lose_definition(w, d);
	}
}

static void lose_touched(struct mend_work *w)
{
	const struct mend *g = w->g;
	for (uint32_t i = 0; i < w->plain.n; i++) {
		for (uint32_t d = mend_first_behind(g, w->plain.parts[i].begin);
		     d < g->n_definitions && g->definitions[d].begin < w->plain.parts[i].end; d++)
			lose_definition(w, d);
		lose_nameless(w, &w->plain.parts[i]);
	}
}

/* Whether nothing is what branches and operands mean by the name. */
static bool is_lost(const struct mend_work *w, uint32_t definition)
{
	return w->gone[definition] == GOES || w->gone[definition] == JOINS;
}

/* The best match of a mention all of whose definitions go; NULL. */
static const struct mend_match *find_match(const struct mend_work *w, const struct mend_mention *m)
{
	const struct mend *g = w->g;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct mend_match *match = &g->matches[g->order[m->first + i]];
		uint32_t k = 0;
		while (k < match->n_gone && is_lost(w, g->mentions[match->gone[k]].definition))
			k++;
		if (k == match->n_gone)
			return match;
	}
	return NULL;
}

/* The statement that mentions what goes, with all that it defines. */
static void cut_item(struct mend_work *w, const struct mend_mention *m)
{
	const struct mend *g = w->g;
	mend_add_part(w, (struct edit_part){ m->item, m->item_end, 0, NULL });
	for (uint32_t d = mend_first_behind(g, m->item);
	     d < g->n_definitions && g->definitions[d].begin < m->item_end; d++)
		mend_lose(w, d, GOES);
}

/* What mentions definitions that go: LABELS, or what is none. */
static void mend_uses(struct mend_work *w, bool labels)
{
	const struct mend *g = w->g;
	for (uint32_t i = 0; i < w->n_list; i++) {
		const struct mend_definition *d = &g->definitions[w->list[i]];
		for (uint32_t u = 0; u < d->n; u++) {
			const struct mend_mention *m = &g->mentions[g->uses[d->first + u]];
			if (m->choice != MEND_NONE || mend_is_touched(w, m->begin, m->end) ||
			    !is_lost(w, w->list[i]) || labels != (d->section != MEND_NONE))
				continue;
			const struct mend_match *match = find_match(w, m);
			for (uint32_t k = 0; match && k < match->n; k++)
				mend_add_part(w, match->parts[k]);
			if (!match && g->cascades)
				cut_item(w, m);
		}
	}
	settle(w);
}

/* The scope that AT is in, or the first behind it. */
static uint32_t scope_at(const struct mend *g, uint32_t at)
{
	uint32_t lo = 0, hi = g->n_scopes;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (g->scopes[mid].end <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Calls EACH for the scopes that the plain edit touches. */
static void for_scopes(struct mend_work *w,
                       void (*each)(struct mend_work *w, const struct mend_scope *scope))
{
	const struct mend *g = w->g;
	uint32_t next = 0;
	for (uint32_t i = 0; i < w->plain.n; i++) {
		uint32_t s = scope_at(g, w->plain.parts[i].begin);
		for (s = s < next ? next : s;
		     s < g->n_scopes && g->scopes[s].begin <= w->plain.parts[i].end; s++) {
			each(w, &g->scopes[s]);
			next = s + 1;
		}
	}
}

struct edit mend_edit(const struct mend *g, struct edit plain, struct arena *arena)
{
	struct mend_work w = { .g = g, .plain = edit_copy(arena, plain), .arena = arena };
	struct edit all;
	if (!plain.n || !g->n_definitions)
		return plain;
	w.gone = mem_zero(g->n_definitions, 1);
	lose_touched(&w);
	mend_uses(&w, true); /* branches first: they say which sections and choices go */
	for_scopes(&w, mend_drop_unreached);
	settle(&w);
	mend_uses(&w, true);
	for_scopes(&w, mend_statements);
	settle(&w);
	mend_uses(&w, false);
	for_scopes(&w, mend_names);
	settle(&w);
	for_scopes(&w, mend_end_sections);
	uint32_t n = plain.n + w.mends.n;
	struct edit_part *parts = arena_alloc(arena, n * sizeof *parts);
	memcpy(parts, w.plain.parts, plain.n * sizeof *parts);
	if (w.mends.n)
		memcpy(parts + plain.n, w.mends.parts, w.mends.n * sizeof *parts);
	if (!edit_make(arena, parts, n, &all))
		all = plain;
	free(w.gone);
	free(w.list);
	free(w.parts);
	return all;
}
