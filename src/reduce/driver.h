/* The driver connects a reducer with an oracle. Only here do questions become tests, and
 * verdicts answers.
 *
 * Every worker is kept busy: first with questions of the reducer; when it must wait for verdicts,
 * with those of a clone that is told the likely verdicts (speculation). A verdict, once obtained,
 * is kept in the table and never asked for again. A wrong prediction costs only the tests that
 * depended on it: the reducer itself learns only true verdicts, so its course is the same at any
 * number of workers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "reduce/reducer.h"
#include "run/oracle.h"
#include "run/verdicts.h"

struct err;
struct external_host;
struct driver;

/* What a driver is given, and says; see driver.h. */

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

/* Runs until the fixpoint or until something stops it. VERDICTS may hold verdicts that are known
 * already. No test is running when it returns. A reducer that was left in the middle of its work
 * (DRIVER_STOPPED, reducer_leave) can only be asked what it has. */
enum driver_end driver_run(struct reducer *reducer, struct oracle *oracle,
                           struct verdicts *verdicts, const struct driver_options *options,
                           struct driver_stats *stats, struct err *err);

/* The same in steps, for callers that wait for answers themselves. All arguments except OPTIONS
 * must outlive the driver; it adds to STATS. */
struct driver *driver_new(struct reducer *reducer, struct oracle *oracle, struct verdicts *verdicts,
                          const struct driver_options *options, struct driver_stats *stats);
void driver_free(struct driver *d); /* takes back what is open; NULL is fine */

/* Submits questions as far as there are free slots. DRIVER_RUNS: answers are awaited. */
enum driver_end driver_ask(struct driver *d, struct err *err);

/* An answer of the oracle. 0, or -1 with err. */
int driver_answer(struct driver *d, const struct answer *answer, struct err *err);

/* Nobody will answer TICKET. False: the answer is needed, and the question stays. */
bool driver_forget(struct driver *d, uint64_t ticket);

/* Whether the answer to TICKET still matters, as it looked when driver_ask was called last. */
bool driver_wants(const struct driver *d, uint64_t ticket);
