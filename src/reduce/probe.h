/* Is the test usable? Asked before a reduction begins: interesting on the input, each time, and not
 * on nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "run/oracle.h"

struct err;

struct probe_options {
	struct oracle *oracle;       /* idle */
	struct oracle_limits limits; /* with a deadline of PROBE_LIMIT_NS when the user gave
	                                none */
	const char *test, *file;     /* as the user named them, for messages */
	bool asks;                   /* the test is a condition on the command `test` */
	bool allow_trivial;          /* the test may be satisfied by an empty file */
	bool forks;                  /* a fork server answers */
	bool flaky; /* the test may say no at times: how often is to be found out */
	const struct testcase *empty; /* asked about with the input; NULL: it is not */
	struct answer *on_empty;
	unsigned most_runs; /* as many as PROBE_FOR_NS allow; fewer than the least: those */
	int stop_fd;        /* readable when the user wants to stop; -1: none */
};

enum {
	PROBE_RUNS = 20,        /* of a test that should be sure */
	PROBE_FLAKY_RUNS = 4000 /* of one that is not: an error of 0.03 of a rate of 0.2 */
};

/* How the test behaves on the input. */
struct session_probe {
	unsigned runs, interesting;
	uint64_t slowest_ns;
	bool empty_interesting;
	bool timed_out, exceeded; /* the first run on the input: a limit has ended it */
	char *output; /* of a run that was not interesting; NULL when there is none; the caller's */
};

#define PROBE_LIMIT_NS 600000000000u /* deadline of the runs on the input when none was given */

/* The absolute path of the test NAME, a program that we may run; the caller's. NULL and err when it
 * is none. */
char *probe_find(const char *name, struct err *err);

/* Runs the test on ORIGINAL a few times, and once on OPTIONS->empty. PROBE is filled even on
 * failure. -1 and err when the test cannot be used, or the user stopped it. */
int probe_input(const struct probe_options *options, const struct testcase *original,
                struct session_probe *probe, struct err *err);

/* Runs it on OPTIONS->empty alone. As above. */
int probe_empty(const struct probe_options *options, struct session_probe *probe, struct err *err);

/* Runs it once on RESULT, with which a reduction has ended elsewhere; several times if it may say
 * no at times. -1 and err when it is not interesting, or as above. */
int probe_result(const struct probe_options *options, const struct testcase *result,
                 struct err *err);

/* The deadline of tests whose slowest run took SLOWEST_NS: a power of two of seconds, so that it is
 * the same on most days and machines. */
uint64_t probe_limit(uint64_t slowest_ns);
