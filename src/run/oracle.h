/* The oracle: runs the interestingness test. One interface has several implementations: a child
 * process for each test (pool.h), a process that stays (persistent.h), workers elsewhere
 * (far/far.h), in tests a function of the process (tests/run/inproc.h).
 *
 * Life cycle: an implementation's constructor (or setup.h) returns a struct oracle; oracle_submit
 * starts a request while oracle_free_slots is not 0; oracle_wait returns answers in the order of
 * arrival; oracle_cancel withdraws a question that no longer matters (it gets no answer);
 * oracle_free ends everything that still runs. For a single answer, call oracle_ask.
 *
 * The request holds everything that may differ from one question to the next. The caller caches
 * verdicts and decides; the oracle only runs tests. The order of answers depends on timing, so no
 * decision may depend on it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "text/testcase.h"

struct err;
struct origin;

enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_INTERESTING,
	VERDICT_NOT_INTERESTING,
	VERDICT_TIMEOUT, /* not interesting within the limit that is recorded with it */
	VERDICTS,        /* how many there are */
};

/* The reason of a verdict. */
enum answer_why {
	ANSWER_OWN,    /* the test's exit status, or its deadline */
	ANSWER_WORKER, /* it killed the process that ran it, each time */
	ANSWER_FILES,  /* it exceeded this limit: struct oracle_limits */
	ANSWER_MEMORY,
	ANSWER_PROCESSES,
	ANSWER_WHYS, /* how many there are */
};

struct answer {
	uint64_t ticket;
	enum verdict verdict;
	enum answer_why why;
	int status;        /* wait status of the test's leader as from waitpid; 0 in process */
	uint64_t wall_ns;  /* from start to end of the leader */
	uint64_t limit_ns; /* the deadline in force; 0: none */
	bool claimed; /* VERDICT_INTERESTING, says a persistent process that has answered before; a
	                 fresh one was not asked */
};

/* The limits of one run; 0: no limit. Exceeding one ends the run, which is not interesting. */
struct oracle_limits {
	uint64_t wall_ns; /* deadline */
	uint64_t cpu_s;   /* processor time */
	/* Bytes that all its processes use. Without a control group (setup.h): the address space
	 * of each, and a test that gets no more memory may do as it likes. */
	uint64_t memory;
	uint64_t files;     /* bytes that it may write to its directories, in all */
	uint64_t processes; /* that run at a time; threads count where there is a control group */
};

/* Where a run's standard output and standard error go: descriptors, open while the request is
 * submitted, which may be the same; -1: dropped. */
struct oracle_output {
	int out, err;
};

/* A question: to the test, or to a program beside it, which runs as the test does: same slots,
 * directories, limits and tidying. */
struct oracle_request {
	uint64_t ticket;           /* names the question; unique among the open ones */
	const struct testcase *tc; /* read during the call only */
	const struct origin *made; /* how TC was made; likewise; NULL: not known */
	const char *const *words;  /* NULL: the test. Else absolute path and arguments of another
	                              program, NULL at the end; the test case's paths come after
	                              them */
	struct oracle_limits limits;
	const struct oracle_output *output; /* NULL: all of it is dropped */
	bool anew; /* a test that stays alive is started for it: one that did so before may answer
	              the same again and again, and another one otherwise */
	bool lasting; /* with `anew`: a fork server that shares nothing with what it starts will do
	               */
	bool claims;  /* an answer that is only claimed will do */
	/* The candidate once more, a reference for the oracle; NULL when nobody waits for the
	 * answer any more: then there is none. With this function a candidate of more than
	 * ORACLE_HOLDS bytes is not kept while its test runs: it is called should the worker die.
	 * NULL: the candidate is kept. */
	struct testcase *(*again)(void *arg, uint64_t ticket);
	void *again_arg;
};

enum { ORACLE_HOLDS = 1 << 20 };

/* A copy of RQ that outlives the call, with words and descriptors of its own (OUTPUT, which it
 * points to where RQ has any), and without the test case. 0, or -1 with errno. oracle_drop lets go
 * of it, and of a test case that was put into it. */
int oracle_keep(const struct oracle_request *rq, struct oracle_request *copy,
                struct oracle_output *output);
void oracle_drop(struct oracle_request *copy, struct oracle_output *output);

struct oracle;

