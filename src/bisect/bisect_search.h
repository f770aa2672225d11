/* From a test case to the commit: the reduction's test before it, the walk, the verification and
 * the report after it. */
#ifndef WHITTLE_BISECT_BISECT_SEARCH_H
#define WHITTLE_BISECT_BISECT_SEARCH_H

#include "bisect/bisect_state.h"

enum { BISECT_WRITES = 4 };

/* What a reduction of the original needs; release after it. */
struct bisect_reduction {
	char *test;                  /* two-sided */
	char *result;                /* where to write it, as with whittle -o */
	char *writes[BISECT_WRITES]; /* what the two-sided test writes to: seats, scores, both trees
	                              */
	uint64_t timeout_ns;         /* of the two-sided test; its own deadlines come first */
};

/* Prepares the two-sided test, once the ends are checked. */
int bisection_prepare(struct bisection *b, struct bisect_reduction *r, struct err *err);
void bisect_reduction_release(struct bisect_reduction *r);

/* Bisects with the file at SMALL, makes sure with the original, prints what git would print to
 * standard output, and attaches the note. 0; ERR_TEST in err when no one commit can be named. */
int bisection_search(struct bisection *b, const char *small, struct err *err);

#endif
