/* The reducer: a whole reduction as a pure machine. It strings searches together as the plan says,
 * and turns their questions into candidates. It runs no test and reads no clock; a clone of it, fed
 * with predictions, looks ahead.
 *
 * Life cycle: reducer_new; reducer_next until it says REDUCER_WAIT (then tell at least one open
 * question) or REDUCER_DONE; reducer_free. Its state follows from the verdicts alone.
 */
#ifndef WHITTLE_REDUCE_REDUCER_H
#define WHITTLE_REDUCE_REDUCER_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/external.h"
#include "reduce/external_host.h"
#include "reduce/plan.h"
#include "reduce/recipe.h"
#include "run/oracle.h"
#include "search/search.h"
#include "search/view.h"

struct err;
struct reducer;

enum reducer_state { REDUCER_ASK, REDUCER_WAIT, REDUCER_DONE, REDUCER_FAILED };

struct ask {
	uint64_t id;
	bool likely;                /* predicted verdict */
	struct testcase *candidate; /* the caller's reference; of a request: the test case that it
	                               is about */
	bool is_request; /* a question to an external pass, to be answered with reducer_give; never
	                    to a test */
	struct external_request request;
	struct recipe recipe; /* of a candidate that an oracle does not keep; none from clones; the
	                         caller's */
};

/* A question with its answer. */
struct answered {
	uint64_t id;
	struct hash hash; /* of the candidate */
	enum verdict verdict;
	uint64_t limit_ns; /* of a timeout: the deadline in force */
};

/* What the owner hears of; only from the reducer it gave it to, never from clones. */
struct reducer_observer {
	/* A strictly simpler test case was found interesting. */
	void (*accepted)(void *arg, struct reducer *, struct testcase *now,
	                 const struct pass_run *);
	void (*pass_ended)(void *arg, struct reducer *, const struct pass_run *);
	void *arg;
};

struct reducer_options {
	uint64_t enabled; /* a set of passes (passes.h) */
	uint64_t seed;
	struct strategy_options strategy;
	struct spans *spans; /* of a single file, from outside; borrowed; NULL: none */
	const struct tokenizers
		*tokenizers; /* of a tree, whose entries have their languages; borrowed */
	const struct externals *externals; /* borrowed; NULL: none */
	uint64_t max_questions;            /* end after so many; 0: never */
	uint32_t until_size;               /* end when the test case is no larger; 0: never */
};

/* Why it is done. Like all else a function of the verdicts: limits that depend on time are the
 * driver's. */
enum reducer_end { REDUCER_FIXPOINT, REDUCER_SIZE_REACHED, REDUCER_MAX_QUESTIONS };

/* TOKENIZER, NULL for a tree, is borrowed. Takes a reference of its own on TC. */
struct reducer *reducer_new(struct testcase *tc, const struct tokenizer *tokenizer,
                            const struct reducer_options *options,
                            const struct reducer_observer *observer);

/* A copy in the same state, without observer. It stops (REDUCER_WAIT) where looking ahead would
 * cost a new analysis of a large base. */
struct reducer *reducer_clone(const struct reducer *r);
void reducer_free(struct reducer *r);

/* The next candidate. REDUCER_FAILED: err (a tokenizer's limit). */
enum reducer_state reducer_next(struct reducer *r, struct ask *ask, struct err *err);

/* The verdict on an open question; LIMIT_NS is the deadline of a timeout, else 0. */
void reducer_tell(struct reducer *r, uint64_t id, enum verdict verdict, uint64_t limit_ns);

/* The answer to an open request; takes a reference of its own. */
void reducer_give(struct reducer *r, uint64_t id, struct external_result *result);

/* The answers since this was called last, in the order in which the questions were asked; when
 * `accepted` is called none is open, so they are the same at any number of workers. Borrowed until
 * the next call of any function here. */
const struct answered *reducer_answered(struct reducer *r, size_t *n);

struct testcase *reducer_current(
	struct reducer *r); /* the simplest one found interesting; borrowed */
const struct pass_stats *reducer_external_stats(const struct reducer *r, uint32_t pass);
struct pass_stats reducer_pump_stats(const struct reducer *r);
const struct plan *reducer_plan(const struct reducer *r);
uint64_t reducer_questions(const struct reducer *r);       /* answered ones */
uint64_t reducer_questions_since(const struct reducer *r); /* of them, since the last success */
enum reducer_end reducer_why(const struct reducer *r);     /* when done */

#endif
