/* What edits make of what has places in a test case: the entries of a tree, and spans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "text/edit.h"
#include "text/spans.h"

/* What is inserted belongs to the entry it stands in, before the frame to its end; the frame of an
 * executable file is its mode. */
static void test_insertions_and_modes(void **state)
{
	(void)state;
	struct testcase_file files[2] = { { .path = "a", .mode = 0755, .end = 2 },
		                          { .path = "b", .mode = 0644, .begin = 3, .end = 5 } };
	struct testcase *base = testcase_tree(files, 2, mem_dup("ab?cd?", 7)), *tc;
	struct arena arena = { 0 };
	struct edit_part parts[] = { { 2, 2, 1, (const uint8_t *)"1" },
		                     { 3, 3, 1, (const uint8_t *)"2" },
		                     { 5, 6, 1, (const uint8_t *)"3" } };
	struct edit e;
	assert_memory_equal(base->bytes, "abxcd\n", 6);
	assert_true(edit_make(&arena, parts, 3, &e));
	tc = edit_apply(base, e);
	testcase_flat(tc);
	assert_memory_equal(tc->bytes, "ab1x2cd3\n", 9);
	testcase_unref(tc);
	tc = edit_apply(base, edit_replace(&arena, 2, 3, (const uint8_t *)"\n", 1));
	testcase_flat(tc);
	assert_memory_equal(tc->bytes, "ab\ncd\n", 6);
	assert_int_equal(tc->files[0].mode, 0644);
	assert_true(testcase_compare(tc, base) < 0);
	testcase_unref(tc);
	testcase_unref(base);
	arena_release(&arena);
}

/* Spans keep their order and stay nested where a part of an edit lies across a border of theirs. */
static void spans_follow_edits(void **state)
{
	(void)state;
	struct span_given list[] = { { 0, 12, false }, { 0, 6, false }, { 6, 12, false } };
	struct spans spans = { .refs = 1, .n = 3, .list = list };
	const char *text = "wxyz";
	for (uint32_t len = 0; len <= 4; len++) {
		struct arena arena = { 0 };
		struct spans *now =
			spans_map(&spans, edit_replace(&arena, 4, 8, (const uint8_t *)text, len));
		uint32_t border = 4 + (len < 2 ? len : 2), end = 8 + len;
		assert_int_equal(now->n, 3);
		assert_int_equal(now->list[0].end, end);
		assert_int_equal(now->list[1].end, border);
		assert_int_equal(now->list[2].begin, border);
		assert_int_equal(now->list[2].end, end);
		spans_unref(now);
		arena_release(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_insertions_and_modes),
		cmocka_unit_test(spans_follow_edits),
	};
	return cmocka_run_group_tests_name("search/edit-places", tests, NULL, NULL);
}
