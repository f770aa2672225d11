/* One bisection by `whittle bisect --good REV --bad REV`, and its directory.
 *
 *     GITDIR/whittle/.bisect/KEY/   KEY: hash of both revisions, test, file, build command and what
 * else decides answers lock  known               one process at a time; what is known about
 * revisions (bisect_known.h) trees/ built/             worktrees (bisect_tree.h) log/ID output of
 * builds and tests wrote-out                 what -o named, once a result was written there
 *         two-sided  sides  scores  the test of the reduction (bisect_sides.h)
 *         small/NAME                the reduced file or directory; of several files a directory
 * with them
 *
 * Interrupted anywhere, the same command finds the directory again and goes on; at the end the
 * directory goes. Life cycle: bisection_open, bisection_check_ends, bisection_prepare, then the
 * reduction, bisection_search, bisection_close.
 */
#ifndef WHITTLE_INTEG_BISECTION_H
#define WHITTLE_INTEG_BISECTION_H

#include <stdbool.h>

#include "integ/bisect.h"
#include "integ/bisect_known.h"
#include "integ/bisect_tree.h"
#include "integ/bisect_work.h"
#include "reduce/input.h"
#include "text/testcase.h"

struct err;

struct bisection {
	const struct bisect_options *options;
	char *here, *common, *dir,
		*test;      /* absolute paths: where git is asked, see bisect_tree.h, the test */
	char *good, *bad;   /* ids of the ends */
	char *name;         /* of the reduction */
	struct input input; /* the operands, */
	char **operands;    /* their paths in a test case, */
	struct testcase *original; /* and what they hold */
	struct bisect_trees trees;
	struct bisect_known known;
	struct bisect_work work; /* while judges are needed: not during the reduction */
	unsigned width;          /* revisions judged at a time */
	bool slow;               /* judging one takes long enough to be worth some effort */
	uint64_t limit_ns;       /* deadline of one run of the test on one side, in the reduction */
	int lock;
};

/* Checks what was asked for and finds or makes the directory. Leaves the environment's GIT_DIR and
 * its like. -1 and err; close in either case. */
int bisection_open(struct bisection *b, const struct bisect_options *options, struct err *err);

/* Judges the original at both ends, at the same time: the bug must show at the bad one and not at
 * the good one. How many processors that kept busy decides b->width. */
int bisection_check_ends(struct bisection *b, struct err *err);

/* Ends all that runs. With DONE the directory goes. */
void bisection_close(struct bisection *b, bool done);

/* Judges TC at revision ID: from what is known, or now. */
int bisection_judge(struct bisection *b, const struct testcase *tc, const char *id,
                    enum bisect_answer *answer, struct err *err);

/* Takes what the next judge to finish has found: tells the user, keeps it. The signal that says
 * stop is an error (ERR_STOPPED) and stays in b->work.stop_signal. */
int bisection_learn(struct bisection *b, struct err *err);

/* Path of a thing in the directory, the caller's. */
char *bisection_path(const struct bisection *b, const char *leaf);

#endif
