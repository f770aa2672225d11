/* A minder's watch over a test that runs. */
#ifndef WHITTLE_RUN_MINDER_WATCH_H
#define WHITTLE_RUN_MINDER_WATCH_H

#include "base/ticks.h"
#include "run/meter.h"
#include "run/minder_def.h"

/* Why the watch over a test ended. */
enum end {
	END_SELF,
	END_SAYS,  /* a living one has said something, or closed its standard output */
	END_TAKES, /* a living one takes more of the question, or closed its standard input */
	END_DEADLINE,
	END_EXCESS,
	END_CANCELLED,
	END_POOL_GONE,
};

/* How a test is watched. */
struct attention {
	struct ticks ticks; /* since its start: time in which we are frozen, and the test with us,
	                       is not the test's */
	uint64_t limit;     /* by them; 0: none */
	struct meter meter;
	enum answer_why excess; /* why END_EXCESS */
	int says;               /* a living test's standard output; -1: none */
	int takes; /* likewise its standard input, while there is more for it; -1: there is not */
	bool cancelled; /* the pool may have sent the next request already */
};

/* Waits for the end of the test PID, which FD tells of (ending.h), its deadline, too much of
 * something, or the pool, which says nothing but "cancel" now. */
enum end minder_watch(struct minder *m, pid_t pid, int fd, struct attention *a);

/* For the pool, which watches us (watch.h). */
void minder_phase(const struct minder *m, enum child_phase phase);

/* Makes ANSWER say that it was not possible to run the test. */
void minder_fail(struct wire_reply *answer, enum wire_stage stage, int error);

#endif
