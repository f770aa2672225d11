/* The pass "stub": the tail of a large C++ source without its front, a stub for all that it
 * mentions of it (stub.h). */
#ifndef WHITTLE_CXX_STUB_SEARCH_H
#define WHITTLE_CXX_STUB_SEARCH_H

#include "search/search.h"
#include "search/view.h"

/* Takes a reference of its own on the view, which has its tree. Done from the start when there is
 * no tail that stands behind a library. */
struct search *stub_search_new(struct view *view);

#endif
