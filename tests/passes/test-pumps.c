/* Pumps: what may grow the test case is taken when it ends up simpler, and taken back when not;
 * nobody sees it in between; the same at any number of workers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "reduce/driver.h"
#include "reduce/reducer.h"
#include "../run/inproc.h"
#include "../rounds.h"

/* A definition with three uses: nothing of it can go, and with its text in place of the uses the
 * file is longer. */
static const char text[] =
	"define NAME aa ( bb , cc , dd ) ;\nuse NAME ;\ntry NAME ;\nbuy NAME ;\n";

static unsigned count(const struct testcase *tc, const char *word)
{
	unsigned n = 0;
	for (const char *at = (char *)tc->bytes; (at = strstr(at, word)); at++)
		n++;
	return n;
}

static bool is_original(const struct testcase *tc)
{
	return tc->size == sizeof text - 1 && !memcmp(tc->bytes, text, tc->size);
}

/* Once it is expanded, most of it can go. */
static bool pays(const struct testcase *tc, void *arg)
{
	(void)arg;
	return is_original(tc) || (!count(tc, "define") && !count(tc, "NAME") &&
	                           count(tc, "bb") >= 3 && count(tc, "cc") >= 3);
}

/* Expanding it is interesting, but nothing smaller than the original is. */
static bool leads_nowhere(const struct testcase *tc, void *arg)
{
	(void)arg;
	return is_original(tc) || (count(tc, "aa ( bb , cc , dd )") == 3 && tc->size > sizeof text);
}

struct seen {
	uint32_t n, last;
};

static void accepted(void *arg, struct reducer *r, struct testcase *now, const struct pass_run *run)
{
	struct seen *s = arg;
	(void)run;
	assert_true(s->n == 0 || now->size <= s->last); /* never what a pump made in between */
	assert_ptr_equal(reducer_current(r), now);
	s->n++;
	s->last = now->size;
}

static struct tokenizer *tokenizer(void)
{
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	struct err err;
	struct tokenizer *t = tokenizer_find("c", NULL, (const uint8_t *)"", 0, dirs, &err);
	if (!t)
		fail_msg("%s", err.msg);
	return t;
}

/* What was done, as --stats has it, accounts for all answers and bytes, also when it stopped during
 * an excursion. */
static void check_sums(struct reducer *r)
{
	struct pass_stats sum = reducer_pump_stats(r);
	const struct pass_stats *stats = reducer_plan(r)->stats;
	for (uint32_t i = 0; i < passes_n; i++) {
		sum.questions += stats[i].questions;
		sum.bytes += stats[i].bytes;
		assert_true(stats[i].runs || !stats[i].questions);
	}
	assert_int_equal(sum.questions, reducer_questions(r));
	assert_int_equal(sum.bytes, (int64_t)sizeof text - 1 - reducer_current(r)->size);
}

/* Reduces under FN with so many slots, answers scrambled, no more than MAX answers (0: any number);
 * the result as text, the caller's. */
static char *reduce(inproc_fn *fn, unsigned slots, uint64_t max, uint64_t *questions,
                    struct pass_stats *pumps)
{
	struct err err = { 0 };
	struct tokenizer *t = tokenizer();
	struct testcase *tc =
		testcase_new("in.c", 0644, mem_dup(text, sizeof text), sizeof text - 1);
	struct seen seen = { 0, tc->size };
	struct reducer_observer observer = { .accepted = accepted, .arg = &seen };
	struct reducer_options o = { .enabled = passes_all(), .max_questions = max };
	struct reducer *r = reducer_new(tc, t, &o, &observer);
	struct oracle *oracle = inproc_new(fn, NULL, slots);
	struct verdicts verdicts = { 0 };
	struct driver_options d = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	inproc_scramble(oracle, slots);
	enum driver_end end = driver_run(r, oracle, &verdicts, &d, &stats, &err);
	assert_true(end == DRIVER_FIXPOINT || (max && end == DRIVER_MAX_QUESTIONS));
	check_sums(r);
	char *result = mem_strdup((char *)reducer_current(r)->bytes);
	*questions = reducer_questions(r);
	*pumps = reducer_pump_stats(r);
	reducer_free(r);
	oracle_free(oracle);
	verdicts_release(&verdicts);
	testcase_unref(tc);
	tokenizer_free(t);
	return result;
}

static void a_pump_that_pays_is_kept(void **state)
{
	(void)state;
	uint64_t questions;
	struct pass_stats pumps;
	char *result = reduce(pays, 1, 0, &questions, &pumps);
	assert_true(strlen(result) < sizeof text - 1);
	assert_null(strstr(result, "NAME"));
	assert_true(pumps.successes > 0);
	free(result);
}

static void a_pump_that_leads_nowhere_is_taken_back(void **state)
{
	(void)state;
	uint64_t questions;
	struct pass_stats pumps;
	char *result = reduce(leads_nowhere, 1, 0, &questions, &pumps);
	assert_true(pumps.successes > 0);
	assert_string_equal(result, text);
	free(result);
}

static void the_same_at_any_number_of_workers(void **state)
{
	(void)state;
	inproc_fn *const fns[] = { pays, leads_nowhere };
	for (size_t f = 0; f < 2; f++) {
		uint64_t alone, together;
		struct pass_stats pumps;
		char *one = reduce(fns[f], 1, 0, &alone, &pumps);
		for (unsigned slots = 2; slots <= 16; slots *= 2) {
			char *many = reduce(fns[f], slots, 0, &together, &pumps);
			assert_string_equal(one, many);
			assert_int_equal(alone, together);
			free(many);
		}
		free(one);
	}
}

static void stopped_anywhere_the_sums_are_right(void **state)
{
	(void)state;
	inproc_fn *const fns[] = { pays, leads_nowhere };
	for (size_t f = 0; f < 2; f++) {
		uint64_t all, some;
		struct pass_stats pumps;
		free(reduce(fns[f], 1, 0, &all, &pumps));
		for (uint64_t max = 1; max < all; max += 7ull * rounds_stride())
			free(reduce(fns[f], 4, max, &some, &pumps));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pump_that_pays_is_kept),
		cmocka_unit_test(a_pump_that_leads_nowhere_is_taken_back),
		cmocka_unit_test(the_same_at_any_number_of_workers),
		cmocka_unit_test(stopped_anywhere_the_sums_are_right),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
