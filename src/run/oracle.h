/* The oracle: asks the interestingness test. One interface, several implementations: local child
 * processes (pool.h), an in-process function (for tests and measurements), later workers elsewhere.
 *
 * Life cycle: an implementation's constructor gives a struct oracle; oracle_submit starts a
 * question while oracle_free_slots is not 0; oracle_wait returns answers in the order of arrival;
 * oracle_cancel takes a question back that can no longer matter (it will not be answered);
 * oracle_free ends everything that still runs. A candidate of more than ORACLE_HOLDS bytes is not
 * kept while its test runs: should the worker die, oracle->again is called for it, so whoever
 * submits such candidates sets it, if they are to be judged all the same. The caller caches
 * verdicts and decides; the oracle only runs tests. What arrives when is a matter of timing, so no
 * decision may depend on the order of answers.
 */
#ifndef WHITTLE_RUN_ORACLE_H
#define WHITTLE_RUN_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "text/testcase.h"

struct err;

enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_INTERESTING,
	VERDICT_BORING,
	VERDICT_TIMEOUT, /* not interesting within the limit that is recorded with it */
};

/* Why a verdict is what it is. */
enum answer_why {
	ANSWER_OWN,    /* the test's exit status, or its deadline */
	ANSWER_WORKER, /* it killed the process that ran it, each time */
};

struct answer {
	uint64_t ticket;
	enum verdict verdict;
	enum answer_why why;
	int status;        /* wait status of the test's leader as from waitpid; 0 in process */
	uint64_t wall_ns;  /* from start to end of the leader */
	uint64_t limit_ns; /* the deadline in force; 0: none */
};

/* A program beside the test, run on a test case as the test is: same slots, directories, limits and
 * tidying. */
struct oracle_command {
	const char *const *words; /* absolute path and arguments, NULL at the end; the test case's
	                             paths come behind them */
	int out;                  /* its standard output; standard error is dropped */
	uint64_t limit_ns;        /* deadline; 0: none */
	uint64_t memory_limit;    /* bytes of address space; 0: none */
};

struct oracle;

struct oracle_ops {
	unsigned (*free_slots)(struct oracle *);
	unsigned (*spare_slots)(struct oracle *); /* NULL: as free_slots */
	int (*submit)(struct oracle *, const struct testcase *, uint64_t ticket, struct err *);
	int (*command)(struct oracle *, const struct oracle_command *, const struct testcase *,
	               uint64_t ticket, struct err *);
	int (*wait)(struct oracle *, struct answer *, int wake_fd, int timeout_ms, struct err *);
	void (*cancel)(struct oracle *, uint64_t ticket);
	void (*free)(struct oracle *);
};

enum { ORACLE_HOLDS = 1 << 20 };

struct oracle {
	const struct oracle_ops *ops;
	/* The candidate of an open question once more, a reference for the oracle; NULL when nobody
	 * waits for the answer any more: then there is none. NULL (no function): all candidates are
	 * kept. */
	struct testcase *(*again)(void *arg, uint64_t ticket);
	void *again_arg;
};

/* How many more questions can be submitted now. To be asked when there is one: what it takes is got
 * ready. */
static inline unsigned oracle_free_slots(struct oracle *o)
{
	return o->ops->free_slots(o);
}

/* The same for questions that may prove to be needless. At times there is no room for these only.
 */
static inline unsigned oracle_spare_slots(struct oracle *o)
{
	return o->ops->spare_slots ? o->ops->spare_slots(o) : o->ops->free_slots(o);
}

/* Starts the test on TC (read during the call only). 0, or -1 with err when the system refuses. */
static inline int oracle_submit(struct oracle *o, const struct testcase *tc, uint64_t ticket,
                                struct err *err)
{
	return o->ops->submit(o, tc, ticket, err);
}

/* Starts COMMAND on TC in a free slot. Its answer says how it ended (status; VERDICT_TIMEOUT); a
 * program that cannot be started ends as one that exits with 127, one whose worker dies again and
 * again as one that was killed. */
static inline int oracle_command(struct oracle *o, const struct oracle_command *command,
                                 const struct testcase *tc, uint64_t ticket, struct err *err)
{
	return o->ops->command(o, command, tc, ticket, err);
}

/* Waits for the next answer. 1: *answer is filled. 0: WAKE_FD (-1: none) is readable or TIMEOUT_MS
 * (-1: none) passed, or nothing runs, or a slot became free without an answer (after oracle_cancel,
 * when there was none free before). -1: err, and answer->ticket names the question if the test
 * could not be run (no such program). */
static inline int oracle_wait(struct oracle *o, struct answer *answer, int wake_fd, int timeout_ms,
                              struct err *err)
{
	return o->ops->wait(o, answer, wake_fd, timeout_ms, err);
}

/* Stops the test of TICKET at once; it gets no answer. Unknown tickets are ignored. */
static inline void oracle_cancel(struct oracle *o, uint64_t ticket)
{
	o->ops->cancel(o, ticket);
}

/* Stops all tests, waits for their end, removes their directories, frees the oracle. NULL is fine.
 */
static inline void oracle_free(struct oracle *o)
{
	if (o)
		o->ops->free(o);
}

#endif
