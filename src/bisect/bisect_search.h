/* The steps of a bisection: the commit, then the reduction's test, then what the small file says.
 */
#pragma once

#include "bisect/bisection.h"

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
