/* A reduction can be stopped while it computes: when all answers are in the table, so that it never
 * waits for one, and in the middle of what it computes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "reduce/driver.h"
#include "../run/inproc.h"

enum { LINES = 5000, OFTEN = 4 };

static struct tokenizer *tokenizer;
static struct testcase *original;

static int setup(void **state)
{
	(void)state;
	struct err err = { 0 };
	struct buf text = { 0 };
	for (unsigned i = 0; i < LINES; i++)
		buf_addf(&text, "%u line %u\n", i, i * 7919 % LINES);
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	tokenizer = tokenizer_find(NULL, "a.txt", (const uint8_t *)text.data, text.len, dirs, &err);
	if (!tokenizer)
		fail_msg("%s", err.msg);
	original = testcase_new("a.txt", 0644, (uint8_t *)text.data, (uint32_t)text.len);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	testcase_unref(original);
	tokenizer_free(tokenizer);
	return 0;
}

/* Half of the lines must stay. */
static bool holds(const struct testcase *tc, void *calls)
{
	unsigned n = 0;
	for (uint32_t i = 0; i < tc->size; i++)
		n += tc->bytes[i] == '\n';
	++*(unsigned *)calls;
	return n >= LINES / 2;
}

struct run {
	struct verdicts verdicts;
	unsigned calls;
	unsigned looks, looks_wanted;   /* of the driver at should_stop */
	unsigned within, within_wanted; /* of what computes at is_over */
	uint64_t questions;
	uint32_t size;
	bool holds; /* what it has is interesting */
};

static bool look(void *arg)
{
	struct run *run = arg;
	return ++run->looks == run->looks_wanted;
}

static bool look_within(void *arg)
{
	struct run *run = arg;
	return ++run->within == run->within_wanted;
}

static enum driver_end drive(struct run *run)
{
	struct err err = { 0 };
	struct reducer_options ro = { .enabled = passes_first(passes_n) };
	struct driver_options options = { .wake_fd = -1,
		                          .tick_ms = -1,
		                          .should_stop = look,
		                          .is_over = look_within,
		                          .arg = run };
	struct driver_stats stats = { 0 };
	struct oracle *oracle = inproc_new(holds, &run->calls, 1);
	struct reducer *reducer = reducer_new(original, tokenizer, &ro, NULL);
	run->calls = run->looks = run->within = 0;
	enum driver_end end = driver_run(reducer, oracle, &run->verdicts, &options, &stats, &err);
	run->questions = reducer_questions(reducer);
	run->size = reducer_current(reducer)->size;
	unsigned calls;
	run->holds = holds(reducer_current(reducer), &calls);
	reducer_free(reducer);
	oracle_free(oracle);
	return end;
}

/* The second time all answers are known: stopped at any look, it has come so far and no further. */
static void test_known_answers(void **state)
{
	(void)state;
	struct run run = { 0 };
	assert_int_equal(drive(&run), DRIVER_FIXPOINT);
	uint64_t all = run.questions;
	uint32_t size = run.size;
	assert_int_equal(drive(&run), DRIVER_FIXPOINT);
	assert_int_equal(run.calls, 0);
	assert_int_equal(run.questions, all);
	assert_int_equal(run.size, size);
	assert_true(run.looks >= OFTEN);
	for (run.looks_wanted = 1; run.looks_wanted <= OFTEN; run.looks_wanted++) {
		assert_int_equal(drive(&run), DRIVER_STOPPED);
		assert_int_equal(run.looks, run.looks_wanted);
		assert_true(run.questions < all);
	}
	verdicts_release(&run.verdicts);
}

/* In a process of its own, since what was left in the middle is lost: does it end there, with what
 * it had, and go on from there to the same end? */
static bool is_left(struct run *run, const struct run *whole)
{
	pid_t pid = fork();
	if (pid == 0) {
		bool stops = drive(run) == DRIVER_STOPPED && run->within == run->within_wanted &&
		             run->holds && run->size >= whole->size;
		run->within_wanted = 0;
		_exit(!(stops && drive(run) == DRIVER_FIXPOINT && run->size == whole->size &&
		        run->questions == whole->questions));
	}
	int status;
	return waitpid(pid, &status, 0) == pid && status == 0;
}

static void test_within(void **state)
{
	(void)state;
	struct run whole = { 0 };
	assert_int_equal(drive(&whole), DRIVER_FIXPOINT);
	assert_true(whole.within >= OFTEN);
	for (unsigned i = 0; i < OFTEN; i++) {
		struct run run = { .within_wanted = 1 + (whole.within - 1) * i / (OFTEN - 1) };
		if (!is_left(&run, &whole))
			fail_msg("left at look %u of %u", run.within_wanted, whole.within);
	}
	verdicts_release(&whole.verdicts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_answers),
		cmocka_unit_test(test_within),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
