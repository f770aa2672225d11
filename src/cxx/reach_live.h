/* What stays when some declarations must: those that they need, over names up to a level. */
#pragma once

#include "cxx/reach.h"

enum {
	REACH_ELSEWHERE = 9, /* from this one on names are looked for in other libraries, too */
	REACH_BODIES = 12,   /* the level at which everything is followed, and bodies are needed */
	REACH_WITH_BODIES = 64, /* added to a level: bodies are needed on this one, too */
	REACH_AT_ONCE = 128,    /* likewise: all levels up to this one are the same */
	REACH_ROOT_NAMES = 2,   /* a root, with all that declare the same */
};

/* STAYS[i] becomes 0 for an item that is not reached, else 1 + the lowest level at which it is.
 * Reached are the items with ROOTS[i], and what they need among those with ALLOWED[i] (NULL: among
 * all). */
void reach_live(const struct reach *r, const uint8_t *allowed, const uint8_t *roots, unsigned level,
                uint8_t *stays);

/* What cuts all items without STAYS[i], with what has to change because of that (references.h), in
 * ARENA; and how many bytes it leaves without these changes. */
struct edit reach_edit(const struct reach *r, const uint8_t *stays, struct arena *arena);
uint32_t reach_size(const struct reach *r, const uint8_t *stays);
