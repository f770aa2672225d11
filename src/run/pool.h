/* The process pool: an oracle of local child processes.
 *
 * Each slot has a minder, a small process that is forked before the input is read (so its fork is
 * cheap), starts the tests of its slot and is their subreaper: what a test leaves behind, however
 * it was detached, is a descendant of the minder, which ends it before it answers. When whittle
 * dies, each minder sees its socket close, ends its test, removes its directory, and goes.
 */
#ifndef WHITTLE_RUN_POOL_H
#define WHITTLE_RUN_POOL_H

#include <stdint.h>

#include "run/oracle.h"

enum pool_input {                          /* how the test gets the candidate; a set */
	          POOL_INPUT_BASENAME = 1, /* under its own name in the current directory */
	          POOL_INPUT_ARG = 2,   /* absolute path as $1 (and the further files as $2...) */
	          POOL_INPUT_STDIN = 4, /* bytes of the (first) file on standard input */
	          POOL_INPUT_ALL = 7,
};

struct jobserver;

/* The job server for tests that run several jobs themselves, so that all of them together never run
 * more than there are slots (or tokens of the make above). */
enum pool_serve {
	POOL_SERVE_NONE,
	POOL_SERVE_AUTO, /* for those who ask for it (testenv.h) */
	POOL_SERVE_PIPE, /* for all, by MAKEFLAGS: descriptors 3 and 4 */
	POOL_SERVE_FIFO, /* the same by name, for make 4.4 and newer, ninja 1.13 and newer */
};

struct pool_options {
	const char *test; /* absolute path of the program */
	const char *const
		*args; /* further arguments before the candidate, NULL-terminated; may be NULL */
	/* What the test gets as $1, $2...: paths within a candidate, those of directories with a
	 * '/' behind them, which are there even when they are empty. NULL at the end. NULL: the
	 * candidate's files. */
	const char *const *operands;
	unsigned jobs; /* slots, at least 1 */
	const struct jobserver
		*make; /* job server of a make above, which tests take tokens from; NULL: none */
	enum pool_serve serve;
	const char *shims;     /* directory of make/make, ninja/ninja... for POOL_SERVE_AUTO
	                          (testenv.h); NULL: none */
	unsigned input;        /* set of enum pool_input */
	uint64_t timeout_ns;   /* deadline of a test; 0: none. pool_set_timeout changes it */
	uint64_t memory_limit; /* bytes of address space, 0: none */
	uint64_t file_limit;   /* bytes of the largest file a test may write, 0: none */
	uint64_t cpu_limit_s;  /* CPU seconds, 0: none */
	const char *work_dir;  /* where candidates are written; NULL: chosen, memory-backed where
	                          there is room */
	uint64_t input_size;   /* bytes of the largest candidate, to choose a place with room */
	int exit_code;         /* the test's exit status that means interesting; normally 0 */
};

/* Starts the minders. The strings in OPTIONS outlive the pool, which changes no signal disposition.
 * NULL and err when the system refuses. Free with oracle_free. */
struct oracle *pool_new(const struct pool_options *options, struct err *err);

/* The deadline for tests started from now on, in nanoseconds; 0: none. */
void pool_set_timeout(struct oracle *pool, uint64_t timeout_ns);

enum { POOL_OUTPUT_MAX = 1 << 16 };

/* Runs the test once on TC with its output captured (standard output and error as they come, at
 * most POOL_OUTPUT_MAX bytes, the rest is read and dropped), for messages to the user. Nothing else
 * may run. 0 and *output allocated, NUL-terminated, the caller's; or -1 with err. */
int pool_run_verbose(struct oracle *pool, const struct testcase *tc, struct answer *answer,
                     char **output, struct err *err);

/* What a run that was killed has left and could not be removed, in words; NULL: nothing. */
const char *pool_left_behind(const struct oracle *pool);

/* The directory that holds the slots' directories. */
const char *pool_work_dir(const struct oracle *pool);

#endif
