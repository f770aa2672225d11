/* Focus: where it goes, what is left out below its floor, and what it is for: a tail that needs a
 * long chain of definitions, as a program its headers, until it is cut itself. */
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
#include "reduce/focus.h"
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

static void test_small_is_a_whole(void **state)
{
	(void)state;
	struct focus f;
	focus_init(&f, 50 * KB, FOCUS_LEAST);
	assert_int_equal(f.phase, FOCUS_NONE);
	assert_int_equal(focus_tier_ended(&f, 0, 50 * KB, 50 * KB), FOCUS_GOES_ON);
	assert_int_equal(f.floor, 0);
}

/* As long as the whole gives much it stays. */
static void test_opening(void **state)
{
	(void)state;
	struct focus f;
	focus_init(&f, 200 * KB, FOCUS_LEAST);
	assert_int_equal(focus_tier_ended(&f, 0, 200 * KB, 140 * KB), FOCUS_REPEATS);
	assert_int_equal(focus_tier_ended(&f, 0, 140 * KB, 20 * KB), FOCUS_REPEATS);
	assert_int_equal(focus_tier_ended(&f, 0, 20 * KB, 20 * KB),
	                 FOCUS_REPEATS); /* for what the opening leaves out */
	assert_int_equal(f.phase, FOCUS_NONE);
	focus_init(&f, 1024 * KB, FOCUS_LEAST);
	assert_int_equal(focus_tier_ended(&f, 0, 1024 * KB, 700 * KB), FOCUS_REPEATS);
	assert_int_equal(focus_tier_ended(&f, 0, 700 * KB, 660 * KB), FOCUS_MOVES);
	assert_int_equal(f.phase, FOCUS_TAIL);
}

/* Of a test case that is not very large one tail is looked at; where the front gives much, it goes
 * on as with others. */
static void test_brief(void **state)
{
	(void)state;
	for (unsigned gives = 0; gives < 2; gives++) {
		struct focus f;
		uint32_t size = 400 * KB;
		focus_init(&f, size, FOCUS_LEAST);
		assert_int_equal(focus_tier_ended(&f, 0, size, size), FOCUS_MOVES);
		assert_int_equal(f.phase, FOCUS_TAIL);
		assert_int_equal(focus_tier_ended(&f, 0, size, size - KB), FOCUS_REPEATS);
		assert_int_equal(focus_tier_ended(&f, 0, size - KB, size - 2 * KB), FOCUS_MOVES);
		assert_int_equal(f.phase, FOCUS_FRONT);
		size -= 2 * KB;
		if (gives) {
			assert_int_equal(focus_tier_ended(&f, 0, size, size / 2), FOCUS_REPEATS);
			size /= 2;
		}
		assert_int_equal(focus_tier_ended(&f, 0, size, size), FOCUS_MOVES);
		assert_int_equal(f.phase, gives ? FOCUS_TAIL : FOCUS_NONE);
	}
}

/* Where passes over the whole have taken most of the front, the first tail is what one of them
 * found to stand by itself, unless it is larger than a tail would be. */
static void test_own_tail(void **state)
{
	(void)state;
	static const uint32_t own[] = { 8 * KB, 800 * KB };
	for (int large = 0; large < 2; large++) {
		struct focus f;
		focus_init(&f, 2048 * KB, FOCUS_LEAST);
		focus_front_saved(&f, 2048 * KB, 1024 * KB);
		focus_found_tail(&f, own[large]);
		assert_int_equal(focus_tier_ended(&f, 0, 1024 * KB, 1024 * KB), FOCUS_MOVES);
		assert_int_equal(f.phase, FOCUS_TAIL);
		assert_int_equal(f.trimmed, !large);
		assert_true(large ? f.tail < own[large] : f.tail == own[large]);
		assert_int_equal(f.floor, 1024 * KB - f.tail);
	}
}

