/* The reducer: a whole reduction as a pure machine. It runs the searches that the plan chooses,
 * and turns their questions into candidates. It runs no test and reads no clock; a clone of it that
 * is told predicted verdicts looks ahead.
 *
 * reducer_next, reducer_tell and reducer_give take as long as it takes to analyse the test case,
 * and may be left (base/work.h).
 *
 * Life cycle: reducer_new; reducer_next until it says REDUCER_WAIT (then tell at least one open
 * question) or REDUCER_DONE; reducer_free. Its state depends on the verdicts only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "external/external.h"
#include "external/external_host.h"
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
	uint8_t chance;             /* that it is interesting, in percent */
	struct testcase *candidate; /* the caller's reference; of a request: the test case that it
	                               is about */
	struct origin made;         /* how it was made; borrowed until the next call of reducer_next
	                               or reducer_tell */
	bool is_request; /* a question to an external pass, to be answered with reducer_give; never
	                    to a test */
	struct external_request request;
	struct recipe recipe; /* of a candidate that an oracle does not keep; none from clones; the
	                         caller's */
	bool is_again; /* a test case once more, the best one or what is about to be: expected is
	                  that it is interesting still */
	bool lasting;  /* one of those: need not be asked of a fork server that was just started */
	struct hash key; /* of such a question, among the verdicts */
};

enum { REDUCER_SAMPLE = 20 };

/* A candidate that is kept to be asked about again. */
struct sampled {
	struct hash hash;
	uint64_t id;         /* of the question */
	struct testcase *tc; /* a reference */
	bool is_new;         /* the answer was not used before */
};

/* A question with its answer. */
struct answered {
	uint64_t id;
	struct hash hash; /* of the candidate */
	enum verdict verdict;
	uint64_t limit_ns; /* of a timeout: the deadline in force */
};

/* Where a reducer stands, for displays. */
struct reducer_at {
	const char *pass;   /* that runs; NULL: none does */
	uint32_t block;     /* elements that it takes at once; 0: not its way */
	int permille;       /* of its way, at this size of blocks; -1: not known */
	uint64_t questions; /* answered in this run */
	int64_t bytes;      /* saved in it */
	bool waits;         /* for its program, which is asked for candidates */
};

/* What the owner hears of; only from the reducer it gave it to, never from clones. */
struct reducer_observer {
	/* A strictly simpler test case was found interesting. */
	void (*accepted)(void *arg, struct reducer *, struct testcase *now,
	                 const struct pass_run *);
	void (*pass_ended)(void *arg, struct reducer *, const struct pass_run *);
	/* Between two rounds of a pass, and while an external program is asked for candidates: is
	 * the pass to be skipped for now? It has its turn again later, so a fixpoint means what it
	 * always does. MOMENT, a number of the round or the batch, names the moment: who answers
	 * the same at the same moments gets the same result. While a program is waited for the
	 * same moment is asked about again and again. *KEY is what the answer yes is kept under,
	 * among the verdicts (reducer_answered). */
	bool (*skips)(void *arg, struct reducer *, uint64_t moment, struct hash *key);
	/* A tokenizer has given up on what is the base now, so that it has less structure; once. */
	void (*notice)(void *arg, const char *message);
	void *arg;
};

struct reducer_options {
	struct pass_set enabled;
	uint64_t seed;
	struct strategy_options strategy;
	struct spans *spans; /* of a single file, from outside; borrowed; NULL: none */
	const struct tokenizers
		*tokenizers; /* of a tree, whose entries have their languages; borrowed */
	const struct externals *externals; /* borrowed; NULL: none */
	uint64_t max_questions;            /* end after so many that are new; 0: never */
	uint64_t stop_after; /* end after so many new ones since the last success; 0: never */
	uint32_t until_size; /* end when the test case is no larger; 0: never */
	enum plan_certify certify;
	bool shares;   /* large candidates are in pieces: edit_apply_shared */
	bool again;    /* ask about the best test case again now and then */
	bool confirms; /* what becomes a step is asked about once more, first */
};

/* Why it is done. Like all else a function of the verdicts: limits that depend on time are the
 * driver's. */
enum reducer_end {
	REDUCER_FIXPOINT,
	REDUCER_SIZE_REACHED,
	REDUCER_MAX_QUESTIONS,
	REDUCER_NO_SUCCESS,
};

/* TOKENIZER, NULL for a tree, is borrowed. Takes a reference of its own on TC. */
struct reducer *reducer_new(struct testcase *tc, const struct tokenizer *tokenizer,
                            const struct reducer_options *options,
                            const struct reducer_observer *observer);

/* A copy in the same state, without observer. It stops (REDUCER_WAIT) where looking ahead would
 * cost a new analysis of a large base. */
struct reducer *reducer_clone(const struct reducer *r);
void reducer_free(struct reducer *r);

/* Says that a call of a function here, or of one of a clone, was left in the middle of its work
 * (base/work.h): what the reducer has found is all that it can be asked for, and its memory is
 * lost. */
void reducer_leave(struct reducer *r);

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
struct testcase *reducer_newest(struct reducer *r); /* the same, but it may be yet to confirm */
const struct pass_stats *reducer_external_stats(const struct reducer *r, uint32_t pass);
struct pass_stats reducer_pump_stats(const struct reducer *r);
struct reducer_at reducer_at(const struct reducer *r);
const struct plan *reducer_plan(const struct reducer *r);
/* Is it a file that is made anew of what it says? Its own units were not tried then. */
bool reducer_is_made(const struct reducer *r);
uint64_t reducer_skips(const struct reducer *r);     /* runs that were skipped */
uint64_t reducer_questions(const struct reducer *r); /* answered ones */
uint64_t reducer_new_questions(
	const struct reducer *r); /* handed out since the first one that was not known */
uint64_t reducer_questions_since(const struct reducer *r); /* of them, since the last success */
/* The last question is the first one whose answer was not known before this run (see
 * max_questions). */
void reducer_is_new(struct reducer *r);
/* The answer to the question ID was not used before: it stands for a test of its own. */
void reducer_counts_test(struct reducer *r, uint64_t id);
enum reducer_end reducer_why(const struct reducer *r); /* when done */

/* Of the candidates that were asked about since the last success, but for large ones and those of
 * pumps, a sample that is the same at any number of workers: *n, at most REDUCER_SAMPLE, borrowed
 * until the next call of any function here. */
const struct sampled *reducer_sampled(const struct reducer *r, size_t *n);
