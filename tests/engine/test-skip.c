/* A pass can be skipped between its rounds: the same skips give the same answer at any number of
 * workers and in whatever order they answer, they stand among the verdicts at the same place, and a
 * fixpoint is one all the same. */
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
#include "../run/inproc.h"
#include "../rounds.h"

static struct tokenizer *tokenizer;
static struct testcase *original, *definitions;

enum { DEFINITIONS = 20 };

static void add_definition(struct buf *text, unsigned i)
{
	buf_addf(text, "#define K%u %u\nint k%u = K%u;\n", i, i, i, i);
}

static int setup(void **state)
{
	(void)state;
	struct err err = { 0 };
	struct buf text = { 0 };
	for (unsigned i = 0; i < 40; i++)
		buf_addf(
			&text,
			"int f%u(int a, int b)\n{\n\tif (a > %u)\n\t\treturn g(a, { %u, b });\n}\n",
			i, i * 7919 % 40, i * i);
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	tokenizer = tokenizer_find(NULL, "a.c", (const uint8_t *)text.data, text.len, dirs, &err);
	if (!tokenizer)
		fail_msg("%s", err.msg);
	original = testcase_new("a.c", 0644, (uint8_t *)text.data, (uint32_t)text.len);
	text = (struct buf){ 0 };
	for (unsigned i = 0; i < DEFINITIONS; i++)
		add_definition(&text, i);
	definitions = testcase_new("a.c", 0644, (uint8_t *)text.data, (uint32_t)text.len);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	testcase_unref(original);
	testcase_unref(definitions);
	tokenizer_free(tokenizer);
	return 0;
}

/* As many '{' as '}', and some words that stay. */
static bool holds(const struct testcase *tc, void *arg)
{
	(void)arg;
	int depth = 0;
	for (uint32_t i = 0; i < tc->size; i++)
		depth += tc->bytes[i] == '{' ? 1 : tc->bytes[i] == '}' ? -1 : 0;
	const char *text = (const char *)tc->bytes;
	static const char *const words[] = { "f7(", "f31(", "361", "f13(", "f22(", "1369", "f2(" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strstr(text, words[i]))
			return false;
	return depth == 0;
}

/* All of them, so that there is work for pumps alone. */
static bool has_definitions(const struct testcase *tc, void *arg)
{
	bool all = true;
	(void)arg;
	for (unsigned i = 0; i < DEFINITIONS; i++) {
		struct buf both = { 0 };
		add_definition(&both, i);
		all &= memmem(tc->bytes, tc->size, both.data, both.len) != NULL;
		buf_release(&both);
	}
	return all;
}

struct run {
	const char *pass; /* is skipped at its first three moments; NULL: none is */
	uint64_t every;   /* this round and each that is so many further on; 0: none */
	unsigned slots;
	uint64_t scramble;
	uint64_t skips, steps, questions;
	enum driver_end end;
	struct hash way, now; /* of all that was answered and accepted, in order; of the result */
	char certificate[128];
};

static void add(struct run *run, const void *bytes, size_t len)
{
	struct hash both[2] = { run->way, hash_bytes(bytes, len, 0) };
	run->way = hash_bytes(both, sizeof both, 0);
}

static bool skips(void *arg, struct reducer *r, uint64_t round, struct hash *key)
{
	struct run *run = arg;
	*key = hash_bytes(&round, sizeof round, 1);
	if (run->pass)
		return !strcmp(reducer_at(r).pass, run->pass) && reducer_skips(r) < 3;
	return run->every && round % run->every == 1;
}

static void accepted(void *arg, struct reducer *r, struct testcase *now,
                     const struct pass_run *pass)
{
	size_t n;
	struct run *run = arg;
	const struct answered *log = reducer_answered(r, &n);
	for (size_t i = 0; i < n; i++) {
		assert_int_not_equal(log[i].verdict, VERDICT_UNKNOWN);
		add(run, &log[i].hash, sizeof log[i].hash);
	}
	add(run, &now->hash, sizeof now->hash);
	add(run, pass->name, strlen(pass->name));
	run->steps++;
}