static void test_tail_and_front(void **state)
{
	(void)state;
	struct focus f;
	uint32_t size = 1024 * KB;
	focus_init(&f, size, FOCUS_LEAST);
	assert_int_equal(focus_tier_ended(&f, 0, size, size), FOCUS_MOVES);
	uint32_t floor = f.floor;
	assert_true(floor > size / 2 && floor < size);
	/* What the tail gives counts in proportion to the tail. */
	assert_int_equal(focus_tier_ended(&f, 0, size, size - 2 * KB), FOCUS_REPEATS);
	size = floor + KB;
	assert_int_equal(focus_tier_ended(&f, 0, size, size), FOCUS_MOVES);
	assert_int_equal(f.phase, FOCUS_FRONT);
	assert_int_equal(f.floor, 0);
	assert_int_equal(f.tail, KB);
	/* In vain: the same tail, in depth, which takes two tiers; at first a single visit,
	 * whatever it gave. */
	for (enum focus_depth depth = FOCUS_MENTIONS; depth < FOCUS_DEPTHS; depth++) {
		assert_int_equal(focus_tier_ended(&f, 0, size, size), FOCUS_MOVES);
		assert_int_equal(f.phase, FOCUS_TAIL);
		assert_int_equal(f.deep, depth);
		assert_int_equal(f.floor, floor);
		assert_int_equal(focus_tier_ended(&f, 0, size, size), FOCUS_GOES_ON);
		uint32_t less = depth == FOCUS_MENTIONS ? size - 300 : size;
		assert_int_equal(focus_tier_ended(&f, 1, size, less), FOCUS_MOVES);
		assert_int_equal(f.phase, FOCUS_FRONT);
		size = less;
	}
	/* In vain again: a larger tail, and no depth in it. */
	assert_int_equal(focus_tier_ended(&f, 0, size, size), FOCUS_MOVES);
	assert_int_equal(f.phase, FOCUS_TAIL);
	assert_int_equal(f.deep, FOCUS_TIER);
	assert_true(f.floor < floor);
	floor = f.floor;
	/* Nothing is left of the tail, a separator before it less; then the front goes. */
	assert_int_equal(focus_tier_ended(&f, 0, size, floor - 1), FOCUS_REPEATS);
	assert_int_equal(focus_tier_ended(&f, 0, floor - 1, floor - 1), FOCUS_MOVES);
	assert_int_equal(f.tail, 0);
	assert_int_equal(focus_tier_ended(&f, 0, floor - 1, 100), FOCUS_REPEATS);
	assert_int_equal(focus_tier_ended(&f, 0, 100, 100), FOCUS_MOVES);
	assert_int_equal(f.phase, FOCUS_NONE);
}

/* It comes to an end, whatever the sizes are. */
static void test_ends(void **state)
{
	(void)state;
	struct focus f;
	focus_init(&f, 4096 * KB, FOCUS_LEAST);
	unsigned turns = 0;
	for (unsigned tier = 0; f.phase != FOCUS_NONE && turns < 100; turns++)
		tier = focus_tier_ended(&f, tier, 4096 * KB, 4096 * KB) == FOCUS_GOES_ON ? tier + 1
		                                                                         : 0;
	assert_true(turns > 4 && turns < 20);
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

/* What was dry in the tail is not known to be dry in the whole: at the fixpoint each pass has run
 * over all of it. */
static void test_fixpoint(void **state)
{
	(void)state;
	uint32_t size = 1024 * KB, runs = 0;
	char cert[1024];
	struct testcase *tc = zeros(size);
	struct plan plan;
	struct pass_run run;
	bool whole[PASSES_MAX] = { false }, tail[PASSES_MAX] = { false };
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, size, FOCUS_LEAST);
	plan.opening.on = false;
	for (; plan_next(&plan, tc, one_level, NULL, &run) && runs < 1000; runs++) {
		*(run.floor ? &tail[run.pass] : &whole[run.pass]) = true;
		bool first = run.floor && tc->size == size; /* nearly all of the tail goes */
		if (first) {
			testcase_unref(tc);
			tc = zeros(run.floor + 2 * KB);
		}
		plan_report(&plan, &run, first, NULL, size);
		if (plan.focus.phase != FOCUS_NONE)
			assert_false(plan.thorough);
	}
	assert_true(runs < 1000);
	for (uint32_t i = 0; i < passes_n; i++) {
		if (!whole[i])
			fail_msg("%s has not run over the whole", passes_table[i].name);
		if (passes_table[i].tier &&
		    tail[i] != (passes_table[i].frees !=
		                0)) /* the first tier is known to be dry in all of it */
			fail_msg("%s %s run over the tail", passes_table[i].name,
			         tail[i] ? "has" : "has not");
	}
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
	plan_init(&plan, &all, 0, tc->size, FOCUS_LEAST);
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
		assert_true(had[i] || !(passes_table[i].flags & PASS_WHOLE) ||
		            passes_table[i].flags & PASS_ASIDE);
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
	plan_init(&plan, &all, 0, tc->size, FOCUS_LEAST);
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
	plan_init(&plan, &all, 0, 8 * KB * KB, FOCUS_LEAST);
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
		turns += !(passes_table[i].flags & (PASS_PUMP | PASS_ASIDE | PASS_WHOLE)) &&
		         !passes_table[i].max_steps;
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, KB, FOCUS_LEAST);
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
	plan_init(&plan, &all, 0, KB, FOCUS_LEAST);
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
		bool runs_here = !(def->flags & (PASS_ASIDE | PASS_WHOLE)) && !def->max_steps;
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
	plan_init(&plan, &all, 0, KB, FOCUS_LEAST);
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

