#include "lang/references.h"

#include <stdio.h>

#include "binary/repair.h"
#include "lang/references_def.h"
#include "base/mem.h"

struct references_work {
	const struct references *g;
	struct edit plain;
	struct arena *arena;
	uint8_t *gone;                    /* per definition: what becomes of it */
	uint32_t n_list, cap_list, *list; /* definitions that go */
	struct edit mends;                /* what has been found to change, sorted and disjoint */
	uint32_t n_parts, cap_parts;
	struct edit_part *parts; /* more of that, in any order */
};

enum fate {
	STAYS,
	GOES,
	RENAMED,
	JOINS, /* a label, while the end of its section stays: it is of the section before it */
};

/* What becomes of the label of a section; of one without STAYS. W may be NULL. */
enum fate references_section_fate(const struct references *g, const struct references_work *w,
                                  uint32_t section);

/* Whether the edit as it is so far changes any of [begin, end). */
static bool references_is_touched(const struct references_work *w, uint32_t begin, uint32_t end)
{
	return repair_touched(w->plain, begin, end) || repair_touched(w->mends, begin, end);
}

/* Whether EDIT cuts or replaces all of [begin, end), and not a part of it alone. */
static bool references_is_removed(struct edit edit, uint32_t begin, uint32_t end)
{
	uint32_t k = repair_parts_before(edit, begin + 1);
	return k && edit.parts[k - 1].end >= end;
}

/* PART is to become part of the edit. */
static void references_add_part(struct references_work *w, struct edit_part part)
{
	MEM_PUSH(w->parts, w->n_parts, w->cap_parts, part);
}

/* By where they begin; the one that covers others first. */
static int by_place(const void *a, const void *b)
{
	const struct edit_part *x = a, *y = b;
	if (x->begin == y->begin && x->end != y->end)
		return MEM_ORDER(y, x, end);
	return MEM_ORDER_TWO(x, y, begin, len);
}

/* Puts the parts that were added into the mends, but for what the plain edit changes, and what
 * others cover or overlap. A cut may be of more than the plain edit changes. */
static void settle(struct references_work *w)
{
	uint32_t n = 0, end = 0;
	for (uint32_t i = 0; i < w->mends.n; i++)
		references_add_part(w, w->mends.parts[i]);
	struct edit_part *all = arena_alloc(w->arena, (w->n_parts + (size_t)1) * sizeof *all);
	MEM_SORT(w->parts, w->n_parts, by_place);
	for (uint32_t i = 0; i < w->n_parts; i++) {
		const struct edit_part *p = &w->parts[i];
		if (p->begin < end || (p->len && repair_touched(w->plain, p->begin, p->end)) ||
		    references_is_removed(w->plain, p->begin, p->end))
			continue;
		all[n++] = *p;
		end = p->end;
	}
	w->mends = (struct edit){ n, all };
	w->n_parts = 0;
}

/* A definition goes, or is renamed or joined. */
static void references_lose(struct references_work *w, uint32_t definition, enum fate fate)
{
	enum fate was = (enum fate)w->gone[definition];
	if (was == STAYS || fate == GOES)
		w->gone[definition] = (uint8_t)fate;
	if (was != STAYS)
		return;
	MEM_PUSH(w->list, w->n_list, w->cap_list, definition);
}

uint32_t references_first_behind(const struct references *g, uint32_t at)
{
	uint32_t lo = MEM_FIRST(g->definitions, g->n.definitions, end, at + 1);
	return lo;
}

/* Whether the plain edit cuts the end of a section. */
static bool references_loses_end(const struct references_work *w, uint32_t section)
{
	const struct references_section *s = &w->g->sections[section];
	return repair_is_cut(w->plain, s->last_begin, s->last_end);
}

/* Whether the plain edit cuts the label of a section, or all of one without a label. */
static bool loses_label(const struct references_work *w, uint32_t section)
{
	const struct references_section *s = &w->g->sections[section];
	if (s->definition == MEND_NONE)
		return false;
	const struct references_definition *d = &w->g->definitions[s->definition];
	return d->nameless ? repair_is_cut(w->plain, s->begin, s->last_end)
	                   : references_is_removed(w->plain, d->begin, d->end);
}

