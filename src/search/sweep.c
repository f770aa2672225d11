#include "search/proposer.h"

void sweep_init(struct sweep *s, struct places *places, enum chooser_order order, uint64_t seed,
                uint32_t max_steps, struct search_place from)
{
	*s = (struct sweep){ .places = places_ref(places),
		             .steps_left = max_steps ? max_steps : UINT32_MAX };
	chooser_init(&s->chooser, order, seed);
	if (from.at && order == CHOOSER_REVERSE)
		chooser_start_at(&s->chooser, from.at);
}

void sweep_release(struct sweep *s)
{
	places_unref(s->places);
	chooser_release(&s->chooser);
}

void sweep_copy(struct sweep *to, const struct sweep *from)
{
	*to = *from;
	places_ref(to->places);
	chooser_copy(&to->chooser, &from->chooser);
}

/* Most edits of a large test case are, and must leave no trace in memory. */
static bool below_floor(const struct places *places, const struct proposal *p)
{
	if (!places->floor)
		return false;
	struct arena scratch = { 0 };
	struct edit edit;
	bool below = places->strategy->edit(places, p->a, p->b, &scratch, &edit) && edit.n &&
	             edit.parts[0].begin < places->floor;
	arena_release(&scratch);
	return below;
}

/* One step of the chooser. False when it led to no edit. */
static bool step(struct sweep *s, struct arena *arena, struct proposal *p)
{
	const struct places *places = s->places;
	const struct strategy *strategy = places->strategy;
	p->a = chooser_choose(&s->chooser, places->n, NULL, NULL);
	if (p->a == CHOOSER_DEAD)
		return false;
	uint32_t ends = strategy->ends ? strategy->ends(places, p->a) : 1;
	p->b = 0;
	if (ends != 1) {
		p->b = chooser_choose(&s->chooser, ends, NULL, NULL);
		if (p->b == CHOOSER_DEAD)
			return false;
	}
	return !below_floor(places, p) && strategy->edit(places, p->a, p->b, arena, &p->cut);
}

enum proposal_result sweep_propose(struct sweep *s, struct arena *arena, struct proposal *p)
{
	while (s->places->n && s->steps_left && !chooser_exhausted(&s->chooser)) {
		chooser_begin(&s->chooser);
		bool made = step(s, arena, p);
		chooser_end(&s->chooser);
		if (!made)
			continue;
		s->steps_left--;
		s->at = p->a;
		return PROPOSAL_MADE;
	}
	return PROPOSAL_EXHAUSTED;
}
