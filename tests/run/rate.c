/* Tests that are not sure: the rule, and the oracle that asks until it decides. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "inproc.h"
#include "run/repeat.h"
#include "scripted.h"
#include "support.h"

static void counting_ends_as_soon_as_it_can(void **state)
{
	(void)state;
	const struct rate_rule rule = rate_rule_count(5, 2);
	assert_int_equal(rate_decide(&rule, (struct rate){ 1, 1 }), VERDICT_UNKNOWN);
	assert_int_equal(rate_decide(&rule, (struct rate){ 2, 2 }), VERDICT_INTERESTING);
	assert_int_equal(rate_decide(&rule, (struct rate){ 3, 0 }), VERDICT_UNKNOWN);
	assert_int_equal(rate_decide(&rule, (struct rate){ 4, 0 }), VERDICT_NOT_INTERESTING);
	assert_int_equal(rate_decide(&rule, (struct rate){ 4, 1 }), VERDICT_UNKNOWN);
	assert_int_equal(rate_decide(&rule, (struct rate){ 5, 1 }), VERDICT_NOT_INTERESTING);
	assert_int_equal(rate_decide(&rule, (struct rate){ 5, 2 }), VERDICT_INTERESTING);
	assert_int_equal(rate_decide(&rule, (struct rate){ 6, 1 }), VERDICT_NOT_INTERESTING);
}

/* How many of CANDIDATES with the true rate Q are accepted, and adds up their RUNS. */
static unsigned accepted(const struct rate_rule *rule, double q, unsigned candidates,
                         struct rng *rng, uint64_t *runs)
{
	unsigned n = 0;
	for (unsigned i = 0; i < candidates; i++) {
		struct rate seen = { 0 };
		enum verdict v;
		while (!(v = rate_decide(rule, seen))) {
			seen.runs++;
			seen.yes += rng_below(rng, 1000000) < (uint64_t)(q * 1e6);
		}
		assert_true(seen.runs <= rule->most);
		n += v == VERDICT_INTERESTING;
		*runs += seen.runs;
	}
	return n;
}

enum { CANDIDATES = 10000 };
static const double rates[] = { 0.2, 0.5, 0.9, 0.97 };

/* Prints and returns how many with SHARE of the rate are accepted. */
static unsigned share(const struct rate_rule *rule, double rate, double part, struct rng *rng)
{
	uint64_t runs = 0;
	unsigned n = accepted(rule, rate * part, CANDIDATES, rng, &runs);
	print_message("rate %.2f, %.2f of it: %u of %d accepted, after %.0f runs on average\n",
	              rate, part, n, CANDIDATES, (double)runs / CANDIDATES);
	return n;
}

static void rate_does_not_fall(void **state)
{
	(void)state;
	struct rng rng = { 7 };
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		double r = rates[i];
		const struct rate_rule rule =
			rate_rule_like((struct rate){ 1000, (unsigned)(r * 1000) });
		assert_true(share(&rule, r, 0, &rng) == 0);
		assert_true(share(&rule, r, 0.4, &rng) == 0);
		assert_true(share(&rule, r, 0.7, &rng) <= CANDIDATES / 500);
		assert_true(share(&rule, r, r < 0.4 ? 0.75 : 0.82, &rng) <= CANDIDATES / 100);
		share(&rule, r, 0.95, &rng);
		assert_true(share(&rule, r, 1, &rng) >= CANDIDATES * 95 / 100);
	}
}

/* Steps that are each a little worse than what they come from do not lead far: of a hundred runs of
 * the result as many are interesting as of the input, but for what chance does to both. */
static void rate_does_not_drift(void **state)
{
	(void)state;
	enum { REDUCTIONS = 100, ASKED = 200, SAMPLE = 100 };
	static const double worse = 0.98, one_sided = 1.645;
	struct rng rng = { 13 };
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		double r = rates[i], left = 0;
		uint64_t runs = 0;
		unsigned below = 0;
		const struct rate_rule rule =
			rate_rule_like((struct rate){ 1000, (unsigned)(r * 1000) });
		for (unsigned n = 0; n < REDUCTIONS; n++) {
			double now = r;
			for (unsigned k = 0; k < ASKED; k++)
				now *= accepted(&rule, now * worse, 1, &rng, &runs) ? worse : 1;
			left += now / r / REDUCTIONS;
			double both = (r + now) / 2, variance = both * (1 - both) * 2 / SAMPLE;
			below += (r - now) * (r - now) > one_sided * one_sided * variance;
		}
		print_message("rate %.2f: %.3f of it left, %u of %d told apart by %d runs of each, "
		              "%.0f runs a candidate\n",
		              r, left, below, REDUCTIONS, SAMPLE,
		              (double)runs / REDUCTIONS / ASKED);
		assert_true(below <= REDUCTIONS * 5 / 100);
	}
}

