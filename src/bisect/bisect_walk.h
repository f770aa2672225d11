/* Walking the history as `git bisect` does, because it is `git bisect` that walks: in a worktree of
 * its own, with
 * --no-checkout, so which revision is next, what a skipped one means, merges, merge bases and a
 * history that contradicts itself are git's business. Each question is answered by a judge, and
 * while the next one is awaited, other processors judge the revisions that git would ask for after
 * it: a second worktree replays the log with a guess at its end.
 */
#ifndef WHITTLE_BISECT_BISECT_WALK_H
#define WHITTLE_BISECT_BISECT_WALK_H

#include "base/buf.h"
#include "bisect/bisect_state.h"

struct bisect_end {
	char id[BISECT_ID_SIZE]; /* of the first bad commit; empty: git could not name it */
	struct buf text;         /* what git bisect said last */
};

/* Bisects with TC. 0 and *end, whose text the caller releases, or -1 and err. */
int bisect_walk(struct bisection *b, const struct testcase *tc, struct bisect_end *end,
                struct err *err);

/* Takes the walk with the original for the sake of the builds, all of which are kept. Ends with the
 * walk; when room on the disk runs short; or when a signal says stop, and then once what is being
 * built for the present question is built. */
void bisect_walk_ahead(struct bisection *b);

#endif
