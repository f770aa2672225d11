/* One bisection by `whittle bisect --good REV --bad REV`, and its directory.
 *
 *     GITDIR/whittle/.bisect/KEY/   KEY: hash of all that decides answers
 *
 *         lock                      one process at a time
 *         known                     what is known about revisions (bisect_known.h)
 *         trees/ built/             worktrees (bisect_tree.h)
 *         log/ID                    output of builds and tests
 *         wrote-out                 hashes of what was written to where -o said
 *         two-sided sides scores    the test of the reduction (bisect_sides.h)
 *         small/NAME                the reduced file or directory; of several a directory
 *
 * Interrupted anywhere, the same command finds the directory again and resumes; at the end the
 * directory goes. Life cycle: bisection_open, bisection_check_ends, bisection_prepare, then the
 * reduction, bisection_search, bisection_close. */
#ifndef WHITTLE_BISECT_BISECTION_H
#define WHITTLE_BISECT_BISECTION_H

#include <stdbool.h>

#include "bisect/bisect_state.h"

struct err;

/* Checks what was asked for and finds or makes the directory. Leaves the environment's GIT_DIR and
 * its like. -1 and err; close in either case. */
int bisection_open(struct bisection *b, const struct bisect_options *options, struct err *err);

/* Judges the original at both ends, at the same time: the bug must show at the bad one and not at
 * the good one. How many processors that kept busy decides b->width. */
int bisection_check_ends(struct bisection *b, struct err *err);

/* Ends all that runs. With DONE the directory goes. */
void bisection_close(struct bisection *b, bool done);

#endif
