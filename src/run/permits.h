/* The permits of the pool, called tokens as in make: each says that one job may run. A test takes
 * one while anything of it runs (also after it was cancelled, until its supervisor has said that it
 * is gone); what is left may go to tests that run jobs themselves.
 *
 * Without a make above there are as many as slots. Under one there is one that we have anyway, and
 * those taken from its job server (jobserver.h): only for work that is there; for speculation only
 * while nobody can be waiting for a token, that is, while some are left. When none is left,
 * somebody may be waiting, and nothing tells. So when a test ends one token is put back and left
 * alone for a moment: if it is gone after that, somebody was, and tests that end give back theirs.
 *
 * None of this decides anything about the reduction but when its tests run.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "run/jobserver.h"
#include "run/slots.h"

struct permits {
	struct slots *slots;
	struct keeper keeper; /* sock -1: no make above, or the keeper was killed */
	bool joined;          /* there is a make above */
	bool serves;          /* tests have a job server */
	unsigned have;        /* tokens, wherever they are */
	unsigned most;        /* tests that may run at a time; 0: a pause */
	unsigned processors;  /* that they run on */
	unsigned wanted;      /* as the keeper was told last */
	unsigned idle;        /* not used at any moment since tended_ns */
	unsigned turn;        /* the slot that is given to first */
	uint64_t tended_ns;
	uint64_t yielded_ns;         /* when one was put back for others last... */
	bool yielding;               /* ...and has not come back */
	bool contended;              /* nor will it soon: somebody else has it */
	bool starved, eager, hungry; /* work, speculation, tests could use one more */
};

/* JOBS is the number of tokens when there is no make above (SETUP->make). 0, or -1 with err;
 * release in either case. */
int permits_init(struct permits *t, struct slots *slots, const struct setup *setup,
                 struct err *err);

/* Gives everything back. No test runs any more. */
void permits_release(struct permits *t);

/* From now on at most JOBS tests run at a time, which are no more than slots; 0: none is started.
 * What runs comes to its end. */
void permits_allow(struct permits *t, unsigned jobs);

/* How many tests can be started now. */
unsigned permits_for_tests(const struct permits *t);

/* The same, asked because there is work: takes back what tests have not used, and notes that more
 * are wanted. */
unsigned permits_for_work(struct permits *t);

/* The same for tests that may prove to be of no use: none while all processors are taken. */
unsigned permits_for_speculation(struct permits *t);

/* A slot for the next test, when permits_for_tests is not 0. */
struct slot *permits_find_slot(struct permits *t);

/* A test has ended: others may have their turn. */
void permits_test_ended(struct permits *t);

/* To be called before each wait. Milliseconds after which it should be called again; -1: any time.
 */
int permits_tend(struct permits *t);

/* keeper.sock is readable. */
void permits_hear(struct permits *t);
