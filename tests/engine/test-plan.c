/* The plan and its opening: which pass has its turn, when all has been said, and a tail that needs
 * a long chain of definitions, as a program its headers, until it is cut itself. */
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
#include "reduce/driver.h"
#include "reduce/plan.h"
#include "../run/inproc.h"
#include "edits/strategies.h"

enum { KB = 1 << 10, DEFINITIONS = 3000, FILLER = 200, ENOUGH = 800, SMALL = 600 };

static struct tokenizer *tokenizer;

static int setup(void **state)
{
	(void)state;
	struct err err = { 0 };
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	tokenizer = tokenizer_find("c", "a.c", NULL, 0, dirs, &err);
	if (!tokenizer)
		fail_msg("%s", err.msg);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tokenizer_free(tokenizer);
	return 0;
}

static uint32_t one_level(void *arg, uint32_t pass)
{
	(void)arg, (void)pass;
	return 1;
}

static struct testcase *zeros(uint32_t size)
{
	return testcase_new("a.c", 0644, mem_zero(size + 1, 1), size);
}

/* At the fixpoint each pass but those of the opening has run. */
static void test_fixpoint(void **state)
{
	(void)state;
	uint32_t size = 1024 * KB, runs = 0;
	char cert[1024];
	struct testcase *tc = zeros(size);
	struct plan plan;
	struct pass_run run;
	bool ran[PASSES_MAX] = { false };
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, size, true);
	plan.opening.on = false;
	for (; plan_next(&plan, tc, one_level, NULL, &run) && runs < 1000; runs++) {
		ran[run.pass] = true;
		plan_report(&plan, &run, false, NULL, size);
	}
	assert_true(runs < 1000);
	for (uint32_t i = 0; i < passes_n; i++)
		if (ran[i] != !(passes_table[i].flags & PASS_WHOLE))
			fail_msg("%s has %srun", passes_table[i].name, ran[i] ? "" : "not ");
	assert_non_null(strstr(plan_certificate(&plan, tc, cert, sizeof cert), "token"));
	testcase_unref(tc);
}

/* In the opening each pass has its turn before one that has failed has another, those of the whole,
 * too, and it ends. */
static void test_opening_in_vain(void **state)
{
	(void)state;
	uint32_t runs = 0, had[PASSES_MAX] = { 0 };
	struct testcase *tc = zeros(40 * KB);
	struct plan plan;
	struct pass_run run;
	struct search_cursor cut = { .block = 1, .at = 1 };
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, tc->size, true);
	for (; plan_next(&plan, tc, one_level, NULL, &run) && plan.opening.on; runs++) {
		bool lists = !passes_table[run.pass].tier && run.hunt.order == HUNT_BLOCKS;
		for (uint32_t i = 0; i < run.pass && had[run.pass] && lists; i++)
			assert_true(had[i] || passes_table[i].order != HUNT_BLOCKS);
		had[run.pass]++;
		plan_learn(&plan, &run, 1, tc->size, tc->size);
		plan_report(&plan, &run, false, &cut, tc->size);
		assert_true(runs < 10000);
	}
	for (uint32_t i = 0; i < passes_n; i++)
		assert_true(had[i] || !(passes_table[i].flags & PASS_WHOLE));
	testcase_unref(tc);
}

/* A pass whose turn in the opening was ended early has not run: it begins with its largest blocks
 * then, not with single ones. */
static void test_opening_ended_early(void **state)
{
	(void)state;
	struct testcase *tc = zeros(40 * KB);
	struct plan plan;
	struct pass_run run;
	struct search_cursor cut = { .block = 20, .at = 20 };
	const struct pass_set lines = passes_named("lines", strlen("lines"));
	plan_init(&plan, &lines, 0, tc->size, true);
	while (plan_next(&plan, tc, one_level, NULL, &run) && plan.opening.on) {
		plan_learn(&plan, &run, 1, tc->size, tc->size);
		plan_report(&plan, &run, false, &cut, tc->size);
	}
	assert_int_equal(run.hunt.first_block, 0);
	testcase_unref(tc);
}

/* A pass that removes much goes on, until it has failed for long. */
static void test_opening_goes_on(void **state)
{
	(void)state;
	struct testcase *tc = zeros(40 * KB);
	struct plan plan;
	struct pass_run run;
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, tc->size, true);
	assert_true(plan_next(&plan, tc, one_level, NULL, &run));
	plan_learn(&plan, &run, 4, 80 * KB, tc->size);
	assert_true(plan_is_best(&plan, &run, tc));
	plan_learn(&plan, &run, 100, tc->size, tc->size);
	assert_false(plan_is_best(&plan, &run, tc));
	testcase_unref(tc);
}

