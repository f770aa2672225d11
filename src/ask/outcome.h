/* What running a command once gave: how it ended, what it printed, how long it took. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct err;

struct outcome {
	int status;     /* wait status */
	bool timed_out; /* it was ended by us: it ran longer than its limit allows */
	uint64_t wall_ns;
	uint64_t cpu_ns;     /* processor time, with that of its children that have ended */
	const char *unlike;  /* how another command does not do what it should beside it, in words;
	                        NULL: it does, or there is none */
	struct buf out, err; /* standard output and error, NUL-terminated; of much the two ends */
};

struct outcome_limits {
	uint64_t wall_ns; /* but for time in which it waited for a processor (base/waited.h); 0:
	                     none */
	uint64_t cpu_ns;  /* processor time; 0: none */
};

/* Runs ARGV (looked for in PATH; NULL at the end) here, with our standard input. What it leaves in
 * its process group is ended. A command that cannot be started gives -1 and err; release *out in
 * either case. SIGCHLD is at its default disposition and is blocked afterwards. */
int outcome_run(char *const *argv, const struct outcome_limits *limits, struct outcome *out,
                struct err *err);
void outcome_release(struct outcome *outcome);

/* What signatures are looked for in: both streams, standard error first; the caller's. */
struct buf outcome_text(const struct outcome *outcome);

/* How it ended, in words: "exit status 1", "signal 11 (SIGSEGV)", "no end within 2 s". */
void outcome_describe(const struct outcome *outcome, char *buf, size_t size);
