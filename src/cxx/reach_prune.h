/* The pass "prune": removes declarations of a large source with all that depends on them, wherever
 * they stand, and what nothing needs afterwards.
 *
 * A *unit* is a declaration with all that mentions it, directly or through others: without it they
 * could not stay. That graph is guessed (reach.h), and what is needed is not known. So each
 * declaration has a weight, the unit's chance to be needed grows with the sum of its weights, and
 * the next question is the union of units from which most bytes are expected: its size times its
 * chance. A union that was too much makes its declarations heavier, in proportion to how likely
 * that was not to be; all of them become heavier with each failure, and lighter with each success.
 * This is adaptive group testing with unequal costs (Du and Hwang, Combinatorial Group Testing and
 * Its Applications, 2000) where who depends on a needed one is needed no more than that one.
 *
 * In integers, so that all machines ask the same.
 */
#pragma once

#include "search/search.h"
#include "search/view.h"

enum prune_part {
	PRUNE_FRONT, /* what stands at the end stays */
	PRUNE_END,   /* only what stands there goes, also statements of its functions; done from the
	                start without a library in front */
};

/* Takes a reference of its own on the view, which has its tree. */
struct search *reach_prune_new(struct view *view, enum prune_part part);