static void drive(struct run *run)
{
	struct err err = { 0 };
	struct verdicts verdicts = { 0 };
	const struct reducer_options ro = { .enabled = run->pass ? passes_all()
		                                                 : passes_first(passes_n),
		                            .max_questions = run->every == 2 ? 2000 : 0 };
	const struct reducer_observer ears = { .accepted = accepted, .skips = skips, .arg = run };
	const struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct oracle *oracle = inproc_new(run->pass ? has_definitions : holds, NULL, run->slots);
	inproc_scramble(oracle, run->scramble);
	struct reducer *r = reducer_new(run->pass ? definitions : original, tokenizer, &ro, &ears);
	run->end = driver_run(r, oracle, &verdicts, &options, &stats, &err);
	run->skips = reducer_skips(r);
	run->questions = reducer_questions(r);
	run->now = reducer_current(r)->hash;
	plan_certificate(reducer_plan(r), reducer_current(r), run->certificate,
	                 sizeof run->certificate);
	reducer_free(r);
	oracle_free(oracle);
	verdicts_release(&verdicts);
}

/* Skipping each second round, too, which for want of patience comes to no end. */
static void the_same_at_any_number_of_workers(void **state)
{
	(void)state;
	static const unsigned slots[] = { 2, 5, 16, 64 };
	for (uint64_t every = 2; every <= 26; every += 3ull * rounds_stride()) {
		struct run one = { .every = every, .slots = 1 };
		drive(&one);
		assert_true(one.skips > 0);
		assert_true(one.steps > 1);
		for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
			struct run many = { .every = every,
				            .slots = slots[i],
				            .scramble = i + every };
			drive(&many);
			assert_int_equal(many.skips, one.skips);
			assert_int_equal(many.steps, one.steps);
			assert_int_equal(many.questions, one.questions);
			assert_memory_equal(&many.way, &one.way, sizeof one.way);
			assert_memory_equal(&many.now, &one.now, sizeof one.now);
		}
	}
}

/* What was skipped had its turn again: the certificate says what it says without skips. */
static void a_fixpoint_is_one_all_the_same(void **state)
{
	(void)state;
	struct run plain = { .slots = 4 }, skipping = { .slots = 4, .every = 9 };
	drive(&plain);
	drive(&skipping);
	assert_int_equal(plain.skips, 0);
	assert_true(skipping.skips > 0);
	assert_int_equal(plain.end, DRIVER_FIXPOINT);
	assert_int_equal(skipping.end, DRIVER_FIXPOINT);
	assert_true(strstr(plain.certificate, "token") && strstr(skipping.certificate, "token"));
	assert_string_equal(skipping.certificate, plain.certificate);
	assert_memory_not_equal(&plain.way, &skipping.way, sizeof plain.way);
}

/* A pump that was skipped has its turn again before the end. */
static void pumps_can_be_skipped(void **state)
{
	(void)state;
	struct run plain = { .slots = 4, .pass = "none" };
	struct run one = { .slots = 1, .pass = "expand" }, many = { .slots = 5, .pass = "expand" };
	drive(&plain);
	drive(&one);
	drive(&many);
	assert_int_equal(one.end, DRIVER_FIXPOINT);
	assert_int_equal(one.skips, 3);
	assert_int_equal(many.skips, 3);
	assert_true(one.questions >= plain.questions);
	assert_int_equal(many.questions, one.questions);
	assert_memory_equal(&many.way, &one.way, sizeof one.way);
	assert_memory_equal(&many.now, &plain.now, sizeof plain.now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_at_any_number_of_workers),
		cmocka_unit_test(a_fixpoint_is_one_all_the_same),
		cmocka_unit_test(pumps_can_be_skipped),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
