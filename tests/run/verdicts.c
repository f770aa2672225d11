/* The verdict cache, and the oracle that asks a function. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"
#include "inproc.h"
#include "run/verdicts.h"
#include "support.h"

static struct hash hash_of(uint64_t i)
{
	return hash_bytes(&i, sizeof i, 0);
}

static void what_was_put_is_found(void **state)
{
	(void)state;
	enum { N = 10000 };
	struct verdicts v = { 0 };
	assert_int_equal(verdicts_get(&v, hash_of(0), 0), VERDICT_UNKNOWN);
	for (uint64_t i = 0; i < N; i++)
		verdicts_put(&v, hash_of(i), i % 3 ? VERDICT_NOT_INTERESTING : VERDICT_INTERESTING,
		             0);
	for (uint64_t i = 0; i < N; i++)
		assert_int_equal(verdicts_get(&v, hash_of(i), 0),
		                 i % 3 ? VERDICT_NOT_INTERESTING : VERDICT_INTERESTING);
	for (uint64_t i = N; i < 2 * N; i++)
		assert_int_equal(verdicts_get(&v, hash_of(i), 0), VERDICT_UNKNOWN);
	assert_int_equal(v.n, N);
	assert_int_equal(v.hits, N);
	assert_int_equal(v.misses, N + 1);
	verdicts_release(&v);
}

static void neighbours_in_the_table_stay_apart(void **state)
{
	(void)state;
	struct verdicts v = { 0 };
	for (uint64_t i = 0; i < 100; i++) /* all want the same place */
		verdicts_put(&v, (struct hash){ .hi = i, .lo = 7 },
		             i % 2 ? VERDICT_NOT_INTERESTING : VERDICT_INTERESTING, 0);
	for (uint64_t i = 0; i < 100; i++)
		assert_int_equal(verdicts_get(&v, (struct hash){ .hi = i, .lo = 7 }, 0),
		                 i % 2 ? VERDICT_NOT_INTERESTING : VERDICT_INTERESTING);
	verdicts_release(&v);
}

static void timeout_holds_for_its_limit_and_below(void **state)
{
	(void)state;
	struct verdicts v = { 0 };
	struct hash h = hash_of(1);
	verdicts_put(&v, h, VERDICT_TIMEOUT, 100);
	assert_int_equal(verdicts_get(&v, h, 99), VERDICT_TIMEOUT);
	assert_int_equal(verdicts_get(&v, h, 100), VERDICT_TIMEOUT);
	assert_int_equal(verdicts_get(&v, h, 101), VERDICT_UNKNOWN);
	assert_int_equal(verdicts_get(&v, h, 0), VERDICT_UNKNOWN); /* no limit is the longest */
	verdicts_put(&v, h, VERDICT_TIMEOUT, 50);
	assert_int_equal(verdicts_get(&v, h, 100), VERDICT_TIMEOUT);
	verdicts_put(&v, h, VERDICT_TIMEOUT, 200);
	assert_int_equal(verdicts_get(&v, h, 200), VERDICT_TIMEOUT);
	verdicts_put(&v, h, VERDICT_INTERESTING, 300);
	assert_int_equal(verdicts_get(&v, h, 0), VERDICT_INTERESTING);
	verdicts_put(&v, h, VERDICT_TIMEOUT, 10);
	verdicts_put(&v, h, VERDICT_UNKNOWN, 10);
	assert_int_equal(verdicts_get(&v, h, 10), VERDICT_INTERESTING);
	assert_int_equal(v.n, 1);
	verdicts_release(&v);
}