/* What was accepted is given up seldom when it is good enough, and mostly when it is not. */
static void what_was_accepted_by_chance_is_found(void **state)
{
	(void)state;
	struct rng rng = { 9 };
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		double r = rates[i];
		const struct rate_rule rule =
			rate_rule_still((struct rate){ 1000, (unsigned)(r * 1000) });
		assert_true(share(&rule, r, 0.4, &rng) == 0);
		assert_true(share(&rule, r, 0.7, &rng) <= CANDIDATES * 5 / 100);
		assert_true(share(&rule, r, r < 0.4 ? 0.87 : 0.985, &rng) >= CANDIDATES * 98 / 100);
	}
}

/* What is as good as the input is taken back seldom, though little is known of the input: each time
 * that it is, all that came of it is lost, and what comes next is no better. */
static void little_is_taken_back(void **state)
{
	(void)state;
	enum { INPUTS = 10000, RUNS = 100 };
	static const double inputs[] = { 0.1, 0.2, 0.5, 0.9, 0.97 };
	struct rng rng = { 11 };
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
		unsigned kept = 0, by_chance = 0;
		uint64_t runs = 0;
		for (unsigned input = 0; input < INPUTS; input++) {
			struct rate seen = { .runs = RUNS };
			for (unsigned run = 0; run < RUNS; run++)
				seen.yes += rng_below(&rng, 1000000) < (uint64_t)(inputs[i] * 1e6);
			if (!seen.yes)
				continue;
			const struct rate_rule rule = rate_rule_no_less(seen);
			kept += accepted(&rule, inputs[i], 1, &rng, &runs);
			by_chance += accepted(&rule, inputs[i] / 4, 1, &rng, &runs);
		}
		print_message("rate %.2f: kept %u, of a quarter of it %u, of %u\n", inputs[i], kept,
		              by_chance, INPUTS);
		assert_true(kept >= INPUTS * 95 / 100);
		assert_true(by_chance <= INPUTS * (inputs[i] < 0.2 ? 20 : 5) / 100);
	}
}

/* Its last bit can decide, so a rule is the same on all machines and with all C libraries. */
static void rules_are_exact(void **state)
{
	(void)state;
	static const struct {
		struct rate seen;
		double yes, no;
		unsigned most, none;
	} cases[] = {
		{ { 1000, 200 }, 0x1.c8ff7c79a9a1ap-3, -0x1.7792d8346dbc9p-5, 3575, 22 },
		{ { 1000, 565 }, 0x1.0244ff1ae70e6p-3, -0x1.11e8df2f40184p-3, 2169, 6 },
		{ { 1000, 930 }, 0x1.4e381a792c7f9p-5, -0x1.786d8c0984706p-2, 2439, 2 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct rate_rule rule = rate_rule_like(cases[i].seen);
		assert_memory_equal(&rule.yes, &cases[i].yes, sizeof rule.yes);
		assert_memory_equal(&rule.no, &cases[i].no, sizeof rule.no);
		assert_int_equal(rule.most, cases[i].most);
		assert_int_equal(rule.none, cases[i].none);
	}
}

/* A test that is interesting in turns: each second run of what begins with 'x'. */
static bool every_second(const struct testcase *tc, void *arg)
{
	unsigned *runs = arg;
	return tc->bytes[0] == 'x' && ++*runs % 2 == 0;
}

static void verdict_of_several(void **state)
{
	(void)state;
	for (unsigned slots = 1; slots <= 4; slots++) {
		unsigned runs = 0;
		const struct rate_rule rule = rate_rule_count(4, 2);
		struct oracle *inner = inproc_new(every_second, &runs, slots);
		struct oracle *o = repeat_new(inner, &rule);
		struct testcase *x = support_case("a", "x"), *y = support_case("a", "y");
		assert_int_equal(support_ask(o, x).verdict, VERDICT_INTERESTING);
		assert_int_equal(inproc_calls(inner), 4);
		assert_int_equal(support_ask(o, y).verdict, VERDICT_NOT_INTERESTING);
		assert_int_equal(inproc_calls(inner),
		                 7); /* one of two can still be, no longer two */
		assert_int_equal(oracle_free_slots(o), slots);
		testcase_unref(x);
		testcase_unref(y);
		oracle_free(o);
	}
}

static bool begins_with_x(const struct testcase *tc, void *arg)
{
	(void)arg;
	return tc->bytes[0] == 'x';
}

/* Several questions at a time, in any order of answers, and some are taken back. */
static void crowd(void **state)
{
	(void)state;
	enum { SLOTS = 3, ROUNDS = 200 };
	unsigned answers = 0, open = 0;
	const struct rate_rule rule = rate_rule_count(3, 2);
	struct oracle *inner = inproc_new(begins_with_x, NULL, SLOTS);
	struct oracle *o = repeat_new(inner, &rule);
	struct testcase *tc[2] = { support_case("a", "x"), support_case("a", "y") };
	struct rng rng = { 3 };
	struct err err = { 0 };
	inproc_scramble(inner, 5);
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		const struct oracle_request rq = { .ticket = i, .tc = tc[i % 2] };
		struct answer a;
		assert_true(oracle_free_slots(o) > 0);
		assert_int_equal(oracle_submit(o, &rq, &err), 0);
		open++;
		if (rng_below(&rng, 8) == 0) {
			oracle_cancel(o, i);
			open--;
		} else if (!oracle_free_slots(o)) {
			assert_int_equal(oracle_wait(o, &a, -1, -1, &err), 1);
			assert_int_equal(a.verdict, a.ticket % 2 ? VERDICT_NOT_INTERESTING
			                                         : VERDICT_INTERESTING);
			open--;
			answers++;
		}
	}
	assert_true(answers > ROUNDS / 2);
	assert_int_equal(oracle_free_slots(o), SLOTS - open);
	oracle_free(o);
	testcase_unref(tc[0]);
	testcase_unref(tc[1]);
}

