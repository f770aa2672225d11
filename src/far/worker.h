/* The other end of far.h, on the machine that runs the tests: reads questions (whittle-workers(7))
 * from a descriptor and writes verdicts to another, with a pool of processes of its own. What it
 * needs is sent to it; what it puts on disk is gone when it ends, at the end of its input.
 */
#pragma once

struct err;
struct fence;

struct worker_options {
	int in, out;
	int stop_fd;               /* readable when it is to end; -1: none */
	unsigned jobs;             /* tests at a time */
	const struct fence *fence; /* around the tests */
	const char *shims;         /* as in struct setup */
	const char *dir;           /* where the test and its files are put: a directory */
	const char *version;       /* of the program, a word */
	unsigned beat_ms; /* it gives a sign of life so often, unless it says something else */
};

/* Works until the input ends. 0, or -1 with err: there was no sense in it, or the system refuses.
 */
int worker_run(const struct worker_options *options, struct err *err);