static void what_is_only_claimed_is_forgotten(void **state)
{
	(void)state;
	struct verdicts v = { 0 };
	struct hash claimed = hash_of(1), sure = hash_of(2), refused = hash_of(3);
	verdicts_put(&v, claimed, VERDICT_INTERESTING, 0);
	verdicts_put(&v, sure, VERDICT_INTERESTING, 0);
	verdicts_put(&v, verdicts_confirmed(sure), VERDICT_INTERESTING, 0);
	verdicts_put(&v, refused, VERDICT_NOT_INTERESTING, 0);
	verdicts_forget_claims(&v);
	assert_int_equal(verdicts_get(&v, claimed, 0), VERDICT_UNKNOWN);
	assert_int_equal(verdicts_get(&v, sure, 0), VERDICT_INTERESTING);
	assert_int_equal(verdicts_get(&v, refused, 0), VERDICT_NOT_INTERESTING);
	verdicts_put(&v, claimed, VERDICT_NOT_INTERESTING, 0); /* what is found out then stands */
	assert_int_equal(verdicts_get(&v, claimed, 0), VERDICT_NOT_INTERESTING);
	verdicts_release(&v);
}

static bool is_short(const struct testcase *tc, void *arg)
{
	return tc->size < *(uint32_t *)arg;
}

static void ask_inproc(struct oracle *oracle, uint64_t order[4])
{
	struct testcase *cases[] = { support_case("c", "a"), support_case("c", "aa"),
		                     support_case("c", "aaa"), support_case("c", "aaaa") };
	struct err err;
	struct answer answer;
	for (uint64_t i = 0; i < 4; i++)
		assert_int_equal(
			oracle_submit(oracle,
		                      &(struct oracle_request){ .ticket = i, .tc = cases[i] },
		                      &err),
			0);
	assert_int_equal(oracle_free_slots(oracle), 0);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(oracle_wait(oracle, &answer, -1, -1, &err), 1);
		assert_int_equal(answer.verdict,
		                 answer.ticket < 2 ? VERDICT_INTERESTING : VERDICT_NOT_INTERESTING);
		order[i] = answer.ticket;
	}
	assert_int_equal(oracle_wait(oracle, &answer, -1, -1, &err), 0);
	for (int i = 0; i < 4; i++)
		testcase_unref(cases[i]);
}

static void function_answers_in_order_or_scrambled(void **state)
{
	(void)state;
	uint32_t limit = 3;
	uint64_t order[4], first[4], straight[4] = { 0, 1, 2, 3 };
	struct oracle *oracle = inproc_new(is_short, &limit, 4);
	ask_inproc(oracle, order);
	assert_memory_equal(order, straight, sizeof order);
	inproc_scramble(oracle, 6);
	ask_inproc(oracle, first);
	assert_memory_not_equal(first, straight, sizeof first);
	inproc_scramble(oracle, 6);
	ask_inproc(oracle, order);
	assert_memory_equal(order, first, sizeof order);
	assert_int_equal(inproc_calls(oracle), 12);
	oracle_free(oracle);
}

static void cancelled_question_has_no_answer(void **state)
{
	(void)state;
	uint32_t limit = 3;
	struct oracle *oracle = inproc_new(is_short, &limit, 3);
	struct testcase *tc = support_case("c", "a");
	struct err err;
	struct answer answer;
	for (uint64_t i = 0; i < 3; i++)
		assert_int_equal(oracle_submit(oracle,
		                               &(struct oracle_request){ .ticket = i, .tc = tc },
		                               &err),
		                 0);
	oracle_cancel(oracle, 1);
	oracle_cancel(oracle, 17);
	assert_int_equal(oracle_free_slots(oracle), 1);
	assert_int_equal(oracle_wait(oracle, &answer, -1, -1, &err), 1);
	assert_int_equal(answer.ticket, 0);
	assert_int_equal(oracle_wait(oracle, &answer, -1, -1, &err), 1);
	assert_int_equal(answer.ticket, 2);
	assert_int_equal(oracle_wait(oracle, &answer, -1, -1, &err), 0);
	testcase_unref(tc);
	oracle_free(oracle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_is_found),
		cmocka_unit_test(neighbours_in_the_table_stay_apart),
		cmocka_unit_test(timeout_holds_for_its_limit_and_below),
		cmocka_unit_test(what_is_only_claimed_is_forgotten),
		cmocka_unit_test(function_answers_in_order_or_scrambled),
		cmocka_unit_test(cancelled_question_has_no_answer),
	};
	return cmocka_run_group_tests_name("run/verdicts", tests, NULL, NULL);
}
