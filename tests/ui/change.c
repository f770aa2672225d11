/* What a step changed, as the live display shows it: in a file, and in one of a directory. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "text/testcase.h"
#include "ui/live_change.h"

static struct testcase *single(const char *text)
{
	return testcase_new("a.c", 0644, mem_dup(text, strlen(text) + 1), (uint32_t)strlen(text));
}

static void check(const struct live_side *side, const char *wanted)
{
	assert_int_equal(side->to - side->from, strlen(wanted));
	assert_memory_equal(side->bytes + side->from, wanted, strlen(wanted));
}

static void check_change(struct testcase *before, struct testcase *after, uint32_t line,
                         const char *went, const char *came)
{
	struct live_change *c = live_change_new(before, after);
	assert_non_null(c);
	assert_int_equal(c->line, line);
	check(&c->went, went);
	check(&c->came, came);
	live_change_free(c);
	testcase_unref(before);
	testcase_unref(after);
}

static void test_file(void **state)
{
	(void)state;
	check_change(single("a\nbc\nd\n"), single("a\nd\n"), 2, "bc\n", "");
	check_change(single("a\nb(1 + 2)\n"), single("a\nb(3)\n"), 2, "1 + 2", "3");
	struct testcase *same = single("a");
	assert_null(live_change_new(same, same));
	testcase_unref(same);
}

/* Three files; TEXTS[i] NULL: without that one. */
static struct testcase *tree(const char *const texts[3])
{
	char names[3][4] = { "a/b", "c", "d" }, bytes[100] = "";
	struct testcase_file files[3] = { 0 };
	uint32_t n = 0, at = 0;
	for (int i = 0; i < 3; i++) {
		if (!texts[i])
			continue;
		uint32_t len = (uint32_t)strlen(texts[i]);
		memcpy(bytes + at, texts[i], len + 1);
		files[n++] = (struct testcase_file){
			.path = names[i], .mode = S_IFREG | 0644, .begin = at, .end = at + len
		};
		at += len + 1;
	}
	return testcase_tree(files, n, mem_dup(bytes, at + 1));
}

static void check_tree(const char *const before[3], const char *const after[3], const char *path,
                       const char *went, const char *came)
{
	struct testcase *a = tree(before), *b = tree(after);
	struct live_change *c = live_change_new(a, b);
	assert_string_equal(c->path, path);
	live_change_free(c);
	check_change(a, b, 1, went, came);
}

/* In a directory it is the first file that differs, which may have gone. */
static void test_directory(void **state)
{
	(void)state;
	static const char *const all[] = { "one", "two", "three" },
				 *const less[] = { "one", "t", "three" },
				 *const last[] = { "one", "two", NULL },
				 *const first[] = { NULL, "two", "three" };
	check_tree(all, less, "c", "wo", "");
	check_tree(all, last, "d", "three", "");
	check_tree(all, first, "a/b", "one", "");
	struct testcase *a = tree(all), *b = tree(all);
	assert_null(live_change_new(a, b));
	testcase_unref(a);
	testcase_unref(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_directory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
