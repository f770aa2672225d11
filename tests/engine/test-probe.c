/* What is found out about a test before the reduction begins, from answers that are given in
 * advance.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "reduce/probe.h"
#include "../run/scripted.h"

#define MS 1000000ull
enum { MAX_LINES = 5 };

static struct testcase *case_of(const char *text)
{
	return testcase_new("crash.c", 0644, mem_dup(text, strlen(text) + 1),
	                    (uint32_t)strlen(text));
}

/* A script, and what becomes of it. */
struct scene {
	const char *name;
	struct scripted_line lines[MAX_LINES];
	size_t n;
	enum err_code code;
	const char *message; /* part of it; NULL: the test can be used */
	const char *output;
	unsigned asked;
};

#define YES VERDICT_INTERESTING
#define NO VERDICT_NOT_INTERESTING

static const struct scene scenes[] = {
	{ .name = "usable",
	  .lines = { { .verdict = YES },
	             { .verdict = YES },
	             { .verdict = YES },
	             { .verdict = NO } },
	  .n = 4,
	  .asked = 4 },
	{ .name = "not interesting: run once more for its output",
	  .lines = { { .verdict = NO, .status = 256 },
	             { .verdict = NO, .status = 256, .output = "no bug here\n" } },
	  .n = 2,
	  .code = ERR_TEST,
	  .message = "not interesting to begin with",
	  .output = "no bug here\n",
	  .asked = 2 },
	{ .name = "flaky",
	  .lines = { { .verdict = YES }, { .verdict = NO }, { .verdict = YES } },
	  .n = 3,
	  .code = ERR_TEST,
	  .message = "of 3 runs on crash.c, 2 found it interesting",
	  .asked = 4 },
	{ .name = "does not end",
	  .lines = { { .verdict = VERDICT_TIMEOUT, .wall_ns = 250 * MS } },
	  .n = 1,
	  .code = ERR_TEST,
	  .message = "does not end within 0.25 s",
	  .asked = 1 },
	{ .name = "satisfied by nothing",
	  .lines = { { .verdict = YES } },
	  .n = 1,
	  .code = ERR_TEST,
	  .message = "is interesting on an empty file",
	  .asked = 4 },
	{ .name = "cannot be run",
	  .lines = { { .verdict = YES }, { .lost = "the worker was killed" } },
	  .n = 2,
	  .code = ERR_SYSTEM,
	  .message = "the worker was killed",
	  .asked = 2 },
	{ .name = "cannot be started",
	  .lines = { { .verdict = YES }, { .verdict = YES }, { .refused = "no space" } },
	  .n = 3,
	  .code = ERR_SYSTEM,
	  .message = "no space",
	  .asked = 3 },
};

static void check_questions(const struct oracle *oracle, const struct scene *scene,
                            const struct testcase *original)
{
	size_t n;
	const struct scripted_question *asked = scripted_asked(oracle, &n);
	assert_int_equal(n, scene->asked);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(asked[i].limits.wall_ns, 250 * MS);
		assert_int_equal(asked[i].limits.memory, 1 << 30);
		assert_int_equal(hash_equal(asked[i].hash, original->hash), i < 3);
		assert_int_equal(asked[i].has_output, scene->output && i == n - 1);
	}
}

static void test_scene(void **state)
{
	const struct scene *scene = *state;
	struct oracle *oracle = scripted_new(scene->lines, scene->n, 1);
	struct testcase *original = case_of("int main;\n"), *empty = case_of("");
	struct answer on_empty;
	const struct probe_options options = { .oracle = oracle,
		                               .limits = { .wall_ns = 250 * MS, .memory = 1 << 30 },
		                               .test = "./test",
		                               .file = "crash.c",
		                               .empty = empty,
		                               .on_empty = &on_empty,
		                               .stop_fd = -1 };
	struct session_probe probe = { 0 };
	struct err err = { 0 };
	int rc = probe_input(&options, original, &probe, &err);
	assert_int_equal(rc, scene->message ? -1 : 0);
	assert_int_equal(err.code, scene->code);
	if (scene->message && !strstr(err.msg, scene->message))
		fail_msg("%s", err.msg);
	assert_int_equal(probe.output != NULL, scene->output != NULL);
	if (scene->output)
		assert_string_equal(probe.output, scene->output);
	check_questions(oracle, scene, original);
	free(probe.output);
	testcase_unref(original);
	testcase_unref(empty);
	oracle_free(oracle);
}

/* Who wants to stop gets no answer, and leaves no question behind. */
static void test_stopped(void **state)
{
	(void)state;
	static const struct scripted_line yes = { .verdict = YES };
	struct oracle *oracle = scripted_new(&yes, 1, 1);
	struct testcase *original = case_of("int main;\n");
	int stop[2];
	assert_int_equal(pipe(stop), 0);
	assert_int_equal(write(stop[1], "x", 1), 1);
	const struct probe_options options = { .oracle = oracle, .stop_fd = stop[0] };
	struct session_probe probe = { 0 };
	struct err err = { 0 };
	assert_int_equal(probe_input(&options, original, &probe, &err), -1);
	assert_int_equal(err.code, ERR_STOPPED);
	size_t n;
	assert_true(scripted_asked(oracle, &n)->cancelled);
	assert_int_equal(n, 1);
	assert_int_equal(oracle_free_slots(oracle), 1);
	close(stop[0]);
	close(stop[1]);
	testcase_unref(original);
	oracle_free(oracle);
}

/* The deadline that is chosen: twenty times the slowest run or, if that is less, six times and 8
 * seconds; a power of two of seconds, 8 at least. */
static void test_limit(void **state)
{
	(void)state;
	assert_int_equal(probe_limit(10 * MS), 8000 * MS);
	assert_int_equal(probe_limit(401 * MS), 16000 * MS);
	assert_int_equal(probe_limit(1000 * MS), 16000 * MS);
	assert_int_equal(probe_limit(5000 * MS), 64000 * MS);
}

int main(void)
{
	enum { SCENES = sizeof scenes / sizeof *scenes };
	struct CMUnitTest tests[SCENES + 2];
	for (size_t i = 0; i < SCENES; i++)
		tests[i] = (struct CMUnitTest){ scenes[i].name, test_scene, NULL, NULL,
			                        (void *)(uintptr_t)&scenes[i] };
	tests[SCENES] = (struct CMUnitTest)cmocka_unit_test(test_stopped);
	tests[SCENES + 1] = (struct CMUnitTest)cmocka_unit_test(test_limit);
	return cmocka_run_group_tests_name("engine/probe", tests, NULL, NULL);
}
