/* The pool with well-behaved tests: how a candidate gets in and an answer out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support.h"

/* One test of SCRIPT (by sh -c, so $0 is the first path) on a candidate of one file. */
static struct answer ask_shell(const char *script, unsigned input, const char *text)
{
	const char *args[] = { "-c", script, "sh", NULL };
	struct setup options = support_options("/bin/sh", args);
	options.input = input;
	struct oracle *pool = support_pool(&options);
	struct testcase *tc = support_case("crash.c", text);
	struct answer answer = support_ask(pool, tc);
	testcase_unref(tc);
	oracle_free(pool);
	return answer;
}

static void candidate_comes_in_three_ways(void **state)
{
	(void)state;
	const struct {
		const char *script;
		unsigned input;
	} ways[] = {
		{ "test \"$(cat crash.c)\" = hello && test $# = 1 && test \"$1\" -ef crash.c && "
		  "test \"$(cat)\" = hello",
		  7 },
		{ "test \"$(cat crash.c)\" = hello && test $# = 0 && test -z \"$(cat)\"",
		  SETUP_INPUT_BASENAME },
		{ "test \"$(cat \"$1\")\" = hello && test ! -e crash.c && test -z \"$(cat)\" && "
		  "case $1 in /*/crash.c);; *) false; esac",
		  SETUP_INPUT_ARG },
		{ "test \"$(cat)\" = hello && test $# = 0 && test ! -e crash.c",
		  SETUP_INPUT_STDIN },
	};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		assert_int_equal(ask_shell(ways[i].script, ways[i].input, "hello").verdict,
		                 VERDICT_INTERESTING);
		assert_int_equal(ask_shell(ways[i].script, ways[i].input, "hullo").verdict,
		                 VERDICT_NOT_INTERESTING);
	}
}

/* Writes a program into the directory; the path is the caller's. */
static char *write_program(const char *dir, const char *text, mode_t mode)
{
	struct err err;
	char *path = mem_printf("%s/program", dir);
	if (io_replace_file(path, text, strlen(text), mode, &err) < 0)
		fail_msg("%s", err.msg);
	return path;
}

static char *make_dir(void)
{
	char *dir = io_temporary_name("pool"); /* programs run there, which /tmp may not allow */
	assert_non_null(mkdtemp(dir));
	return dir;
}

static void remove_dir(char *dir)
{
	assert_int_equal(io_remove_tree(AT_FDCWD, dir), 0);
	free(dir);
}

static void script_without_interpreter_line_runs(void **state)
{
	(void)state;
	char *dir = make_dir(),
	     *program = write_program(dir, "test \"$(cat crash.c)\" = yes && exit 7\n", 0755);
	struct setup options = support_options(program, NULL);
	options.exit_code = 7;
	struct oracle *pool = support_pool(&options);
	struct testcase *yes = support_case("crash.c", "yes"), *no = support_case("crash.c", "no");
	assert_int_equal(support_ask(pool, yes).verdict, VERDICT_INTERESTING);
	struct answer answer = support_ask(pool, no);
	assert_int_equal(answer.verdict, VERDICT_NOT_INTERESTING);
	assert_true(WIFEXITED(answer.status) && WEXITSTATUS(answer.status) == 1);
	testcase_unref(yes);
	testcase_unref(no);
	oracle_free(pool);
	free(program);
	remove_dir(dir);
}

static void expect_cannot_run(const char *program, const char *reason)
{
	struct setup options = support_options(program, NULL);
	struct oracle *pool = support_pool(&options);
	struct testcase *tc = support_case("crash.c", "x");
	struct err err = { 0 };
	struct answer answer = { 0 };
	assert_int_equal(support_submit(pool, tc, 5, &err), 0);
	assert_int_equal(oracle_wait(pool, &answer, -1, -1, &err), -1);
	assert_int_equal(answer.ticket, 5);
	assert_int_equal(err.code, ERR_TEST);
	char *expected = mem_printf("cannot run %s: %s", program, reason);
	assert_string_equal(err.msg, expected);
	free(expected);
	testcase_unref(tc);
	oracle_free(pool);
}

