/* A test is not interesting behind the fence. Would it be without, and what does it want to write?
 *
 * Where there are namespaces it runs once more in a copy of the whole world (fence/world.h), so
 * that nothing outside changes. Only when that is not to be had it runs once as it would without a
 * fence, and what has changed meanwhile near the paths that programs write to is found by time.
 */
#ifndef WHITTLE_REDUCE_FENCE_TRIAL_H
#define WHITTLE_REDUCE_FENCE_TRIAL_H

#include "run/oracle.h"

struct err;
struct setup;

struct fence_trial {
	const struct setup *setup; /* how it ran, with its fence */
	struct oracle_limits limits;
	const struct testcase *tc;
	const char *test, *file; /* as the user named them */
	int stop_fd;             /* readable when the user wants to stop; -1: none */
};

/* True when it is the fence: ERR (ERR_USAGE) says what the test wants to write and which options
 * allow that; or when the test is flaky (ERR_TEST). False, with ERR as it was, when it is not, or
 * cannot be found out. */
bool fence_trial(const struct fence_trial *trial, struct err *err);

#endif
