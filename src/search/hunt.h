/* The hunt: the search that all cutting passes are (seed 004).
 *
 * A round is a window of candidates, each judged together with what was accepted before, all
 * independent of one another and so all at once. Then the successes are merged: all of them in one
 * question; where that fails, by halves, so that a conflict costs its logarithm. Then those merged
 * are enlarged by find_change_point: the next size of each is asked about at once, and those that
 * succeed are merged in turn, until none can be enlarged. Then the next window.
 * Nothing depends on the order in which verdicts arrive; the number of workers is not known here.
 */
#ifndef WHITTLE_SEARCH_HUNT_H
#define WHITTLE_SEARCH_HUNT_H

#include "search/hunt_options.h"
#include "search/strategy.h"

/* Shares PLACES (takes a reference of its own). */
struct search *hunt_new(struct places *places, const struct hunt_options *options);

#endif
