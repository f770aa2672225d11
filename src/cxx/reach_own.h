/* Which part of a large source is the user's own: what stands behind the libraries. */
#ifndef WHITTLE_CXX_REACH_OWN_H
#define WHITTLE_CXX_REACH_OWN_H

#include "cxx/reach.h"

/* The offset at which the end of a source of SIZE bytes begins, of whose functions the statements
 * are looked at; for reach_new. The end has at least LEAST bytes, if there are so many. */
uint32_t reach_tail(uint32_t size, uint32_t least);
enum { REACH_OWN_LEAST = 64 }; /* bytes that may be all of a user's own */

/* Where the last declaration of the largest library ends; the tail when less than LEAST bytes stand
 * behind it. */
uint32_t reach_own(const struct reach *r, uint32_t least);

/* Is item I one that others may need without saying so, as `require "set"`? */
bool reach_is_root(const struct reach *r, uint32_t i);

#endif
