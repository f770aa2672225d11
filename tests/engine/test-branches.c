/* Many workers, whose answers come together, round by round: where winners clash, what follows is
 * asked before that is known, so a reduction takes fewer rounds. Its steps are those of one worker.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "needles.h"
#include "reduce/driver.h"
#include "../run/inproc.h"

enum { PAIRS_MAX = 24 };

static unsigned n_pairs; /* of lines, of each of which one has to stay, whichever */

struct rounds {
	struct oracle oracle; /* first */
	struct oracle *inner;
	unsigned slots, left; /* answers that have come, and are not taken yet */
	unsigned n;
	struct verdicts verdicts;
	struct hash result;
	uint64_t answers;
};

/* A pair are lines of the same letter. */
static bool is_interesting(const struct testcase *tc, void *arg)
{
	bool there[PAIRS_MAX] = { 0 };
	unsigned n = 0;
	(void)arg;
	for (uint32_t i = 0; i < tc->size; i++)
		if (tc->bytes[i] >= 'a' && tc->bytes[i] < 'a' + (int)n_pairs) {
			n += !there[tc->bytes[i] - 'a'];
			there[tc->bytes[i] - 'a'] = true;
		}
	return n == n_pairs;
}

static unsigned slots_of(struct oracle *oracle, bool ahead)
{
	return oracle_slots(((struct rounds *)oracle)->inner, ahead);
}

static int submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	return oracle_submit(((struct rounds *)oracle)->inner, rq, err);
}

static int await(struct oracle *oracle, struct answer *a, int wake_fd, int timeout_ms,
                 struct err *err)
{
	struct rounds *r = (struct rounds *)oracle;
	if (!r->left) {
		r->n++;
		r->left = r->slots - oracle_free_slots(oracle);
	}
	r->left -= r->left > 0;
	return oracle_wait(r->inner, a, wake_fd, timeout_ms, err);
}

static bool is_ready(struct oracle *oracle)
{
	return ((struct rounds *)oracle)->left > 0;
}

/* What has come is taken all the same. */
static const struct oracle_ops ops = {
	.slots = slots_of, .submit = submit, .wait = await, .ready = is_ready
};

static struct rounds reduce(unsigned slots)
{
	struct err err = { 0 };
	struct reducer_options ro = { .enabled = passes_named("lines", 5) };
	struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct rounds r = { .oracle.ops = &ops, .slots = slots };
	r.inner = inproc_new(is_interesting, NULL, slots);
	struct buf text = { 0 };
	for (unsigned i = 0; i < 2 * n_pairs; i++)
		buf_addf(&text, "%c = %u;\n", 'a' + (int)i / 2, i);
	struct testcase *tc =
		testcase_new("input.c", 0644, (uint8_t *)text.data, (uint32_t)text.len);
	struct reducer *reducer = reducer_new(tc, tokenizer, &ro, NULL);
	assert_int_equal(driver_run(reducer, &r.oracle, &r.verdicts, &options, &stats, &err),
	                 DRIVER_FIXPOINT);
	r.result = reducer_current(reducer)->hash;
	r.answers = reducer_questions(reducer);
	reducer_free(reducer);
	oracle_free(r.inner);
	verdicts_release(&r.verdicts);
	testcase_unref(tc);
	return r;
}

/* In no more than so many rounds. */
static void clash(unsigned pairs, unsigned rounds)
{
	n_pairs = pairs;
	struct rounds one = reduce(1), many = reduce(64);
	print_message("%llu answers, %u rounds of one, %u of 64\n", (unsigned long long)one.answers,
	              one.n, many.n);
	assert_true(hash_equal(one.result, many.result));
	assert_int_equal(one.answers, many.answers);
	assert_true(many.n <= rounds);
}

/* Five rounds where nothing is asked but what follows from what is likely. */
static void other_outcomes_are_looked_at(void **state)
{
	(void)state;
	clash(4, 4);
}

/* 47 rounds where winners that have clashed are expected to go together all the same. */
static void what_clashed_is_expected_to_clash(void **state)
{
	(void)state;
	clash(PAIRS_MAX, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(other_outcomes_are_looked_at),
		                            cmocka_unit_test(what_clashed_is_expected_to_clash) };
	return cmocka_run_group_tests(tests, needles_setup, needles_teardown);
}
