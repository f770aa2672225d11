/* One bisection by `whittle bisect --good REV --bad REV`, and its directory.
 *
 *     GITDIR/whittle/.bisect/KEY/   KEY: hash of all that decides answers
 *
 *         lock                      one process at a time
 *         known                     what is known about revisions (bisect_judges.h)
 *         trees/ built/             trees (bisect_tree.h)
 *         log/ID                    output of builds and tests
 *         wrote-out                 hashes of what was written to where -o said
 *         two-sided sides           the test of the reduction (bisect_search.c)
 *         small/NAME                the reduced file or directory; of several a directory
 *
 * Interrupted anywhere, the same command finds the directory again and resumes; at the end the
 * directory goes. Life cycle: bisection_open, the steps of bisect_search.h, bisection_close. */
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

/* Path of a thing in the directory, the caller's. */
char *bisection_path(const struct bisection *b, const char *leaf);

/* How wrote-out names TC, the caller's. */
char *bisection_out_line(const struct testcase *tc);

/* Ends all that runs. With DONE the directory goes. */
void bisection_close(struct bisection *b, bool done);
