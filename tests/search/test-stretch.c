/* Stretches: where a search that is taken up goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/stretch.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken_up),
	};
	return cmocka_run_group_tests_name("search/stretch", tests, NULL, NULL);
}
