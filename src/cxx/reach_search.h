/* The pass "reach": which declarations can go, by what mentions what (reach.h).
 *
 * What is at the end of the file is taken to be what matters: the *roots*. The first candidate
 * is what they reach, most likely too little. All other declarations are in a row, those first
 * that are reached most easily. The search finds how far into that row it must go: the shortest
 * candidate that works is accepted, and the declaration that made the difference becomes a root,
 * with all that it reaches. Then the rest of the row, in a new order, until the roots alone
 * reach enough. So each missing edge of a guessed graph costs its logarithm, on candidates that
 * are a fraction of the file.
 */
#pragma once

#include "search/search.h"
#include "search/view.h"

/* Where the end that matters is, in a large source with headers in front.
 *
 * The passes that look for what the end needs (reach_search.h, strat_reach.c) take the last
 * declarations to be what matters. Sometimes it is one of a header's, in the middle. The first
 * question takes the whole tail away; if that works, where the shortest beginning ends that works
 * is found by binary search over the bytes: a question for each bit. Else this costs one question.
 */

/* Takes a reference of its own on the view, which has its tree. Done from the start when the
 * source is all tail. */
struct search *reach_end_new(struct view *view);

enum reach_depth {
	REACH_DEFINITIONS, /* which bodies of functions will do, all declarations kept; done from
	                      the start without namespaces: names alone say enough then */
	REACH_BY_LEVEL,    /* on which level what is at the end reaches enough, if on one */
	REACH_LEVELS,      /* on which level what is at the end reaches enough; if on none, fully */
	REACH_FULLY,       /* what is at the end reaches; how little of that will do; and what was
	                      missing on levels that are too low */
};

/* Takes a reference of its own on the view, which has its tree. Done from the start when there are
 * few declarations. */
struct search *reach_search_new(struct view *view, enum reach_depth depth);
