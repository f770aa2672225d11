/* What was meant by a mistyped word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/near.h"

static const char *meant(const char *word)
{
	static const char *const known[] = { "reduce",  "resume", "check", "tokens",
		                             "bisect",  "hook",   "list",  "log",
		                             "restore", "prune",  "c" };
	struct near n = near_begin(word, strlen(word));
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		near_offer(&n, known[i]);
	return near_found(&n);
}

static void close_words_are_meant(void **state)
{
	(void)state;
	assert_string_equal(meant("lits"), "list");
	assert_string_equal(meant("reduec"), "reduce");
	assert_string_equal(meant("chekc"), "check");
	assert_string_equal(meant("tokenss"), "tokens");
	assert_string_equal(meant("rstore"), "restore");
	assert_string_equal(meant("bsiect"), "bisect");
	assert_string_equal(meant("list"), "list");
}

static void others_are_not(void **state)
{
	(void)state;
	assert_null(meant("test.sh"));
	assert_null(meant("crash.c"));
	assert_null(meant("x"));
	assert_null(meant("ab"));
	assert_null(meant(""));
	assert_null(meant("a word that is longer than anything that is compared"));
}

static void it_is_said(void **state)
{
	char text[64];
	struct near n = near_begin("jbos=3", 4);
	(void)state;
	assert_string_equal(near_question(&n, "--", text, sizeof text), "");
	near_offer(&n, "jobs");
	near_offer(&n, "job-server");
	assert_string_equal(near_question(&n, "--", text, sizeof text), "; did you mean --jobs?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(close_words_are_meant),
		cmocka_unit_test(others_are_not),
		cmocka_unit_test(it_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