/* What becomes of definition D, which the plain edit touches. A section without a label, or that
 * loses it and keeps its end, joins the last one before it that is not all cut, if that has lost
 * its end. */
static enum fate fate_of(const struct references_work *w, const struct references_definition *d)
{
	uint32_t before = d->section == MEND_NONE ? MEND_NONE : w->g->sections[d->section].before;
	if (!d->nameless && !references_is_removed(w->plain, d->begin, d->end))
		return RENAMED;
	if (before == MEND_NONE)
		return d->nameless ? STAYS : GOES;
	if (d->nameless ? loses_label(w, d->section) : references_loses_end(w, d->section))
		return GOES;
	while (w->g->sections[before].before != MEND_NONE && loses_label(w, before) &&
	       references_loses_end(w, before))
		before = w->g->sections[before].before;
	return references_loses_end(w, before) ? JOINS : d->nameless ? STAYS : GOES;
}

/* Sections that go or join others, and choices between those that control comes from. */

/* Whether EDIT removes a mention, and does not put it back with the text that it comes with. */
static bool drops(const struct references *g, struct edit edit, const struct references_mention *m)
{
	if (!references_is_removed(edit, m->begin, m->end))
		return false;
	const struct edit_part *p = &edit.parts[repair_parts_before(edit, m->begin + 1) - 1];
	return !p->len || !memmem(p->text, p->len, g->bytes + m->begin, m->end - m->begin);
}

/* Is the mention no branch any more? */
static bool is_no_branch(const struct references *g, const struct references_work *w,
                         const struct references_mention *m)
{
	return w && (drops(g, w->plain, m) || drops(g, w->mends, m));
}

/* What becomes of the label of a section. */
enum fate references_section_fate(const struct references *g, const struct references_work *w,
                                  uint32_t section)
{
	uint32_t d = g->sections[section].definition;
	return w && d != MEND_NONE ? (enum fate)w->gone[d] : STAYS;
}

/* The section of SCOPE that joins this one, or MEND_NONE. */
static uint32_t find_joining(const struct references *g, const struct references_scope *scope,
                             const struct references_work *w, uint32_t section)
{
	uint32_t next = section + 1, end = scope->section + scope->n_sections;
	while (next < end && references_section_fate(g, w, next) == GOES)
		next++;
	return next < end && references_section_fate(g, w, next) == JOINS ? next : MEND_NONE;
}

static void reach(const struct references_scope *scope, uint32_t section, uint8_t *reached,
                  uint32_t *stack, uint32_t *n)
{
	if (section < scope->section || section - scope->section >= scope->n_sections ||
	    reached[section - scope->section])
		return;
	reached[section - scope->section] = 1;
	stack[(*n)++] = section;
}

