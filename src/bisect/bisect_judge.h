/* Judging one revision: build it, run the test, say what that means.
 *
 *     build fails                                        skip
 *     test exits with 0 (in any of the runs)             bad: the bug shows
 *     test exits with 1 to 124                           good
 *     test exits with 125, 126, 127, 128 or more,
 *     is ended by a signal, or by its deadline           skip: it has not said anything about the
 *                                                        bug
 *     the test cannot be started                         stop
 *
 * Both run in the process pool, so that nothing they start outlives them.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "bisect/bisect.h"
#include "text/testcase.h"

struct judge_job {
	const struct bisect_options *options; /* test and files are not looked at */
	const char *tree; /* absolute path of the checked-out revision; the test's $WHITTLE_TREE */
	const char *test; /* absolute path */
	const struct testcase *tc;
	char *const *operands; /* what the test gets as $1, $2...: see struct setup */
	const char *log;       /* output of build and test is added to this file */
};

struct judge_result {
	enum bisect_answer answer;
	uint64_t build_ns, test_ns; /* test: the longest run */
	char why[400];              /* one line */
	bool no_opinion;            /* the test says so: its exit status is 125 */
};

struct err;

/* Can TEST be run? -1 and err say why not. */
int bisect_check_test(const char *test, struct err *err);

/* Builds; true when there is something to test. Sets WHITTLE_TREE in the environment of the
 * process, as the next two do. */
bool judge_build(const struct judge_job *job, struct judge_result *result);

/* Tests what is built, and completes the RESULT of judge_build. */
void judge_test(const struct judge_job *job, struct judge_result *result);

/* Both. */
void judge_revision(const struct judge_job *job, struct judge_result *result);

/* Writes the line about a revision. */
void judge_print(FILE *to, const char *id, const char *subject, const struct judge_result *result,
                 const char *log);
