/* Proposers: in which order a hunt tries the edits of a strategy. Internal to hunt.c.
 *
 * blocks: list strategies, from one block of everything down to single elements, from the end
 * (delta debugging's partition, with levels that yield nothing skipped). sweep: cutting strategies,
 * steps drawn from a chooser, at random (chaos mode) or from the largest start to the smallest
 * (deterministic mode), seeds 003 and 004.
 */
#ifndef WHITTLE_SEARCH_PROPOSER_H
#define WHITTLE_SEARCH_PROPOSER_H

#include <stdbool.h>
#include <stdint.h>

#include "search/chooser.h"
#include "search/search.h"
#include "search/strategy.h"

enum proposal_result {
	PROPOSAL_MADE,
	PROPOSAL_WINDOW_ENDS, /* what follows depends on the verdicts so far */
	PROPOSAL_EXHAUSTED,
};

struct proposal {
	uint32_t a, b; /* blocks: elements [a, b); sweep: start a, end b */
	struct edit cut;
};

struct blocks {
	struct places *places;
	uint32_t block;      /* elements in a block */
	uint32_t position;   /* elements from here on have been proposed at this level */
	uint32_t remaining;  /* elements not gone */
	uint32_t tried, won; /* at this level */
	uint32_t dry;        /* blocks tried since the last success at this level */
	uint64_t *gone;      /* bit set of elements */
};

void blocks_init(struct blocks *b, struct places *places, uint32_t first_block,
                 struct search_place from);
struct search_place blocks_place(const struct blocks *b);
void blocks_release(struct blocks *b);
void blocks_copy(struct blocks *to, const struct blocks *from);
enum proposal_result blocks_propose(struct blocks *b, struct arena *arena, struct proposal *p);
void blocks_learn(struct blocks *b, const struct proposal *p, bool accepted);
/* Adds to EDIT, which takes the N proposals at once, the separators that would be left at the end
 * of a list. */
bool blocks_tidy(const struct blocks *b, const struct proposal *taken, uint32_t n,
                 struct arena *arena, struct edit *edit);
/* Called between windows: goes to the next level when this one is through; false when there is
 * none. */
bool blocks_advance(struct blocks *b);

struct sweep {
	struct places *places;
	struct chooser chooser;
	uint32_t steps_left;
	uint32_t at; /* the start tried last */
};

void sweep_init(struct sweep *s, struct places *places, enum chooser_order order, uint64_t seed,
                uint32_t max_steps, struct search_place from);
void sweep_release(struct sweep *s);
void sweep_copy(struct sweep *to, const struct sweep *from);
enum proposal_result sweep_propose(struct sweep *s, struct arena *arena, struct proposal *p);

#endif