/* Where structure is dear, lines have their turn before what needs them. */
static void test_opening_dear(void **state)
{
	(void)state;
	uint32_t row = 0, level;
	struct testcase *tc = zeros(40 * KB);
	struct plan plan;
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, 8 * KB * KB, true);
	while (strcmp(passes_table[row].name, "lines")) {
		assert_true(opening_best(&plan.opening, &all, tc, &row, &level));
		assert_false(passes_table[row].strategy->needs & STRATEGY_TOKENS);
		opening_count(&plan.opening, row, 1, tc->size);
		opening_learn(&plan.opening, row, level, 32, tc->size, tc->size);
	}
	while (!(passes_table[row].strategy->needs & STRATEGY_TOKENS)) {
		assert_true(opening_best(&plan.opening, &all, tc, &row, &level));
		opening_learn(&plan.opening, row, level, 32, tc->size, tc->size);
	}
	testcase_unref(tc);
}

static uint32_t later(void *arg, uint32_t pass)
{
	const struct plan *plan = arg;
	(void)pass;
	return plan->thorough;
}

/* A test case too large to be looked at before everything else is dry: that is no reason to call it
 * dry. */
static void test_too_early(void **state)
{
	(void)state;
	uint32_t runs = 0, turns = 0;
	struct testcase *tc = zeros(KB);
	struct plan plan;
	struct pass_run run;
	for (uint32_t i = 0; i < passes_n; i++)
		/* Without pumps, what large test cases alone have, and samples. */
		turns += !(passes_table[i].flags & (PASS_PUMP | PASS_WHOLE)) &&
		         !passes_table[i].max_steps;
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, KB, true);
	plan.opening.on = false;
	for (; plan_next(&plan, tc, later, &plan, &run); runs++)
		plan_report(&plan, &run, false, NULL, tc->size);
	assert_int_equal(runs, turns);
	testcase_unref(tc);
}

/* Beyond probation each pass runs to its end on the bytes that stay, whatever it found before. */
static void test_last_words(void **state)
{
	(void)state;
	uint32_t thorough[PASSES_MAX] = { 0 }, runs = 0;
	bool won = false;
	struct testcase *tc = zeros(KB);
	struct plan plan;
	struct pass_run run;
	struct search_cursor cut = { .block = 1, .at = 1 };
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, KB, true);
	plan.opening.on = false;
	for (; plan_next(&plan, tc, one_level, NULL, &run) && runs < 1000; runs++) {
		bool wins = !won && !strcmp(run.name, "lift");
		thorough[run.pass] += plan.thorough;
		if (wins) {
			won = true;
			testcase_unref(tc);
			tc = zeros(KB - 1);
		}
		/* On probation all are ended early, so that none is dry. */
		plan_report(&plan, &run, wins, plan.thorough ? NULL : &cut, tc->size);
	}
	assert_true(runs < 1000 && won);
	for (uint32_t i = 0; i < passes_n; i++) {
		const struct pass *def = &passes_table[i];
		bool runs_here = !(def->flags & PASS_WHOLE) && !def->max_steps;
		assert_int_equal(thorough[i], runs_here);
	}
	testcase_unref(tc);
}

/* Beyond probation, NAME is ended once, when its patience is at its end or (not TIRED) as somebody
 * skipped it. How often bytes run then. */
static uint32_t bytes_after(const char *name, bool tired, bool *certified)
{
	uint32_t bytes = 0, ended = 0;
	struct testcase *tc = zeros(KB);
	struct plan plan;
	struct pass_run run;
	struct search_cursor cut = { .block = 1, .at = 1 };
	char cert[128];
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, KB, true);
	plan.opening.on = false;
	while (plan_next(&plan, tc, one_level, NULL, &run) && bytes < 10) {
		bytes += plan.thorough && !strcmp(run.name, "bytes");
		bool ends = plan.thorough && !strcmp(run.name, name) && !ended++;
		run.tired = ends && tired;
		plan_report(&plan, &run, false, plan.thorough && !ends ? NULL : &cut, tc->size);
	}
	*certified = strstr(plan_certificate(&plan, tc, cert, sizeof cert), "byte");
	testcase_unref(tc);
	return bytes;
}

