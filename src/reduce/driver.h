/* The driver: brings a reducer and an oracle together. Here alone questions become tests and
 * verdicts answers.
 *
 * Every worker is kept busy: first with questions of the reducer; when it must wait for verdicts,
 * with those of a clone that is told what is likely (speculation). A verdict, once obtained, is
 * kept in the table and never asked for again. A prediction that proves wrong costs the tests that
 * followed from it, nothing else: the reducer itself only ever learns true verdicts, so its course
 * is the same at any number of workers.
 */
#ifndef WHITTLE_REDUCE_DRIVER_H
#define WHITTLE_REDUCE_DRIVER_H

#include "reduce/reducer.h"
#include "run/oracle.h"
#include "run/verdicts.h"

struct driver_stats {
	uint64_t tests;      /* started */
	uint64_t speculated; /* of them ahead of the reducer */
	uint64_t cancelled;  /* of them stopped before their end */
	uint64_t timeouts;
	uint64_t verdicts[VERDICTS]; /* answers by what they say */
	unsigned busy;               /* tests that ran when nothing more could be started */
	uint64_t why[ANSWER_WHYS];   /* answers by the reason of their verdicts */
};

struct driver_options {
	struct oracle_limits limits; /* under which verdicts are asked */
	int wake_fd;                 /* readable when should_stop may have changed; -1: none */
	int tick_ms; /* should_stop is looked at this often even when nothing happens; -1: never */
	bool (*should_stop)(void *arg);
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
	DRIVER_RUNS, /* it does not: answers are awaited */
};

struct driver;

/* Runs until the fixpoint or until something stops it. VERDICTS may hold what is known from before.
 * When it returns nothing runs any more. */
enum driver_end driver_run(struct reducer *reducer, struct oracle *oracle,
                           struct verdicts *verdicts, const struct driver_options *options,
                           struct driver_stats *stats, struct err *err);

/* The same in steps, for who waits for answers himself. All that is given outlives the driver, but
 * OPTIONS; STATS are added to. */
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

#endif
