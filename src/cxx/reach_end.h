/* Where the end that matters is, in a large source with headers in front.
 *
 * The passes that look for what the end needs (reach_search.h, strat_reach.c) take the last
 * declarations to be what matters. Sometimes it is one of a header's, in the middle. The first
 * question takes the whole tail away; if that works, where the shortest beginning ends that works
 * is found by binary search over the bytes: a question for each bit. Else this costs one question.
 */
#pragma once

#include "search/search.h"
#include "search/view.h"

/* Takes a reference of its own on the view, which has its tree. Done from the start when the
 * source is all tail. */
struct search *reach_end_new(struct view *view);
