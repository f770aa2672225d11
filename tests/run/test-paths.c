/* The pool with test cases of other than one file: several, and none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "support.h"

static struct testcase *two_files(void)
{
	const struct testcase_file files[] = {
		{ .path = "src/a.c", .mode = 0644, .end = 3 },
		{ .path = "lib/deep/b.sh", .mode = 0777, .begin = 4, .end = 6 },
	};
	return testcase_tree(files, 2, mem_dup("aaa?bb?", 8));
}

static void several_files_keep_paths_and_modes(void **state)
{
	(void)state;
	const char *args[] = { "-c", NULL, "sh", NULL };
	args[1] = "test $(cat src/a.c) = aaa && test $(cat \"$2\") = bb && test $# = 2 && test "
		  "$(cat) = aaa && "
		  "test \"$1\" -ef src/a.c && test \"$(stat -c %a src/a.c lib/deep/b.sh | tr '\\n' "
		  "' ')\" = '644 777 '";
	struct setup options = support_options("/bin/sh", args);
	mode_t old = umask(027);
	struct oracle *pool = support_pool(&options);
	umask(old);
	struct testcase *two = two_files(), *one = support_case("crash.c", "x");
	for (int i = 0; i < 4; i++) {
		assert_int_equal(support_ask(pool, two).verdict, VERDICT_INTERESTING);
		assert_int_equal(support_ask(pool, one).verdict, VERDICT_NOT_INTERESTING);
	}
	testcase_unref(one);
	testcase_unref(two);
	oracle_free(pool);
}

/* At first, and after one that has files: the test gets none, and finds none. */
static void candidate_without_files(void **state)
{
	(void)state;
	const char *args[] = { "-c", "test $# = 0 && test -z \"$(ls)\" && test -z \"$(cat)\"", "sh",
		               NULL };
	struct setup options = support_options("/bin/sh", args);
	struct oracle *pool = support_pool(&options);
	struct testcase *none = testcase_tree(NULL, 0, mem_zero(1, 1)),
			*one = support_case("crash.c", "x");
	for (int i = 0; i < 4; i++) {
		assert_int_equal(support_ask(pool, none).verdict, VERDICT_INTERESTING);
		assert_int_equal(support_ask(pool, one).verdict, VERDICT_NOT_INTERESTING);
	}
	testcase_unref(one);
	testcase_unref(none);
	oracle_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_files_keep_paths_and_modes),
		cmocka_unit_test(candidate_without_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
