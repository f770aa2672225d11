/* What has to go with a declaration: all that mentions it and finds no other one of the name. */
#ifndef WHITTLE_CXX_REACH_GONE_H
#define WHITTLE_CXX_REACH_GONE_H

#include "cxx/reach.h"

/* Owned by who fills it in; sets of items of R. */
struct reach_gone {
	const struct reach *r;
	const uint8_t *left;  /* what is there at all */
	const uint8_t *stays; /* what may not go */
	uint8_t *gone;
	uint64_t steps;    /* what it may cost still: names that are looked up, and who has them */
	uint32_t n, *list; /* what is in it, in the order in which it went; there is room for all */
};

/* ITEM goes, with all that depends on it. False as soon as that is something that may not go, or no
 * steps are left; GONE then holds a part of it. */
bool reach_go(struct reach_gone *g, uint32_t item);
/* What went last is back, until LIST has TO elements. */
void reach_gone_cut(struct reach_gone *g, uint32_t to);
/* The bytes of what has gone since LIST had FROM elements. */
uint32_t reach_gone_bytes(const struct reach_gone *g, uint32_t from);

#endif
