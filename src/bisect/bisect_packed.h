/* The one trace that `git bisect` leaves in a repository that has no packed refs: a packed-refs
 * file without any. */
#ifndef WHITTLE_BISECT_BISECT_PACKED_H
#define WHITTLE_BISECT_BISECT_PACKED_H

#include "bisect/bisect_state.h"

/* Notes whether there is none, before git bisect is run for the first time. */
void bisect_packed_note(const struct bisection *b);

/* Removes it when it was not there and holds nothing. Under git's own lock, so that nobody can be
 * about to fill it. */
void bisect_packed_restore(const struct bisection *b);

#endif
