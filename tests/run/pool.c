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
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "support.h"

/* One test of SCRIPT (by sh -c, so $0 is the first path) on a candidate of one file. */
static struct answer ask_shell(const char *script, unsigned input, const char *text)
{
	const char *args[] = { "-c", script, "sh", NULL };
	struct pool_options options = support_options("/bin/sh", args);
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
		{ "test \"$(cat crash.c)\" = hello && test $# = 1 && test \"$1\" -ef crash.c && test \"$(cat)\" = hello", 7 },
		{ "test \"$(cat crash.c)\" = hello && test $# = 0 && test -z \"$(cat)\"", POOL_INPUT_BASENAME },
		{ "test \"$(cat \"$1\")\" = hello && test ! -e crash.c && test -z \"$(cat)\" && case $1 in /*/crash.c);; *) false; esac",
		  POOL_INPUT_ARG },
		{ "test \"$(cat)\" = hello && test $# = 0 && test ! -e crash.c", POOL_INPUT_STDIN },
	};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		assert_int_equal(ask_shell(ways[i].script, ways[i].input, "hello").verdict, VERDICT_INTERESTING);
		assert_int_equal(ask_shell(ways[i].script, ways[i].input, "hullo").verdict, VERDICT_BORING);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(candidate_comes_in_three_ways),
	};
	return cmocka_run_group_tests_name("run/pool", tests, NULL, NULL);
}