/* Bytes are left alone when they have been tried often enough, and only then. */
static void test_spent(void **state)
{
	(void)state;
	bool certified;
	assert_int_equal(bytes_after("items", false, &certified), 1);
	assert_true(certified);
	assert_int_equal(bytes_after("bytes", false, &certified), 2);
	assert_true(certified);
	assert_int_equal(bytes_after("bytes", true, &certified), 1);
	assert_false(certified);
}

static struct testcase *text_case(const char *text)
{
	return testcase_new("a.c", 0644, (uint8_t *)mem_strdup(text), (uint32_t)strlen(text));
}

/* Each definition needs the one before it, the program needs the last; "bug" must stay, and each
 * name must be defined. */
static char *chain(unsigned definitions)
{
	struct buf b = { 0 };
	for (unsigned i = 1; i <= definitions; i++) {
		buf_addf(&b, "int n%u() { return n%u(); } //", i, i - 1);
		for (unsigned k = 0; k < FILLER; k++)
			buf_addf(&b, "%c", "abcdefghi\"klm+opq"[(i * 31 + k * 7) % 17]);
		buf_addf(&b, "\n");
	}
	buf_addf(&b, "int work(int a) {\n");
	for (unsigned i = 0; i < 40; i++)
		buf_addf(&b, "\tif (a > %u) { a += n%u(); }\n", i, definitions - i);
	buf_addf(&b, "\tbug();\n}\nint main() { return work(n%u()); }\n", definitions);
	return b.data;
}

/* Whether the name with the number at AT is defined; *last becomes its last digit. Numbers without
 * an end share a place. */
static bool *name(bool defined[DEFINITIONS + 2], char *at, char **last)
{
	char *end;
	unsigned long n = strtoul(at, &end, 10);
	*last = end - 1;
	return &defined[n <= DEFINITIONS ? n : DEFINITIONS + 1];
}

static bool chain_holds(const struct testcase *tc, void *arg)
{
	(void)arg;
	bool defined[DEFINITIONS + 2] = { true }, bug = false, fine = true;
	int depth = 0;
	char *text = mem_alloc(tc->size + (size_t)1);
	memcpy(text, tc->bytes, tc->size);
	text[tc->size] = 0;
	for (char *at = text; *at && fine; at++) {
		depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
		fine = depth >= 0;
		bug |= !strncmp(at, "bug();", 6);
		if (at[0] == '/' && at[1] == '/')
			at += strcspn(at, "\n") - 1;
		else if (!strncmp(at, "int n", 5))
			*name(defined, at + 5, &at) = true;
		else if (at[0] == 'n' && at[1] >= '0' && at[1] <= '9')
			fine = *name(defined, at + 1, &at);
	}
	free(text);
	return fine && bug && !depth;
}

struct curve {
	uint64_t answers; /* after which it was small */
};

static void accepted(void *arg, struct reducer *r, struct testcase *tc, const struct pass_run *run)
{
	struct curve *curve = arg;
	(void)run;
	if (!curve->answers && tc->size <= SMALL)
		curve->answers = reducer_questions(r);
}

static void reduce_chain(unsigned definitions)
{
	struct err err = { 0 };
	char *text = chain(definitions);
	struct testcase *tc = text_case(text);
	free(text);
	assert_true(chain_holds(tc, NULL));
	struct curve curve = { 0 };
	struct reducer_observer observer = { .accepted = accepted, .arg = &curve };
	struct reducer_options ro = { .enabled = passes_first(passes_n),
		                      .max_questions = ENOUGH,
		                      .until_size = SMALL };
	struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct verdicts verdicts = { 0 };
	struct oracle *oracle = inproc_new(chain_holds, NULL, 1);
	struct reducer *reducer = reducer_new(tc, tokenizer, &ro, &observer);
	driver_run(reducer, oracle, &verdicts, &options, &stats, &err);
	print_message("%u bytes, %llu answers\n", reducer_current(reducer)->size,
	              (unsigned long long)reducer_questions(reducer));
	assert_true(curve.answers > 0);
	reducer_free(reducer);
	oracle_free(oracle);
	verdicts_release(&verdicts);
	testcase_unref(tc);
}

static void test_chain(void **state)
{
	(void)state;
	reduce_chain(DEFINITIONS);
	reduce_chain(DEFINITIONS / 3); /* not a very large file */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixpoint),
		cmocka_unit_test(test_opening_in_vain),
		cmocka_unit_test(test_opening_goes_on),
		cmocka_unit_test(test_opening_dear),
		cmocka_unit_test(test_opening_ended_early),
		cmocka_unit_test(test_too_early),
		cmocka_unit_test(test_last_words),
		cmocka_unit_test(test_spent),
		cmocka_unit_test(test_chain),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
