#include "search/proposer.h"

#include <stdlib.h>

struct sweep {
	struct proposer p;
	struct chooser chooser;
	uint32_t steps_left;
	uint32_t at; /* the start tried last */
};

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
	const struct places *places = s->p.places;
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

static enum proposal_result sweep_propose(struct proposer *proposer, struct arena *arena,
                                          struct proposal *p)
{
	struct sweep *s = (struct sweep *)proposer;
	while (s->p.places->n && s->steps_left && !chooser_exhausted(&s->chooser)) {
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

/* No step waits for the verdict on another one. */
static bool sweep_advance(struct proposer *proposer)
{
	(void)proposer;
	return false;
}

static void sweep_learn(struct proposer *proposer, const struct proposal *p,
                        enum proposal_fate fate)
{
	(void)proposer, (void)p, (void)fate;
}

static bool sweep_tidy(const struct proposer *proposer, const struct proposal *taken, uint32_t n,
                       struct arena *arena, struct edit *edit)
{
	(void)proposer, (void)taken, (void)n, (void)arena, (void)edit;
	return true;
}

static struct search_cursor sweep_cursor(const struct proposer *proposer)
{
	return (struct search_cursor){ .at = ((const struct sweep *)proposer)->at };
}

static struct proposer *sweep_clone(const struct proposer *from)
{
	const struct sweep *old = (const struct sweep *)from;
	struct sweep *s = mem_dup(old, sizeof *old);
	places_ref(s->p.places);
	chooser_copy(&s->chooser, &old->chooser);
	return &s->p;
}

static void sweep_free(struct proposer *proposer)
{
	struct sweep *s = (struct sweep *)proposer;
	places_unref(s->p.places);
	chooser_release(&s->chooser);
	free(s);
}

struct proposer *sweep_new(struct places *places, enum chooser_order order, uint64_t seed,
                           uint32_t max_steps, struct search_cursor from)
{
	static const struct proposer_ops ops = {
		.propose = sweep_propose,
		.advance = sweep_advance,
		.learn = sweep_learn,
		.tidy = sweep_tidy,
		.cursor = sweep_cursor,
		.clone = sweep_clone,
		.free = sweep_free,
	};
	struct sweep *s = mem_alloc(sizeof *s);
	*s = (struct sweep){ .p = { &ops, places_ref(places) },
		             .steps_left = max_steps ? max_steps : UINT32_MAX };
	chooser_init(&s->chooser, order, seed);
	if (from.at && order == CHOOSER_REVERSE)
		chooser_start_at(&s->chooser, from.at);
	return &s->p;
}
