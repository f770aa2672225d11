/* What a driver is given, and says; see driver.h. */
#ifndef WHITTLE_REDUCE_DRIVER_DEF_H
#define WHITTLE_REDUCE_DRIVER_DEF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "run/oracle.h"

struct err;
struct external_host;

struct driver_stats {
	uint64_t tests;      /* started */
	uint64_t speculated; /* of them ahead of the reducer */
	uint64_t cancelled;  /* of them stopped before their end */
	uint64_t timeouts;
	uint64_t verdicts[VERDICTS]; /* answers by what they say */
	unsigned busy;               /* tests that ran when nothing more could be started */
	uint64_t why[ANSWER_WHYS];   /* answers by the reason of their verdicts */
};

/* What comes of a test case that was found interesting, and of which there are doubts. */
enum driver_doubt {
	DOUBT_NONE,   /* it stands */
	DOUBT_FALSE,  /* it was found so by mistake: DRIVER_DOUBT */
	DOUBT_STOP,   /* nobody knows, the user wants to stop */
	DOUBT_FAILED, /* err */
};

struct driver_options {
	struct oracle_limits limits; /* under which verdicts are asked */
	int wake_fd;                 /* readable when should_stop may have changed; -1: none */
	int tick_ms; /* should_stop is looked at this often even when nothing happens; -1: never */
	bool (*should_stop)(void *arg);
	bool (*is_over)(void *arg); /* driver_run: the same within a computation of the reducer,
	                               which is left then (base/work.h); NULL: it never is */
	bool claims; /* answers that are only claimed will do: the reducer confirms its steps */
	/* NOW, the best test case or what is to become it, was asked about again, and the test said
	 * no; or the question AFTER is the next one. No test runs. */
	enum driver_doubt (*doubted)(void *arg, struct testcase *now, struct err *err);
	struct hash after; /* of a candidate; zero: there is none */
	struct external_host
		*host; /* answers the requests to external passes; NULL: there are none */
	/* Each verdict obtained, as soon as it is in. Non-zero: stop with err (the journal cannot
	 * be written). */
	int (*verdict)(void *arg, struct hash hash, enum verdict verdict, uint64_t limit_ns,
	               struct err *err);
	void *arg;
};

enum driver_end {
	DRIVER_FIXPOINT,
	DRIVER_STOPPED,
	DRIVER_SIZE_REACHED,
	DRIVER_MAX_QUESTIONS,
	DRIVER_NO_SUCCESS,
	DRIVER_FAILED,
	DRIVER_DOUBT, /* what it has is not interesting: start over with what is known now */
	DRIVER_RUNS,  /* it does not: answers are awaited */
};

#endif
