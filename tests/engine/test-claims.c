/* Answers that are only claimed: the search goes on with them, but what becomes a step is
 * confirmed, and a claim that is refuted leads back. The steps are those of a test that is asked
 * anew each time, at any number of workers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "needles.h"
#include "reduce/driver.h"
#include "../run/inproc.h"

enum { LINES = 400, STEPS = 4096, SLOTS = 16, TICKETS = 1 << 16 };

struct run {
	bool claims, lies; /* claims will do; one in sixteen that should be no is yes */
	bool together;     /* all answers that are open come at the same time */
	unsigned slots;
	bool taking; /* the first of them is taken, others have come */
	struct oracle oracle;
	struct oracle *inner;
	bool claimed[TICKETS]; /* the answer is, that will come */
	bool asked_anew;       /* the question that is being submitted */
	struct verdicts verdicts;
	struct reducer *reducer;
	uint64_t anew, yes; /* questions; answers to all others */
	unsigned refuted, looks, stops;
	struct hash steps[STEPS];
	unsigned n_steps;
};

static bool is_true(const struct testcase *tc)
{
	unsigned n = 0;
	for (uint32_t i = 0; i + 6 <= tc->size; i++)
		n += !memcmp(tc->bytes + i, "needle", 6);
	return n == LINES / 50;
}

static bool says(const struct testcase *tc, void *arg)
{
	struct run *run = arg;
	bool lie = run->lies && run->claims && !run->asked_anew && tc->hash.lo % 16 == 0;
	run->anew += run->asked_anew;
	run->yes += !run->asked_anew && (lie || is_true(tc));
	return lie || is_true(tc);
}

/* ---- an oracle that claims ---- */

static struct run *run_of(struct oracle *oracle)
{
	return (struct run *)((char *)oracle - offsetof(struct run, oracle));
}

static unsigned slots_of(struct oracle *oracle, bool ahead)
{
	return oracle_slots(run_of(oracle)->inner, ahead);
}

static int submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct run *run = run_of(oracle);
	assert_true(rq->ticket < TICKETS);
	assert_int_equal(rq->claims, run->claims);
	assert_false(run->taking && !run->lies);
	run->asked_anew = rq->anew;
	run->claimed[rq->ticket] = run->claims && !rq->anew;
	return oracle_submit(run->inner, rq, err);
}

static bool is_ready(struct oracle *oracle)
{
	struct run *run = run_of(oracle);
	return run->together && oracle_free_slots(run->inner) < run->slots;
}

static int await(struct oracle *oracle, struct answer *a, int wake_fd, int timeout_ms,
                 struct err *err)
{
	struct run *run = run_of(oracle);
	int rc = oracle_wait(run->inner, a, wake_fd, timeout_ms, err);
	if (rc > 0)
		a->claimed = run->claimed[a->ticket] && a->verdict == VERDICT_INTERESTING;
	run->taking = is_ready(oracle);
	return rc;
}

static void cancel(struct oracle *oracle, uint64_t ticket)
{
	oracle_cancel(run_of(oracle)->inner, ticket);
}

static const struct oracle_ops ops = {
	.slots = slots_of,
	.submit = submit,
	.wait = await,
	.ready = is_ready,
	.cancel = cancel,
};

/* ---- a reduction ---- */

static enum driver_doubt doubted(void *arg, struct testcase *now, struct err *err)
{
	struct run *run = arg;
	(void)err;
	assert_false(hash_equal(now->hash, reducer_current(run->reducer)->hash));
	assert_false(is_true(now));
	run->refuted++;
	run->claims = false;
	verdicts_forget_claims(&run->verdicts);
	return DOUBT_FALSE;
}

static void note(void *arg, struct reducer *r, struct testcase *now, const struct pass_run *pass)
{
	struct run *run = arg;
	(void)pass;
	assert_true(is_true(now));
	assert_true(reducer_current(r) == now);
	assert_true(run->n_steps < STEPS);
	run->steps[run->n_steps++] = now->hash;
}

