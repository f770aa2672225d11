/* The pass "values": the numbers of a view as a list of integers, lowered by simplify.h. */
#ifndef WHITTLE_SEARCH_SIMPLIFY_SEARCH_H
#define WHITTLE_SEARCH_SIMPLIFY_SEARCH_H

#include "search/search.h"
#include "search/view.h"

/* A search over the plain decimal integers below 2^64 among the number tokens: 0 or digits without
 * a leading zero, no suffix. One question is open at a time; most are answered with no and
 * predicted so. The view has its tokens (view_need_tokens); the search takes a reference of its
 * own. Done from the start when there is no such number. */
struct search *simplify_search_new(struct view *view);

#endif