static void program_that_cannot_run_is_no_verdict(void **state)
{
	(void)state;
	char *dir = make_dir(), *program = write_program(dir, "#!/no/such/interpreter\n", 0755);
	expect_cannot_run(program, "the program named in its first line is missing (does the "
	                           "line end with a carriage return?)");
	assert_int_equal(chmod(program, 0644), 0);
	expect_cannot_run(program, strerror(EACCES));
	expect_cannot_run(dir, strerror(EACCES));
	expect_cannot_run("/no/such/program", strerror(ENOENT));
	free(program);
	remove_dir(dir);
}

static void deadline_is_that_of_the_request(void **state)
{
	(void)state;
	const char *args[] = { "-c", "read x; test $x = quick || exec sleep 1000", NULL };
	struct setup options = support_options("/bin/sh", args);
	options.jobs = 2;
	struct oracle *pool = support_pool(&options);
	struct testcase *slow = support_case("crash.c", "slow\n"),
			*quick = support_case("crash.c", "quick\n");
	struct err err;
	struct answer answer;
	const struct oracle_request hurried = { .ticket = 1,
		                                .tc = slow,
		                                .limits = { .wall_ns = 50000000 } };
	assert_int_equal(oracle_submit(pool, &hurried, &err), 0);
	assert_int_equal(support_submit(pool, quick, 2, &err), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(oracle_wait(pool, &answer, -1, -1, &err), 1);
		assert_int_equal(answer.verdict,
		                 answer.ticket == 1 ? VERDICT_TIMEOUT : VERDICT_INTERESTING);
		assert_int_equal(answer.limit_ns, answer.ticket == 1 ? 50000000 : 0);
		if (answer.ticket == 1)
			assert_true(answer.wall_ns >= 50000000);
	}
	testcase_unref(slow);
	testcase_unref(quick);
	oracle_free(pool);
}

enum { HELD = 5 };

/* Tests that each end when their FIFO below DIR is opened for writing. */
static void submit_held(struct oracle *pool, const char *dir, unsigned i)
{
	struct err err;
	char path[64];
	snprintf(path, sizeof path, "%s/%u", dir, i);
	assert_int_equal(mkfifo(path, 0600), 0);
	struct testcase *tc = support_case("crash.c", path);
	assert_int_equal(support_submit(pool, tc, i, &err), 0);
	testcase_unref(tc);
}

/* Lets test I end, and takes its answer. */
static void release_held(struct oracle *pool, const char *dir, unsigned i)
{
	struct err err;
	struct answer a;
	char path[64];
	snprintf(path, sizeof path, "%s/%u", dir, i);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(oracle_wait(pool, &a, -1, -1, &err), 1);
	assert_int_equal(a.ticket, i);
	assert_int_equal(a.verdict, VERDICT_INTERESTING);
}

/* From two slots to none, to four, of which there may be no more, and to one. */
static void the_number_of_tests_can_be_changed(void **state)
{
	(void)state;
	struct err err;
	struct answer a;
	char *dir = make_dir();
	const char *args[] = { "-c", "exec cat \"$(cat \"$0\")\"", NULL };
	struct setup options = support_options("/bin/sh", args);
	options.jobs = 2;
	options.jobs_most = HELD - 1;
	struct oracle *pool = support_pool(&options);
	submit_held(pool, dir, 0);
	assert_int_equal(oracle_allow(pool, 0), 0);
	assert_int_equal(oracle_free_slots(pool), 0);
	release_held(pool, dir, 0);
	assert_int_equal(oracle_free_slots(pool), 0);
	assert_int_equal(oracle_wait(pool, &a, -1, 1, &err), 0);
	assert_int_equal(oracle_allow(pool, 9), HELD - 1);
	for (unsigned i = 1; i < HELD; i++) {
		assert_int_equal(oracle_free_slots(pool), HELD - i);
		submit_held(pool, dir, i);
	}
	assert_int_equal(oracle_allow(pool, 1), 1);
	for (unsigned i = 1; i < HELD; i++) {
		assert_int_equal(oracle_free_slots(pool), 0);
		release_held(pool, dir, i);
	}
	assert_int_equal(oracle_free_slots(pool), 1);
	remove_dir(dir);
	oracle_free(pool);
}

