/* One bisection by `whittle bisect --good REV --bad REV`, and its directory.
 *
 *     GITDIR/whittle/.bisect/KEY/   KEY: hash of all that decides answers
 *
 *         lock                      one process at a time
 *         known                     what is known about revisions (bisect_judges.h)
 *         trees/ built/             trees (bisect_tree.h)
 *         log/ID                    output of builds and tests
 *         wrote-out                 hashes of what was written to where -o said
 *         two-sided sides           the test of the reduction
 *         small/NAME                the reduced file or directory; of several a directory
 *
 * Interrupted anywhere, the same command finds the directory again and resumes; at the end the
 * directory goes. Life cycle: bisection_open, the steps, bisection_close. */
#pragma once

#include <stdbool.h>

#include "bisect/bisect.h"
#include "bisect/bisect_judges.h"
#include "bisect/bisect_tree.h"
#include "disk/input.h"
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
	struct testcase *original;      /* and what they hold */
	char first_bad[BISECT_ID_SIZE]; /* once it is found, and the revision, its parent if that */
	char before[BISECT_ID_SIZE];    /* will do, at which the original does not show the bug */
	struct bisect_trees trees;
	struct judges judges;
	int lock;
};

/* Checks what was asked for and finds or makes the directory. Leaves the environment's GIT_DIR and
 * its like. -1 and err; close in either case. */
int bisection_open(struct bisection *b, const struct bisect_options *options, struct err *err);

/* Ends all that runs. With DONE the directory goes. */
void bisection_close(struct bisection *b, bool done);

/* The steps of a bisection: the commit, then the reduction's test, then what the small file says.
 */

/* What a reduction of the original needs; release after it. */
struct bisect_reduction {
	char *test;          /* two-sided */
	char *result;        /* where to write it, as with whittle -o */
	char *trees[2];      /* built; the test may write to them, but not to others: git runs in
	                        one, and what that says of itself is to be ours */
	uint64_t timeout_ns; /* of the two-sided test; its own deadlines come first */
};

/* Judges the original at both ends, where the bug must show at the bad one and not at the good one;
 * bisects with it, and prints what git would print to standard output. 0 and b->first_bad; ERR_TEST
 * in err when an end is not what it is said to be, or no one commit can be named. */
int bisection_find(struct bisection *b, struct err *err);

/* Prepares the two-sided test: between the first bad commit and its parent. */
int bisection_prepare(struct bisection *b, struct bisect_reduction *r, struct err *err);
void bisect_reduction_release(struct bisect_reduction *r);

/* Bisects with the reduced file at PATH, and says so if that gives another commit; writes the copy,
 * the word for `whittle report`, and the note: refs/notes/whittle, with what was found and how to
 * get the file, which refs/whittle/bisect-repro keeps. */
int bisection_finish(struct bisection *b, const char *path, struct err *err);
