/* Size over time: where so much of what was won had been won. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/curve.h"

static void test_won(void **state)
{
	(void)state;
	static const uint64_t bytes[] = { 900, 500, 110, 100 };
	struct curve c = { 0 };
	assert_null(curve_won(&c, 1000, 99));
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
		curve_add(&c, (struct curve_point){ .tests = i + 1, .bytes = bytes[i] });
	assert_int_equal(curve_won(&c, 1000, 1)->tests, 1);
	assert_int_equal(curve_won(&c, 1000, 12)->tests, 2);
	assert_int_equal(curve_won(&c, 1000, 56)->tests, 3);
	assert_int_equal(curve_won(&c, 1000, 98)->tests, 3);
	assert_int_equal(curve_won(&c, 1000, 99)->tests, 4);
	assert_int_equal(curve_won(&c, 1000, 100)->tests, 4);
	assert_null(curve_won(&c, 100, 50)); /* nothing was won from there */
	curve_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_won) };
	return cmocka_run_group_tests_name("ui/curve", tests, NULL, NULL);
}
