/* The hunt: the search that all cutting passes are (seed 004).
 *
 * A round is a window of candidates, each judged together with what was accepted before, all
 * independent of one another and so all at once. Then the successes are merged: all of them in one
 * question; where that fails, by halves, so that a conflict costs its logarithm. Then those merged
 * are enlarged by find_change_point: the next size of each is asked about at once, and those that
 * succeed are merged in turn, until none can be enlarged. Then the next window.
 * Nothing depends on the order in which verdicts arrive; the number of workers is not known here.
 */
#pragma once

#include "search/search.h"
#include "search/strategy.h"

enum hunt_order {
	HUNT_BLOCKS, /* list strategies: blocks of falling size */
	HUNT_SWEEP,  /* cutting strategies: deterministic mode */
	HUNT_CHAOS,  /* cutting strategies: random order */
};

struct hunt_options {
	enum hunt_order order;
	uint32_t first_block;        /* blocks: elements in the first block; 0: all */
	struct search_cursor cursor; /* resume here; blocks: only what lies before it is tried at
	                              that size; sweep: all the same */
	uint32_t max_steps;          /* sweep, chaos: steps at most; 0: all */
	uint32_t window;             /* candidates in a round; 0: HUNT_WINDOW */
	uint64_t seed;               /* chaos */
};

/* A round has HUNT_WINDOW candidates at least, and one part in HUNT_GROWS of those that the hunt
 * has asked about, up to HUNT_WINDOW_MAX: long hunts keep many workers busy, short ones waste
 * little. What succeeds cannot be guessed, so workers wait for each round in which much does: of
 * blocks, which do not overlap, the next round is HUNT_FACTOR times as large when one candidate in
 * HUNT_RATE has succeeded. */
enum {
	HUNT_WINDOW = 32,
	HUNT_GROWS = 4,
	HUNT_WINDOW_MAX = 512,
	HUNT_RATE = 16,
	HUNT_FACTOR = 4,
};

/* Shares PLACES (takes a reference of its own). */
struct search *hunt_new(struct edit_sites *edit_sites, const struct hunt_options *options);
