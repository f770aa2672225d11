/* The pass "values": the numbers of a view, lowered with as few questions as can be (seed 001,
 * designing a better simplifier).
 *
 * Courses, in this order: all values capped by a smaller one present; equal values lowered
 * together; each value lowered; again in rounds while one succeeds. No list is asked about twice.
 * When done, no value less by one (and none of 0, 1, 3, 7, ... in the place of a larger one) is
 * interesting. What the seed has besides, the list getting shorter, is the business of other
 * passes; bench/search/simplify.h has it for the figures of the document.
 */
#pragma once

#include "search/search.h"
#include "search/view.h"

/* A search over the plain decimal integers below 2^64 among the number tokens: 0 or digits without
 * a leading zero, no suffix. One question is open at a time; most are answered with no and
 * predicted so. The view has its tokens (view_need_tokens); the search takes a reference of its
 * own. Done from the start when there is no such number. */
struct search *simplify_search_new(struct view *view);