static void wait_can_be_interrupted(void **state)
{
	(void)state;
	const char *args[] = { "1000", NULL };
	struct setup options = support_options("/bin/sleep", args);
	options.input = SETUP_INPUT_BASENAME;
	struct oracle *pool = support_pool(&options);
	struct testcase *tc = support_case("crash.c", "x");
	struct err err;
	struct answer answer;
	int wake[2];
	assert_int_equal(pipe2(wake, O_CLOEXEC), 0);
	assert_int_equal(oracle_wait(pool, &answer, wake[0], -1, &err), 0); /* nothing runs */
	assert_int_equal(oracle_free_slots(pool), 1);
	assert_int_equal(support_submit(pool, tc, 1, &err), 0);
	assert_int_equal(oracle_free_slots(pool), 0);
	assert_int_equal(oracle_wait(pool, &answer, wake[0], 0, &err), 0);
	assert_int_equal(oracle_wait(pool, &answer, wake[0], 5, &err), 0);
	assert_int_equal(write(wake[1], "x", 1), 1);
	assert_int_equal(oracle_wait(pool, &answer, wake[0], -1, &err), 0);
	oracle_cancel(pool, 99); /* unknown */
	oracle_cancel(pool, 1);
	assert_int_equal(oracle_free_slots(pool), 1);
	assert_int_equal(oracle_wait(pool, &answer, -1, -1, &err), 0);
	close(wake[0]);
	close(wake[1]);
	testcase_unref(tc);
	oracle_free(pool);
}

static void output_is_captured(void **state)
{
	(void)state;
	const char *args[] = { "-c", "echo out; echo err >&2; cat; exit 3", NULL };
	struct setup options = support_options("/bin/sh", args);
	struct oracle *pool = support_pool(&options);
	struct testcase *tc = support_case("crash.c", "candidate");
	const struct oracle_request rq = { .ticket = 1, .tc = tc };
	struct err err = { 0 };
	struct answer answer;
	char *output;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(oracle_ask_verbose(pool, &rq, -1, &answer, &output, &err), 0);
		assert_string_equal(output, "out\nerr\ncandidate");
		assert_int_equal(WEXITSTATUS(answer.status), 3);
		free(output);
	}
	testcase_unref(tc);
	oracle_free(pool);
}

/* What a file holds that was written through a descriptor which shares its offset. */
static void expect_written(int fd, const char *expected)
{
	char text[64] = "";
	assert_int_equal(pread(fd, text, sizeof text - 1, 0), strlen(expected));
	assert_string_equal(text, expected);
}

