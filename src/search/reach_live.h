/* What stays when some declarations must: those that they need, over names up to a level. */
#ifndef WHITTLE_SEARCH_REACH_LIVE_H
#define WHITTLE_SEARCH_REACH_LIVE_H

#include "search/reach.h"

enum {
	REACH_ELSEWHERE = 9,  /* from this one on names are looked for in other libraries, too */
	REACH_BODIES = 12,    /* the level at which everything is followed, and bodies are needed */
	REACH_ROOT_NAMES = 2, /* a root, with all that declare the same */
};

/* STAYS[i] becomes 0 for an item that is not reached, else 1 + the lowest level at which it is.
 * Reached are the items with ROOTS[i], and what they need among those with ALLOWED[i] (NULL: among
 * all). */
void reach_live(const struct reach *r, const uint8_t *allowed, const uint8_t *roots, unsigned level,
                uint8_t *stays);

#endif