/* Of an oracle that wraps another one, those that are NULL are done by that one. */
struct oracle_ops {
	unsigned (*slots)(struct oracle *, bool ahead);
	unsigned (*allow)(struct oracle *, unsigned jobs);
	int (*submit)(struct oracle *, const struct oracle_request *, struct err *);
	int (*wait)(struct oracle *, struct answer *, int wake_fd, int timeout_ms, struct err *);
	bool (*ready)(struct oracle *); /* NULL: that is not known */
	/* NULL: nothing can be taken back; nor if the wrapped one cannot. */
	void (*cancel)(struct oracle *, uint64_t ticket);
	void (*free)(struct oracle *);
};

struct oracle {
	const struct oracle_ops *ops;
	struct oracle *inner; /* the one that it wraps and owns; NULL: none */
	/* Called about twice a second by oracle_ask and its like while they wait; NULL: nobody
	 * wants to know. */
	void (*idle)(void *arg);
	void *idle_arg;
};

/* How many more questions can be submitted now; AHEAD: such whose answers may not be needed, since
 * there may be room for others only. Call this only when there is a question, since it prepares the
 * slots. */
static inline unsigned oracle_slots(struct oracle *o, bool ahead)
{
	return o->ops->slots ? o->ops->slots(o, ahead) : oracle_slots(o->inner, ahead);
}

static inline unsigned oracle_free_slots(struct oracle *o)
{
	return oracle_slots(o, false);
}

/* From now on no more than JOBS questions are open at a time, 0 means a pause; open questions
 * stay open. Returns how many are allowed, which may be fewer than JOBS. Only for oracles that
 * support it. */
static inline unsigned oracle_allow(struct oracle *o, unsigned jobs)
{
	return o->ops->allow ? o->ops->allow(o, jobs) : oracle_allow(o->inner, jobs);
}

/* Starts REQUEST in a free slot. Returns 0, or -1 and err if the system refuses. The answer for
 * a program other than the test says how it ended (status; VERDICT_TIMEOUT): a program that cannot
 * be started counts as one that exits with 127, and one whose worker dies repeatedly as one that
 * was killed. */
static inline int oracle_submit(struct oracle *o, const struct oracle_request *request,
                                struct err *err)
{
	return o->ops->submit(o, request, err);
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

/* Whether an answer has come that oracle_wait has not returned yet. What is asked next is better
 * chosen when all that has come is known. */
static inline bool oracle_is_ready(struct oracle *o)
{
	return o->ops->ready ? o->ops->ready(o) : o->inner && oracle_is_ready(o->inner);
}

/* Whether withdrawing a question makes room for another one. */
static inline bool oracle_can_cancel(const struct oracle *o)
{
	return o->ops->cancel && (!o->inner || oracle_can_cancel(o->inner));
}

/* Stops the test of TICKET at once; it gets no answer. Unknown tickets are ignored. */
static inline void oracle_cancel(struct oracle *o, uint64_t ticket)
{
	if (oracle_can_cancel(o))
		o->ops->cancel(o, ticket);
}

/* Stops all tests, waits for their end, removes their directories, frees the oracle. NULL is fine.
 */
static inline void oracle_free(struct oracle *o)
{
	if (o)
		o->ops->free(o);
}

SCOPED_POINTER(oracle, struct oracle *, oracle_free)

/* As oracle_wait without a limit, but half a second may pass with 0, and idle is called then. */
int oracle_wait_long(struct oracle *o, struct answer *answer, int wake_fd, struct err *err);

/* Submits REQUEST and waits for its answer; nothing else is open. 0; 1 when STOP_FD (-1: none)
 * became readable before that, and the question was taken back; -1 with err. */
int oracle_ask(struct oracle *o, const struct oracle_request *request, int stop_fd,
               struct answer *answer, struct err *err);

enum { ORACLE_OUTPUT_MAX = 1 << 16 };

/* The same with the output captured, standard output and error as
 * they come: at most ORACLE_OUTPUT_MAX bytes, the rest is read and dropped. 0 and *output
 * allocated, NUL-terminated, the caller's; 1 when it was stopped; or -1 with err. */
int oracle_ask_verbose(struct oracle *o, const struct oracle_request *request, int stop_fd,
                       struct answer *answer, char **output, struct err *err);

/* Whom to ask, and until when. */
struct oracle_asker {
	struct oracle *oracle;
	int stop_fd; /* readable when the user wants to stop; -1: none */
};