static int empty_file(void)
{
	int fd = memfd_create("output", MFD_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

/* Standard output and error go where the request says, each for itself; what it does not mention is
 * dropped. */
static void output_goes_where_the_request_says(void **state)
{
	(void)state;
	const char *args[] = { "-c", "echo out; echo err >&2", NULL };
	struct setup setup = support_options("/bin/sh", args);
	struct oracle *pool = support_pool(&setup);
	struct testcase *tc = support_case("crash.c", "x");
	for (int which = 0; which < 4; which++) {
		int files[2] = { empty_file(), empty_file() };
		const struct oracle_output output = { .out = which & 1 ? files[0] : -1,
			                              .err = which & 2 ? files[1] : -1 };
		const struct oracle_request rq = { .ticket = 1, .tc = tc, .output = &output };
		struct answer answer;
		struct err err;
		assert_int_equal(oracle_ask(pool, &rq, -1, &answer, &err), 0);
		assert_int_equal(answer.verdict, VERDICT_INTERESTING);
		expect_written(files[0], which & 1 ? "out\n" : "");
		expect_written(files[1], which & 2 ? "err\n" : "");
		close(files[0]);
		close(files[1]);
	}
	testcase_unref(tc);
	oracle_free(pool);
}

/* The same test on the same candidate, with limits that only one of two requests has. */
static void limits_are_those_of_the_request(void **state)
{
	(void)state;
	if (getenv("EMULATED")) /* without RLIMIT_AS */
		skip();
	const char *args[] = { "-c", "ulimit -f; ulimit -v; ulimit -t", NULL };
	struct setup setup = support_options("/bin/sh", args);
	struct oracle *pool = support_pool(&setup);
	struct testcase *tc = support_case("crash.c", "x");
	struct oracle_request rq = { .ticket = 1, .tc = tc };
	char *without[2], *with;
	struct answer answer;
	struct err err;
	assert_int_equal(oracle_ask_verbose(pool, &rq, -1, &answer, &without[0], &err), 0);
	rq.limits = (struct oracle_limits){ .cpu_s = 7, .memory = 1 << 30, .files = 1 << 20 };
	assert_int_equal(oracle_ask_verbose(pool, &rq, -1, &answer, &with, &err), 0);
	assert_string_equal(with, "2192\n1048576\n7\n"); /* blocks of 512 with room for the
	                                                   candidate, K, seconds */
	rq.limits = (struct oracle_limits){ 0 };
	assert_int_equal(oracle_ask_verbose(pool, &rq, -1, &answer, &without[1], &err), 0);
	assert_string_equal(without[0], without[1]);
	free(without[0]);
	free(without[1]);
	free(with);
	testcase_unref(tc);
	oracle_free(pool);
}

/* Many questions, many of them taken back: each of the others is answered once, and rightly. */
static void every_question_has_its_answer(void **state)
{
	(void)state;
	enum { QUESTIONS = 1500, JOBS = 6 };
	const char *args[] = { "obey", NULL };
	struct setup options = support_options(support_program("tests/run/naughty"), args);
	options.jobs = JOBS;
	struct oracle *pool = support_pool(&options);
	struct testcase *cases[] = { support_case("c", "g"), support_case("c", "b"),
		                     support_case("long-name.c", "s") };
	enum verdict expected[QUESTIONS] = { 0 };
	struct rng rng = { 1 };
	struct err err = { 0 };
	struct answer answer;
	uint64_t asked = 0, open = 0;
	while (asked < QUESTIONS || open) {
		while (asked < QUESTIONS && oracle_free_slots(pool)) {
			uint64_t kind = rng_below(&rng, 3), ticket = asked++;
			assert_int_equal(support_submit(pool, cases[kind], ticket, &err), 0);
			expected[ticket] = kind ? VERDICT_NOT_INTERESTING : VERDICT_INTERESTING;
			uint64_t victim =
				kind == 2 ? ticket
					  : ticket - rng_below(&rng,
			                                       ticket + 1 < 10 ? ticket + 1 : 10);
			open++;
			if ((kind == 2 || rng_below(&rng, 4) == 0) &&
			    expected[victim] != VERDICT_UNKNOWN) {
				oracle_cancel(pool, victim);
				expected[victim] = VERDICT_UNKNOWN;
				open--;
			}
		}
		int rc = oracle_wait(pool, &answer, -1, -1, &err);
		assert_true(rc >= 0);
		if (rc == 0)
			continue;
		assert_int_equal(answer.verdict, expected[answer.ticket]);
		expected[answer.ticket] = VERDICT_UNKNOWN;
		open--;
	}
	for (size_t i = 0; i < 3; i++)
		testcase_unref(cases[i]);
	oracle_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(candidate_comes_in_three_ways),
		cmocka_unit_test(script_without_interpreter_line_runs),
		cmocka_unit_test(program_that_cannot_run_is_no_verdict),
		cmocka_unit_test(deadline_is_that_of_the_request),
		cmocka_unit_test(the_number_of_tests_can_be_changed),
		cmocka_unit_test(wait_can_be_interrupted),
		cmocka_unit_test(output_is_captured),
		cmocka_unit_test(output_goes_where_the_request_says),
		cmocka_unit_test(limits_are_those_of_the_request),
		cmocka_unit_test(every_question_has_its_answer),
	};
	return cmocka_run_group_tests_name("run/pool", tests, NULL, NULL);
}