static struct testcase *no_more(void *arg, uint64_t ticket)
{
	(void)ticket;
	++*(unsigned *)arg;
	return NULL;
}

/* A large candidate is not held; when nobody waits for it any more there is no answer. */
static void large_candidates_are_asked_for(void **state)
{
	(void)state;
	unsigned runs = 0, asked = 0;
	const struct rate_rule rule = rate_rule_count(2, 2);
	struct oracle *o = repeat_new(inproc_new(every_second, &runs, 1), &rule);
	uint8_t *bytes = mem_zero(ORACLE_HOLDS + 2, 1);
	struct testcase *tc = testcase_new("a", 0644, bytes, ORACLE_HOLDS + 1);
	bytes[0] = 'x';
	runs = 1;
	struct oracle_request rq = { .ticket = 1, .tc = tc, .again = no_more, .again_arg = &asked };
	struct answer a;
	struct err err = { 0 };
	assert_int_equal(oracle_submit(o, &rq, &err), 0);
	assert_int_equal(oracle_wait(o, &a, -1, -1, &err), 0);
	assert_int_equal(asked, 1);
	assert_int_equal(oracle_free_slots(o), 1);
	testcase_unref(tc);
	oracle_free(o);
}

static void all_timeouts_are_a_timeout(void **state)
{
	(void)state;
	static const struct scripted_line late[] = { { .verdict = VERDICT_TIMEOUT, .wall_ns = 7 },
		                                     { .verdict = VERDICT_TIMEOUT, .wall_ns = 9 },
		                                     { .verdict = VERDICT_NOT_INTERESTING,
		                                       .wall_ns = 2 } };
	for (size_t n = 2; n <= 3; n++) {
		const struct rate_rule rule = rate_rule_count((unsigned)n, 1);
		struct oracle *o = repeat_new(scripted_new(late, n, 1), &rule);
		struct testcase *tc = support_case("a", "x");
		struct answer a = support_ask(o, tc);
		assert_int_equal(a.verdict, n == 2 ? VERDICT_TIMEOUT : VERDICT_NOT_INTERESTING);
		assert_int_equal(a.wall_ns, 9);
		testcase_unref(tc);
		oracle_free(o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counting_ends_as_soon_as_it_can),
		cmocka_unit_test(rate_does_not_fall),
		cmocka_unit_test(rate_does_not_drift),
		cmocka_unit_test(what_was_accepted_by_chance_is_found),
		cmocka_unit_test(rules_are_exact),
		cmocka_unit_test(little_is_taken_back),
		cmocka_unit_test(verdict_of_several),
		cmocka_unit_test(crowd),
		cmocka_unit_test(large_candidates_are_asked_for),
		cmocka_unit_test(all_timeouts_are_a_timeout),
	};
	return cmocka_run_group_tests_name("run/rate", tests, NULL, NULL);
}