void references_reach(const struct references *g, const struct references_scope *scope,
                      const struct references_work *w, uint8_t *reached)
{
	uint32_t n = 0, *stack = mem_alloc((scope->n_sections + (size_t)1) * sizeof *stack);
	if (scope->n_sections)
		reach(scope, scope->section, reached, stack, &n);
	while (n) {
		uint32_t s = stack[--n];
		for (uint32_t i = 0; i < g->sections[s].n_mentions; i++) {
			const struct references_mention *m =
				&g->mentions[g->sections[s].mention + i];
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
static void references_drop_unreached(struct references_work *w,
                                      const struct references_scope *scope)
{
	const struct references *g = w->g;
	if (scope->n_sections < 2)
		return;
	uint8_t *reached = arena_zero(w->arena, scope->n_sections);
	references_reach(g, scope, w, reached);
	for (uint32_t i = 0; i < scope->n_sections; i++) {
		const struct references_section *s = &g->sections[scope->section + i];
		if (reached[i] || !g->reached[scope->section + i] ||
		    repair_is_cut(w->plain, s->begin, s->end))
			continue;
		references_add_part(w, (struct edit_part){ s->begin, s->end, 0, NULL });
		for (uint32_t d = references_first_behind(g, s->begin);
		     d < g->n.definitions && g->definitions[d].begin < s->end; d++)
			references_lose(w, d, GOES);
	}
}

/* Sections that have lost their end, and that nothing joins, get one in place of what is cut; the
 * first one stays, whatever becomes of its label, as long as the brackets around it do. */
static void references_end_sections(struct references_work *w, const struct references_scope *scope)
{
	const struct references *g = w->g;
	uint32_t ends =
		repair_is_cut(w->plain, scope->body, scope->body + 1) ? 0 : scope->n_sections;
	for (uint32_t i = 0; i < ends && g->section_end; i++) {
		const struct references_section *s = &g->sections[scope->section + i];
		uint32_t k = repair_parts_before(w->plain, s->last_begin + 1);
		if ((s->before != MEND_NONE &&
		     references_section_fate(g, w, scope->section + i) == GOES) ||
		    s->last_begin == s->last_end || !references_loses_end(w, scope->section + i) ||
		    find_joining(g, scope, w, scope->section + i) != MEND_NONE)
			continue;
		struct edit_part *part = (struct edit_part *)&w->plain.parts[k - 1];
		part->len = (uint32_t)strlen(g->section_end);
		part->text = (const uint8_t *)g->section_end;
	}
}

/* ---- choices ---- */

/* How many branches lead from section P to the section with the label D, before and after. */
static void count_edges(const struct references_work *w, uint32_t p,
                        const struct references_definition *d, uint32_t *before, uint32_t *after)
{
	const struct references *g = w->g;
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
static bool is_over(const struct references_work *w, const struct references_choice *c)
{
	const struct references *g = w->g;
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
static void references_choices(struct references_work *w, uint32_t statement)
{
	const struct references *g = w->g;
	const struct references_statement *s = &g->statements[statement];
	uint32_t over = 0;
	bool *is_gone = arena_alloc(w->arena, s->n * sizeof *is_gone), kept = false;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct references_choice *c = &g->choices[s->first + i];
		is_gone[i] = repair_is_cut(w->plain, c->begin, c->end) || is_over(w, c);
		over += is_gone[i];
	}
	if (over == s->n) {
		references_add_part(w, (struct edit_part){ s->begin, s->end, 0, NULL });
		references_lose(w, s->definition, GOES);
		return;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		const struct references_choice *c = &g->choices[s->first + i];
		if (is_gone[i])
			references_add_part(
				w, kept ? (struct edit_part){ c[-1].end, c->end, 0, NULL }
					: (struct edit_part){ c->begin, c[1].begin, 0, NULL });
		kept |= !is_gone[i];
	}
}

static void references_statements(struct references_work *w, const struct references_scope *scope)
{
	const struct references *g = w->g;
	for (uint32_t i = 0; i < scope->n_statements; i++) {
		const struct references_statement *s = &g->statements[scope->statement + i];
		if (!references_is_removed(w->plain, s->begin, s->end) &&
		    !references_is_removed(w->mends, s->begin, s->end))
			references_choices(w, scope->statement + i);
	}
}

/* Names that change because definitions go: numbers, and sections that have joined others. */

/* The number at [begin, end), with LESS of them in front of it; a mark and the like stay. */
static void add_number(struct references_work *w, uint32_t begin, uint32_t len, uint32_t number,
                       uint32_t less)
{
	if (!less || references_is_touched(w, begin, begin + len))
		return;
	uint8_t *text = arena_alloc(w->arena, 16);
	uint32_t n = (uint32_t)sprintf((char *)text, "%u", number - less);
	references_add_part(w, (struct edit_part){ begin, begin + len, n, text });
}

/* Per section of SCOPE the one that it is of, if it joins. */
static uint32_t *find_homes(const struct references_work *w, const struct references_scope *scope)
{
	uint32_t *home = arena_alloc(w->arena, (scope->n_sections + (size_t)1) * sizeof *home);
	for (uint32_t i = 0; i < scope->n_sections; i++) {
		enum fate fate = references_section_fate(w->g, w, scope->section + i);
		home[i] = i && (fate == JOINS || fate == GOES) ? home[i - 1] : scope->section + i;
	}
	return home;
}

/* Choices name the section that theirs joins. */
static void name_joined(struct references_work *w, const struct references_scope *scope,
                        const uint32_t *lost, uint32_t n)
{
	const struct references *g = w->g;
	const uint32_t *home = find_homes(w, scope);
	for (uint32_t i = 0; i < scope->n_mentions; i++) {
		const struct references_mention *m = &g->mentions[scope->mention + i];
		if (m->choice == MEND_NONE || w->gone[m->definition] != JOINS)
			continue;
		uint32_t s = home[g->definitions[m->definition].section - scope->section];
		if (g->sections[s].definition == MEND_NONE)
			continue;
		const struct references_definition *d = &g->definitions[g->sections[s].definition];
		char *text = arena_alloc(w->arena, d->name_len + (size_t)16);
		int len = d->number == MEND_NONE
		                  ? sprintf(text, "%c%.*s", g->mark[0], (int)d->name_len,
		                            g->bytes + d->name_begin)
		                  : sprintf(text, "%c%u", g->mark[0],
		                            d->number - mem_first_u32(lost, n, d->number));
		references_add_part(
			w, (struct edit_part){ m->begin, m->end, (uint32_t)len, (uint8_t *)text });
	}
}

/* The definitions of SCOPE that go leave no gap in the numbers. */
static void close_gaps(struct references_work *w, const struct references_scope *scope,
                       const uint32_t *lost, uint32_t n)
{
	const struct references *g = w->g;
	uint32_t index = (uint32_t)(scope - g->scopes);
	for (uint32_t i = 0; i < scope->n_mentions; i++) {
		const struct references_mention *m = &g->mentions[scope->mention + i];
		const struct references_definition *d = &g->definitions[m->definition];
		if (d->scope == index && d->number != MEND_NONE)
			add_number(w, m->begin + 1, m->end - m->begin - 1, d->number,
			           mem_first_u32(lost, n, d->number));
	}
	for (uint32_t i = references_first_behind(g, scope->begin);
	     i < g->n.definitions && g->definitions[i].begin < scope->end; i++) {
		const struct references_definition *d = &g->definitions[i];
		if (d->scope == index && d->number != MEND_NONE && !d->nameless)
			add_number(w, d->name_begin, d->name_len, d->number,
			           mem_first_u32(lost, n, d->number));
	}
}

static void references_names(struct references_work *w, const struct references_scope *scope)
{
	const struct references *g = w->g;
	uint32_t n = 0, cap = 0, *lost = NULL, index = (uint32_t)(scope - g->scopes);
	for (uint32_t i = references_first_behind(g, scope->begin);
	     scope->numbered && i < g->n.definitions && g->definitions[i].begin < scope->end; i++) {
		const struct references_definition *d = &g->definitions[i];
		if (w->gone[i] != STAYS && d->number != MEND_NONE && d->scope == index)
			MEM_PUSH(lost, n, cap, d->number);
	}
	MEM_SORT(lost, n, mem_order_u32);
	name_joined(w, scope, lost, n);
	if (n)
		close_gaps(w, scope, lost, n);
	free(lost);
}

static void lose_definition(struct references_work *w, uint32_t d)
{
	enum fate fate = fate_of(w, &w->g->definitions[d]);
	if (fate != STAYS)
		references_lose(w, d, fate);
}

/* A section without a label may join one that PART cuts the end of. */
static void lose_nameless(struct references_work *w, const struct edit_part *part)
{
	const struct references *g = w->g;
	uint32_t lo =
		MEM_FIRST(g->sections, g->n.sections, end,
	                  part->begin + 1); /* the first section that ends behind the beginning */
	for (; lo + 1 < g->n.sections && g->sections[lo].begin < part->end; lo++) {
		uint32_t d = g->sections[lo + 1].definition;
		if (d != MEND_NONE && g->definitions[d].nameless)
			lose_definition(w, d);
	}
}

static void lose_touched(struct references_work *w)
{
	const struct references *g = w->g;
	for (uint32_t i = 0; i < w->plain.n; i++) {
		for (uint32_t d = references_first_behind(g, w->plain.parts[i].begin);
		     d < g->n.definitions && g->definitions[d].begin < w->plain.parts[i].end; d++)
			lose_definition(w, d);
		lose_nameless(w, &w->plain.parts[i]);
	}
}

/* Whether nothing is what branches and operands mean by the name. */
static bool is_lost(const struct references_work *w, uint32_t definition)
{
	return w->gone[definition] == GOES || w->gone[definition] == JOINS;
}

/* The best match of a mention all of whose definitions go; NULL. */
static const struct references_match *find_match(const struct references_work *w,
                                                 const struct references_mention *m)
{
	const struct references *g = w->g;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct references_match *match = &g->matches[g->order[m->first + i]];
		uint32_t k = 0;
		while (k < match->n_gone && is_lost(w, g->mentions[match->gone[k]].definition))
			k++;
		if (k == match->n_gone)
			return match;
	}
	return NULL;
}

/* The statement that mentions what goes, with all that it defines. */
static void cut_item(struct references_work *w, const struct references_mention *m)
{
	const struct references *g = w->g;
	references_add_part(w, (struct edit_part){ m->item, m->item_end, 0, NULL });
	for (uint32_t d = references_first_behind(g, m->item);
	     d < g->n.definitions && g->definitions[d].begin < m->item_end; d++)
		references_lose(w, d, GOES);
}

/* What becomes of a mention of what goes; STAND_IN: what stands in for it, or NULL. */
static void mend(struct references_work *w, const struct references_mention *m,
                 const char *stand_in)
{
	const struct references_match *match = find_match(w, m);
	if (match ? match->item : w->g->cascades && !stand_in) {
		cut_item(w, m);
		return;
	}
	if (stand_in)
		references_add_part(w, (struct edit_part){ m->begin, m->end,
		                                           (uint32_t)strlen(stand_in),
		                                           (const uint8_t *)stand_in });
	for (uint32_t k = 0; !stand_in && match && k < match->n; k++)
		references_add_part(w, match->parts[k]);
}

/* What mentions definitions that go: LABELS, or what is none. */
static void references_uses(struct references_work *w, bool labels)
{
	const struct references *g = w->g;
	for (uint32_t i = 0; i < w->n_list; i++) {
		const struct references_definition *d = &g->definitions[w->list[i]];
		for (uint32_t u = 0; u < d->n; u++) {
			const struct references_mention *m = &g->mentions[g->uses[d->first + u]];
			if (m->choice != MEND_NONE || references_is_touched(w, m->begin, m->end) ||
			    !is_lost(w, w->list[i]) || labels != (d->section != MEND_NONE))
				continue;
			mend(w, m, d->stand_in);
		}
	}
	settle(w);
}

/* The scope that AT is in, or the first behind it. */
static uint32_t scope_at(const struct references *g, uint32_t at)
{
	uint32_t lo = MEM_FIRST(g->scopes, g->n.scopes, end, at + 1);
	return lo;
}

/* Calls EACH for the scopes that the plain edit touches, and those that lose a definition. */
static void for_scopes(struct references_work *w,
                       void (*each)(struct references_work *w,
                                    const struct references_scope *scope))
{
	const struct references *g = w->g;
	uint8_t *touched = mem_zero(g->n.scopes + (size_t)1, 1);
	for (uint32_t i = 0, next = 0; i < w->plain.n; i++) {
		uint32_t s = scope_at(g, w->plain.parts[i].begin);
		for (s = s < next ? next : s;
		     s < g->n.scopes && g->scopes[s].begin <= w->plain.parts[i].end; s++) {
			touched[s] = 1;
			next = s + 1;
		}
	}
	for (uint32_t i = 0; i < w->n_list; i++)
		if (g->definitions[w->list[i]].scope != MEND_NONE)
			touched[g->definitions[w->list[i]].scope] = 1;
	for (uint32_t s = 0; s < g->n.scopes; s++)
		if (touched[s])
			each(w, &g->scopes[s]);
	free(touched);
}

struct edit references_edit(const struct references *g, struct edit plain, struct arena *arena)
{
	struct references_work w = { .g = g, .plain = edit_copy(arena, plain), .arena = arena };
	struct edit all;
	if (!plain.n || !g->n.definitions)
		return plain;
	w.gone = mem_zero(g->n.definitions, 1);
	lose_touched(&w);
	references_uses(&w, true); /* branches first: they say which sections and choices go */
	for_scopes(&w, references_drop_unreached);
	settle(&w);
	references_uses(&w, true);
	for_scopes(&w, references_statements);
	settle(&w);
	references_uses(&w, false);
	for_scopes(&w, references_names);
	settle(&w);
	for_scopes(&w, references_end_sections);
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
