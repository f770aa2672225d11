/* Proposers: in which order a hunt tries the edits of a strategy. Internal to hunt.c.
 *
 * blocks: list strategies, from one block of everything down to single elements, from the end
 * (delta debugging's partition, with levels that yield nothing skipped). sweep: cutting strategies,
 * steps drawn from a chooser, at random (chaos mode) or from the largest start to the smallest
 * (deterministic mode), seeds 003 and 004. A hunt knows either by its functions alone.
 */
#pragma once

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
	bool paired; /* the next one, asked for at once, is what it made a refused block with: where
	                this one succeeds that one cannot */
};

/* What became of one: skipped without a question, where the one that it was paired with went. */
enum proposal_fate { PROPOSAL_REFUSED, PROPOSAL_SKIPPED, PROPOSAL_ACCEPTED };

struct proposer;

struct proposer_ops {
	enum proposal_result (*propose)(struct proposer *, struct arena *, struct proposal *);
	/* Called between windows: goes to what depends on the verdicts; false: there is nothing. */
	bool (*advance)(struct proposer *);
	void (*learn)(struct proposer *, const struct proposal *, enum proposal_fate);
	/* Adds to EDIT, which takes the N proposals at once, what they leave dangling together. */
	bool (*tidy)(const struct proposer *, const struct proposal *taken, uint32_t n,
	             struct arena *, struct edit *edit);
	struct search_cursor (*cursor)(const struct proposer *);
	/* Has much succeeded lately where this round asks, and, unless ALONE is enough, does what
	 * is larger wait for it? */
	bool (*goes_well)(const struct proposer *, bool alone);
	struct proposer *(*clone)(const struct proposer *);
	void (*free)(struct proposer *);
};

/* What all proposers begin with. */
struct proposer {
	const struct proposer_ops *ops;
	struct edit_sites *edit_sites; /* a reference */
};

struct proposer *blocks_new(struct edit_sites *edit_sites, uint32_t first_block,
                            struct search_cursor from);
struct proposer *sweep_new(struct edit_sites *edit_sites, enum chooser_order order, uint64_t seed,
                           uint32_t max_steps, struct search_cursor from);
