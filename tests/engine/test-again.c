/* The best test case is asked about again: with a sure test nothing changes but the number of
 * tests; what was found interesting by mistake is gone back on, the same at any number of workers.
 */
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

enum { LINES = 400, STEPS = 4096, SLOTS = 16 };

struct run {
	bool errs, again; /* the test makes mistakes; the best is asked about again */
	struct reducer *reducer;
	struct verdicts verdicts;
	uint64_t calls, doubts, refuted, again_asked;
	unsigned looks, stops; /* stopped at each so many looks; 0: never */
	struct hash steps[STEPS];
	unsigned n_steps;
	struct hash result, after;
	unsigned n_sampled;
	struct hash sample[REDUCER_SAMPLE];
};

static unsigned needles(const struct testcase *tc)
{
	unsigned n = 0;
	for (uint32_t i = 0; i + 6 <= tc->size; i++)
		n += !memcmp(tc->bytes + i, "needle", 6);
	return n;
}

/* One in sixteen of those that lack a needle is found interesting, but not when it is the best one.
 */
static bool holds(const struct testcase *tc, void *arg)
{
	struct run *run = arg;
	bool is_best = hash_equal(tc->hash, reducer_current(run->reducer)->hash);
	run->calls++;
	run->again_asked += is_best;
	if (needles(tc) == LINES / 50)
		return true;
	return run->errs && !is_best && tc->size && tc->hash.lo % 16 == 0;
}

static enum driver_doubt doubted(void *arg, struct testcase *now, struct err *err)
{
	struct run *run = arg;
	(void)err;
	run->doubts++;
	if (needles(now) == LINES / 50)
		return DOUBT_NONE;
	run->refuted++;
	run->after = now->hash;
	verdicts_overrule(&run->verdicts, now->hash, VERDICT_NOT_INTERESTING);
	return DOUBT_FALSE;
}

static void note(void *arg, struct reducer *r, struct testcase *now, const struct pass_run *pass)
{
	struct run *run = arg;
	(void)r;
	(void)pass;
	assert_true(run->n_steps < STEPS);
	run->steps[run->n_steps++] = now->hash;
}

static bool stops(void *arg)
{
	struct run *run = arg;
	return run->stops && ++run->looks % run->stops == 0;
}

/* Those whose answers were new, by hash. */
static void note_sample(struct run *run)
{
	size_t n;
	const struct sampled *list = reducer_sampled(run->reducer, &n);
	run->n_sampled = 0;
	for (size_t i = 0; i < n; i++) {
		assert_true(!i || list[i - 1].hash.hi <= list[i].hash.hi);
		if (list[i].is_new)
			run->sample[run->n_sampled++] = list[i].hash;
	}
}

static enum driver_end drive(struct run *run, unsigned slots)
{
	struct err err = { 0 };
	struct reducer_options ro = { .enabled = passes_first(passes_n), .again = run->again };
	struct driver_options options = { .wake_fd = -1,
		                          .tick_ms = -1,
		                          .should_stop = stops,
		                          .doubted = doubted,
		                          .after = run->after,
		                          .arg = run };
	const struct reducer_observer ears = { .accepted = note, .arg = run };
	struct driver_stats stats = { 0 };
	run->n_steps = 0;
	run->reducer = reducer_new(original, tokenizer, &ro, &ears);
	struct oracle *oracle = inproc_new(holds, run, slots);
	inproc_scramble(oracle, slots > 1 ? slots : 0);
	verdicts_use_none(&run->verdicts);
	enum driver_end end =
		driver_run(run->reducer, oracle, &run->verdicts, &options, &stats, &err);
	run->result = reducer_current(run->reducer)->hash;
	note_sample(run);
	oracle_free(oracle);
	reducer_free(run->reducer);
	return end;
}

static void reduce(struct run *run, unsigned slots)
{
	enum driver_end end;
	while ((end = drive(run, slots)) == DRIVER_DOUBT || end == DRIVER_STOPPED)
		;
	assert_int_equal(end, DRIVER_FIXPOINT);
}

static void same_steps(const struct run *a, const struct run *b)
{
	assert_true(hash_equal(a->result, b->result));
	assert_int_equal(a->n_steps, b->n_steps);
	assert_memory_equal(a->steps, b->steps, a->n_steps * sizeof a->steps[0]);
	assert_true(a->n_sampled > 5);
	assert_int_equal(a->n_sampled, b->n_sampled);
	assert_memory_equal(a->sample, b->sample, a->n_sampled * sizeof a->sample[0]);
}

/* Less than one test in twenty more, and the same steps. */
static void test_sure(void **state)
{
	(void)state;
	struct run *plain = mem_zero(1, sizeof *plain);
	reduce(plain, 1);
	for (unsigned slots = 1; slots <= SLOTS; slots *= 4) {
		struct run *again = mem_zero(1, sizeof *again);
		again->again = true;
		reduce(again, slots);
		same_steps(plain, again);
		assert_true(again->again_asked > 5);
		assert_true(again->again_asked * 22 <= plain->calls);
		assert_int_equal(again->doubts, 0);
		verdicts_release(&again->verdicts);
		free(again);
	}
	verdicts_release(&plain->verdicts);
	free(plain);
}

/* Mistakes are found, and lead back; the same ones whatever runs ahead. */
static void test_mistakes(void **state)
{
	(void)state;
	struct run *first = mem_zero(1, sizeof *first);
	first->errs = first->again = true;
	reduce(first, 1);
	assert_true(first->refuted > 0);
	for (unsigned slots = 2; slots <= SLOTS; slots *= 2) {
		struct run *other = mem_zero(1, sizeof *other);
		other->errs = other->again = true;
		reduce(other, slots);
		same_steps(first, other);
		assert_int_equal(other->refuted, first->refuted);
		assert_int_equal(other->doubts, first->doubts);
		verdicts_release(&other->verdicts);
		free(other);
	}
	for (unsigned slots = 1; slots <= SLOTS; slots *= 4) {
		struct run *stopped = mem_zero(1, sizeof *stopped);
		stopped->errs = stopped->again = true;
		stopped->stops = 61;
		reduce(stopped, slots);
		same_steps(first, stopped);
		assert_int_equal(stopped->refuted, first->refuted);
		assert_true(stopped->looks / stopped->stops > 3);
		verdicts_release(&stopped->verdicts);
		free(stopped);
	}
	verdicts_release(&first->verdicts);
	free(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sure),
		cmocka_unit_test(test_mistakes),
	};
	return cmocka_run_group_tests(tests, needles_setup, needles_teardown);
}