static uint32_t two_levels(void *arg, uint32_t pass)
{
	(void)arg;
	return passes_table[pass].flags & (PASS_OUTERMOST | PASS_OPENS) ? 2 : 0;
}

/* What stands outermost is not asked about twice: `items` begins with the level below, and has its
 * first one when nothing else is left. */
static void test_outermost(void **state)
{
	(void)state;
	uint32_t runs = 0, outermost = 0, opens[2] = { 0 };
	struct testcase *tc = zeros(1024 * KB);
	struct plan plan;
	struct pass_run run;
	const struct pass_set all = passes_first(passes_n);
	plan_init(&plan, &all, 0, 1024 * KB, FOCUS_LEAST);
	plan.opening.on = false;
	for (; plan_next(&plan, tc, two_levels, NULL, &run) && runs < 100; runs++) {
		bool first = passes_table[run.pass].flags & PASS_OPENS && !opens[0] && !opens[1];
		assert_true(!first || (outermost && run.level == 1));
		outermost += (passes_table[run.pass].flags & PASS_OUTERMOST) != 0;
		if (passes_table[run.pass].flags & PASS_OPENS)
			opens[run.level]++;
		plan_report(&plan, &run, false, NULL, tc->size);
	}
	assert_true(runs < 100 && opens[0] && opens[1]);
	testcase_unref(tc);
}

static struct testcase *text_case(const char *text)
{
	return testcase_new("a.c", 0644, (uint8_t *)mem_strdup(text), (uint32_t)strlen(text));
}

/* Elements below the floor are left out; what is behind knows its list and separators as before. */
static void test_floor(void **state)
{
	(void)state;
	struct err err = { 0 };
	const char *text = "int f(int aa, int bb, int cc);\nint g(int dd, int ee);\n";
	struct view *view = view_new(text_case(text), tokenizer);
	struct strategy_options none = { 0 };
	assert_int_equal(view_need_tree(view, &err), 0);
	uint32_t floor = (uint32_t)(strstr(text, "int cc") - text);
	struct edit_sites *all = edit_sites_new(&strategy_items, view, 2, 0, &none),
			  *some = edit_sites_new(&strategy_items, view, 2, floor, &none);
	assert_int_equal(all->n, 5);
	assert_int_equal(some->n, 3);
	for (uint32_t e = 0; e < some->n; e++) {
		uint32_t same = e + all->n - some->n;
		assert_int_equal(some->parts[some->first[e]].begin,
		                 all->parts[all->first[same]].begin);
		assert_int_equal(some->list_end[e] + all->n - some->n, all->list_end[same]);
		assert_int_equal(some->node[e], all->node[same]);
	}
	assert_true(some->parts[some->first[0]].begin >= floor);
	edit_sites_unref(all);
	edit_sites_unref(some);
	struct testcase *tc = view->tc;
	view_unref(view);
	testcase_unref(tc);
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
		cmocka_unit_test(test_small_is_a_whole),
		cmocka_unit_test(test_opening),
		cmocka_unit_test(test_brief),
		cmocka_unit_test(test_own_tail),
		cmocka_unit_test(test_tail_and_front),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_fixpoint),
		cmocka_unit_test(test_opening_in_vain),
		cmocka_unit_test(test_opening_goes_on),
		cmocka_unit_test(test_opening_dear),
		cmocka_unit_test(test_too_early),
		cmocka_unit_test(test_last_words),
		cmocka_unit_test(test_spent),
		cmocka_unit_test(test_outermost),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_chain),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
