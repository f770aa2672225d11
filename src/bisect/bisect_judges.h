/* What is known about revisions, and finding out more: a revision is built and tested in a tree of
 * its own.
 *
 * Answers are kept in the file "known" of the bisection's directory, so that a bisection that was
 * interrupted asks nothing twice. One line each: hash of the test case, commit, answer, how long
 * the test ran.
 *
 * Life cycle: judges_open; judges_begin, questions, judges_end, as often as needed; judges_close.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/hash.h"
#include "bisect/bisect.h"
#include "bisect/bisect_tree.h"
#include "text/testcase.h"

struct err;

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

struct judge_job {
	const struct bisect_options *options; /* test and files are not looked at */
	const char *tree; /* absolute path of the checked-out revision; the test's $WHITTLE_TREE */
	const char *test; /* absolute path */
	const struct testcase *tc;
	char *const *operands; /* what the test gets as $1, $2...: see struct setup */
	const char *log;       /* output of build and test is added to this file */
	int stop_fd;           /* readable when it is to end; -1: none */
};

struct judge_result {
	enum bisect_answer answer;
	uint64_t build_ns, test_ns; /* test: the longest run */
	char why[400];              /* one line */
	bool no_opinion;            /* the test says so: its exit status is 125 */
};

/* Can TEST be run? -1 and err say why not. */
int bisect_check_test(const char *test, struct err *err);

/* Builds and tests. Sets WHITTLE_TREE in the environment of the process. */
void judge_revision(const struct judge_job *job, struct judge_result *result);

/* Writes the line about a revision. */
void judge_print(FILE *to, const char *id, const char *subject, const struct judge_result *result,
                 const char *log);

struct bisect_fact {
	struct hash tc;
	char id[BISECT_ID_SIZE];
	enum bisect_answer answer;
	uint64_t test_ns; /* the longest run of the test */
};

struct judges {
	const struct bisect_options *options;
	const struct bisect_trees *trees;
	const char *test;      /* absolute path */
	char *const *operands; /* as in struct judge_job */
	int stop_signal;       /* that came; 0: none */
	/* The module's own. */
	int stop_fd; /* -1: signals are not caught */
	char *path;
	struct bisect_fact *known;
	size_t n, cap;
};

/* Reads what is known; the first four fields are filled. A torn last line is dropped. */
int judges_open(struct judges *j, struct err *err);
void judges_close(struct judges *j);

/* From here on SIGINT, SIGTERM and SIGHUP are noticed by judges_ask and judges_check
 * (base/signals.h). */
void judges_begin(struct judges *j);

/* Signals are as before. */
void judges_end(struct judges *j);

/* What is known of TC at revision ID, or NULL. Valid until the next question. */
const struct bisect_fact *judges_know(const struct judges *j, const struct testcase *tc,
                                      const char *id);

/* Judges TC at revision ID, unless that is known: tells the user, keeps it. RESULT (NULL: not
 * wanted) has what the judge said just now. -1 and err; a signal that says stop is ERR_STOPPED and
 * stays in stop_signal. */
int judges_ask(struct judges *j, const struct testcase *tc, const char *id,
               struct judge_result *result, struct err *err);

/* Does TC get the answers that LIKE has got, at all revisions for which these are known? Asks until
 * one differs. */
int judges_compare(struct judges *j, const struct testcase *tc, const struct testcase *like,
                   bool *alike, struct err *err);

/* Builds revision ID again, if its tree is gone; ERR_TEST when that fails. */
int judges_need_tree(struct judges *j, const struct testcase *tc, const char *id, struct err *err);

/* Has a signal come that says stop? Then -1 and err. */
int judges_check(struct err *err);