static bool stops(void *arg)
{
	struct run *run = arg;
	assert_true(is_true(reducer_current(run->reducer))); /* at each moment */
	return run->stops && ++run->looks % run->stops == 0;
}

static enum driver_end drive(struct run *run, unsigned slots)
{
	struct err err = { 0 };
	struct reducer_options ro = { .enabled = passes_first(passes_n), .confirms = run->claims };
	struct driver_options options = { .wake_fd = -1,
		                          .tick_ms = -1,
		                          .claims = run->claims,
		                          .should_stop = stops,
		                          .doubted = doubted,
		                          .arg = run };
	const struct reducer_observer ears = { .accepted = note, .arg = run };
	struct driver_stats stats = { 0 };
	run->n_steps = 0;
	run->oracle.ops = &ops;
	run->inner = inproc_new(says, run, slots);
	run->slots = slots;
	run->taking = false;
	inproc_scramble(run->inner, slots > 1 ? slots : 0);
	run->reducer = reducer_new(original, tokenizer, &ro, &ears);
	verdicts_use_none(&run->verdicts);
	enum driver_end end =
		driver_run(run->reducer, &run->oracle, &run->verdicts, &options, &stats, &err);
	oracle_free(run->inner);
	reducer_free(run->reducer);
	return end;
}

static struct run *reduce(struct run how, unsigned slots)
{
	struct run *run = mem_dup(&how, sizeof how);
	enum driver_end end;
	while ((end = drive(run, slots)) == DRIVER_DOUBT || end == DRIVER_STOPPED)
		;
	assert_int_equal(end, DRIVER_FIXPOINT);
	return run;
}

static void release(struct run *run)
{
	verdicts_release(&run->verdicts);
	free(run);
}

static void same_steps(const struct run *a, const struct run *b)
{
	assert_int_equal(a->n_steps, b->n_steps);
	assert_memory_equal(a->steps, b->steps, a->n_steps * sizeof a->steps[0]);
}

/* Asked anew is what becomes a step, once, and nothing else. */
static void only_steps_are_confirmed(void **state)
{
	(void)state;
	struct run *plain = reduce((struct run){ 0 }, 1);
	for (unsigned slots = 1; slots <= SLOTS; slots *= 4)
		for (unsigned often = 0; often <= 97; often += 97) {
			struct run *run =
				reduce((struct run){ .claims = true, .stops = often }, slots);
			same_steps(plain, run);
			assert_int_equal(run->refuted, 0);
			assert_true(run->anew >= run->n_steps);
			if (!often)
				assert_int_equal(run->anew, run->n_steps);
			assert_true(run->yes > 2 * run->anew);
			release(run);
		}
	release(plain);
}

static void a_lie_leads_back(void **state)
{
	(void)state;
	struct run *plain = reduce((struct run){ 0 }, 1);
	for (unsigned slots = 1; slots <= SLOTS; slots *= 2)
		for (unsigned often = 0; often <= 97; often += 97) {
			struct run *run =
				reduce((struct run){ .claims = true, .lies = true, .stops = often },
			               slots);
			same_steps(plain, run);
			assert_int_equal(run->refuted, 1);
			release(run);
		}
	release(plain);
}

/* What comes together is taken before more is asked, whatever it says. */
static void together_changes_nothing(void **state)
{
	(void)state;
	struct run *plain = reduce((struct run){ 0 }, 1);
	for (unsigned slots = 4; slots <= SLOTS; slots *= 4)
		for (int lies = 0; lies < 2; lies++) {
			struct run how = { .claims = true, .lies = lies, .together = true };
			struct run *run = reduce(how, slots);
			same_steps(plain, run);
			assert_int_equal(run->refuted, lies);
			release(run);
		}
	release(plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_steps_are_confirmed),
		cmocka_unit_test(a_lie_leads_back),
		cmocka_unit_test(together_changes_nothing),
	};
	return cmocka_run_group_tests(tests, needles_setup, needles_teardown);
}
