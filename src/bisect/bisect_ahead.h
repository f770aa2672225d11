/* Builds that begin while the reduction still runs: a process of its own bisects with the original,
 * since the small file will lead the same way. What it has built, and what it knows about the
 * original, which is needed at the end, is found in the bisection's directory. No answer depends on
 * it.
 *
 * Life cycle: bisect_ahead_start, the reduction, bisect_ahead_settle, the walk, bisect_ahead_end.
 */
#ifndef WHITTLE_BISECT_BISECT_AHEAD_H
#define WHITTLE_BISECT_BISECT_AHEAD_H

#include "bisect/bisect_state.h"

/* Starts it, where there is something to build and more than one job. */
void bisect_ahead_start(struct bisection *b);

/* It is to finish what it is building, and to begin nothing more. What it has found out is read.
 * Does not wait. */
int bisect_ahead_settle(struct bisection *b, struct err *err);

/* Ends it, whatever it does; before bisect_work_release, which waits for all children. */
void bisect_ahead_end(struct bisection *b);

#endif
