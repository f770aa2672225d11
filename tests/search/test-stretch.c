/* Stretches: where a search that is taken up goes on, and which one has its turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "edits/strategies.h"
#include "search/stretch.h"
#include "support.h"

/* A search that is taken up in a list has gone through those behind it at this size, and not
 * through those before it. */
static void test_taken_up(void **state)
{
	(void)state;
	uint64_t gone = 0;
	uint32_t a, b;
	struct stretch behind = stretch_of(20, 30, 4, 10, 100), in = stretch_of(8, 20, 4, 10, 100);
	assert_false(stretch_next(&behind, &gone, &a, &b));
	assert_true(stretch_next(&in, &gone, &a, &b));
	assert_int_equal(a, 8);
	assert_int_equal(b, 10);
	assert_false(stretch_next(&in, &gone, &a, &b));
	stretch_advance(&behind, &gone);
	assert_true(stretch_next(&behind, &gone, &a, &b));
	assert_int_equal(a, 29);
	assert_int_equal(b, 30);
}

enum { USES = 128, THINGS = 8 };

static void add_list(struct buf *text, const char *name, char letter, int n)
{
	buf_addf(text, "%c\"%s\":[", letter == 'u' ? '{' : ',', name);
	for (int i = 0; i < n; i++)
		buf_addf(text, "%s\"%c%d\"", i ? "," : "", letter, i);
	buf_addf(text, "]");
}

static bool holds(const struct testcase *tc, char letter, int i)
{
	char quoted[16];
	int n = snprintf(quoted, sizeof quoted, "\"%c%d\"", letter, i);
	return memmem(tc->bytes, tc->size, quoted, (size_t)n);
}

/* One use must stay, and the things of each use that stays. */
static bool has_what_is_used(const struct testcase *tc, const void *arg)
{
	(void)arg;
	for (int i = 0; i < USES; i++)
		for (int k = 0; holds(tc, 'u', i) && k < THINGS; k++)
			if (!holds(tc, 't', i * THINGS + k))
				return false;
	return holds(tc, 'u', 77);
}

static struct search *make_inner_items(struct view *view)
{
	return support_hunt(&strategy_items, view, 4,
	                    &(struct hunt_options){ .order = HUNT_BLOCKS });
}

/* While a list goes it has its turn, and then what it was needed for. */
static void test_lists_have_their_turns(void **state)
{
	(void)state;
	struct buf text = { 0 };
	add_list(&text, "uses", 'u', USES);
	add_list(&text, "things", 't', USES * THINGS);
	buf_addf(&text, "}\n");
	struct view *view = support_view("json", text.data);
	struct predicate p = { has_what_is_used, NULL };
	struct trace trace = support_run(make_inner_items(view), view->tc, &p);
	assert_int_equal(support_count(trace.result, 'u'), 2);
	assert_in_range(support_count(trace.result, 't'), THINGS + 1, 2 * THINGS);
	assert_in_range(trace.questions, 1, 150); /* 380 from the end of both as if they were one */
	assert_true(support_same_in_any_order(make_inner_items, view, &p, true, 5));
	trace_release(&trace);
	view_unref(view);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken_up),
		cmocka_unit_test(test_lists_have_their_turns),
	};
	return cmocka_run_group_tests_name("search/stretch", tests, NULL, NULL);
}
