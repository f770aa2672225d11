/* The reducer: a whole reduction as a pure machine. It runs the searches that the plan chooses,
 * and turns their questions into candidates. It runs no test and reads no clock; a clone of it that
 * is told predicted verdicts looks ahead.
 *
 * reducer_next, reducer_tell and reducer_give take as long as it takes to analyse the test case,
 * and may be left (base/work.h).
 *
 * Life cycle: reducer_new; reducer_next until it says REDUCER_WAIT (then tell at least one open
 * question) or REDUCER_DONE; reducer_free. Its state depends on the verdicts only. */
#ifndef WHITTLE_REDUCE_REDUCER_H
#define WHITTLE_REDUCE_REDUCER_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/reducer_def.h"

struct err;
struct reducer;

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

#endif
