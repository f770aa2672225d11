/* Walking the history as `git bisect` does, because it is `git bisect` that walks: in a repository
 * of its own, without files, so which revision is next, what a skipped one means, merges, merge
 * bases and a history that contradicts itself are git's business. Each question is answered by a
 * judge, one after the other, so no revision is built that git would not ask for.
 */
#ifndef WHITTLE_BISECT_BISECT_WALK_H
#define WHITTLE_BISECT_BISECT_WALK_H

#include "base/buf.h"
#include "bisect/bisect_judges.h"

struct bisect_end {
	char id[BISECT_ID_SIZE]; /* of the first bad commit; empty: git could not name it */
	struct buf text;         /* what git bisect said last */
};

/* Bisects with TC between the commits GOOD and BAD. What it builds stays, while there is room on
 * the disk and somebody may need it again. 0 and *end, whose text the caller releases in either
 * case, or -1 and err. */
int bisect_walk(struct judges *judges, const struct testcase *tc, const char *good, const char *bad,
                struct bisect_end *end, struct err *err);

#endif
