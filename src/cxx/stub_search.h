/* The pass "stub-names": where the front of a large C++ source cannot go as a whole
 * (pass "stub"), a stub for as many of the names as will do that the tail mentions of it.
 *
 * Which names must stay is found by delta debugging (Zeller, Hildebrandt: Simplifying and isolating
 * failure-inducing input, 2002): ever smaller parts of them, and all but such a part. What mentions
 * the others becomes the stub. Of the front stays what the tail then reaches, on the highest level
 * that makes the file smaller; what that keeps without need the pass "reach" finds.
 */
#ifndef WHITTLE_CXX_STUB_SEARCH_H
#define WHITTLE_CXX_STUB_SEARCH_H

#include "search/search.h"
#include "search/view.h"

/* Takes a reference of its own on the view, which has its tree. Done from the start when there is
 * no tail that stands behind a library many times as long as the stub, or when the tail mentions
 * one name only. */
struct search *stub_names_new(struct view *view);

/* The pass "stub": the tail of a large C++ source without its front, a stub for all that it
 * mentions of it (stub.h). */

/* Takes a reference of its own on the view, which has its tree. Done from the start when there is
 * no tail that stands behind a library. */
struct search *stub_search_new(struct view *view);

#endif
