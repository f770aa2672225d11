#include "search/strategy.h"

#include <stdlib.h>
#include <string.h>

#include "base/work.h"

/* Leaves out the elements of a list that begin before the floor. The lists that they are in end
 * where they did. */
static void drop_below_floor(struct places *p)
{
	uint32_t *before = mem_alloc((p->n + (size_t)1) * sizeof *before),
		 kept = 0; /* how many are kept before each */
	for (uint32_t e = 0; e < p->n; e++) {
		before[e] = kept;
		kept += p->parts[p->first[e]].begin >= p->floor;
	}
	before[p->n] = kept;
	uint32_t n = p->n, n_parts = 0;
	for (uint32_t e = 0; e < n; e++) {
		if (before[e + 1] == before[e])
			continue;
		uint32_t to = before[e], from = p->first[e], last = p->first[e + 1];
		memmove(p->parts + n_parts, p->parts + from, (last - from) * sizeof *p->parts);
		p->first[to] = n_parts;
		n_parts += last - from;
		if (p->separator) {
			p->separator[to] = p->separator[e];
			p->list_end[to] = before[p->list_end[e]];
		}
	}
	p->first[kept] = n_parts;
	p->n = kept;
	free(before);
}

struct places *places_new(const struct strategy *strategy, struct view *view, uint32_t level,
                          uint32_t floor, const struct strategy_options *options)
{
	struct places *p = mem_alloc(sizeof *p);
	*p = (struct places){
		.refs = 1, .floor = floor, .strategy = strategy, .view = view_ref(view)
	};
	if (view->records && view->records->proven)
		p->repair = repair_ref(view->records->repair);
	if (strategy->needs & STRATEGY_TOKENS && !strategy->bare)
		p->tied = (p->mend = view_mend(view)) != NULL;
	strategy->open(p, level, options);
	if (p->floor && strategy->shape == STRATEGY_LIST && p->n)
		drop_below_floor(p);
	return p;
}

struct places *places_ref(struct places *places)
{
	places->refs++;
	return places;
}

void places_unref(struct places *places)
{
	if (!places || --places->refs)
		return;
	view_unref(places->view);
	for (const struct shell *s = places->shell; s; s = s->outer)
		view_unref(s->view);
	repair_unref(places->repair);
	arena_release(&places->arena);
	free(places);
}

void places_repair(struct places *places, struct repair *repair)
{
	repair_unref(places->repair);
	places->repair = repair;
}

void places_within(struct places *places, const struct coded *word, struct view *inner)
{
	struct shell *shell = arena_alloc(&places->arena, sizeof *shell);
	*shell = (struct shell){ word, places->view, places->shell };
	places->shell = shell;
	places->view = inner;
	places->floor = 0; /* of the test case; the word is behind it */
	places_repair(places, NULL);
	places->mend = NULL;
}

struct edit places_edit(const struct places *p, struct edit plain, struct arena *arena)
{
	const uint8_t *bytes = p->view->tc->bytes;
	if (p->mend)
		plain = mend_edit(p->mend, plain, arena);
	if (p->repair)
		plain = repair_edit(p->repair, bytes, plain, arena);
	for (const struct shell *s = p->shell; s; s = s->outer) {
		const struct records *records = s->view->records;
		plain = coded_edit(s->word, s->view->tc->bytes, bytes, plain, arena);
		bytes = s->view->tc->bytes;
		if (records && records->proven)
			plain = repair_edit(records->repair, bytes, plain, arena);
	}
	return plain;
}

void places_begin(struct places *places, uint32_t max_elements, uint32_t max_parts)
{
	places->first =
		arena_alloc(&places->arena, (max_elements + (size_t)2) * sizeof *places->first);
	places->parts = arena_alloc(&places->arena, max_parts * sizeof *places->parts);
	places->first[0] = 0;
	places->n = 0;
	places->first[1] = 0;
}

void places_add_part(struct places *places, uint32_t begin, uint32_t end, const char *text,
                     uint32_t len)
{
	uint32_t *at = &places->first[places->n + 1];
	work_step(4);
	places->parts[(*at)++] =
		(struct edit_part){ begin, end, len, len ? (const uint8_t *)text : NULL };
}

void places_end_element(struct places *places)
{
	if (places->first[places->n + 1] == places->first[places->n])
		return;
	places->n++;
	places->first[places->n + 1] = places->first[places->n];
}

void places_add(struct places *places, uint32_t begin, uint32_t end, const char *text, uint32_t len)
{
	if (begin == end && !len)
		return;
	places_add_part(places, begin, end, text, len);
	places_end_element(places);
}
