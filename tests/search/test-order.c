/* The total order of test cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "base/mem.h"
#include "support.h"
#include "text/testcase.h"

/* Short texts over few characters, so that many are equal or nearly so. */
static struct testcase *random_testcase(struct rng *rng, const char *characters,
                                        size_t n_characters)
{
	char bytes[3];
	uint64_t n = rng_below(rng, sizeof bytes + 1);
	for (uint64_t i = 0; i < n; i++)
		bytes[i] = characters[rng_below(rng, n_characters)];
	return support_testcase(bytes, n);
}

static int sign(int x)
{
	return x < 0 ? -1 : x > 0;
}

static void check_total_order(const char *characters, size_t n_characters, uint64_t seed)
{
	struct rng rng = { seed };
	for (uint32_t round = rounds(40000); round > 0; round--) {
		struct testcase *t[3];
		for (int i = 0; i < 3; i++)
			t[i] = random_testcase(&rng, characters, n_characters);
		int ab = sign(testcase_compare(t[0], t[1])),
		    bc = sign(testcase_compare(t[1], t[2]));
		int ac = sign(testcase_compare(t[0], t[2]));
		assert_int_equal(ab, -sign(testcase_compare(t[1], t[0])));
		assert_int_equal(ab == 0, t[0]->size == t[1]->size &&
		                                  !memcmp(t[0]->bytes, t[1]->bytes, t[0]->size));
		if (ab == bc)
			assert_int_equal(ac, ab);
		if (t[0]->size < t[1]->size)
			assert_int_equal(ab, -1);
		for (int i = 0; i < 3; i++)
			testcase_unref(t[i]);
	}
}

static void test_order_of_texts(void **state)
{
	(void)state;
	check_total_order(" \n\t09azAZ~", 10, 6);
}

static void test_order_of_binaries(void **state)
{
	(void)state;
	check_total_order("\x80\xff\xfe\x90", 4, 7);
}

/* Of both kinds together: a cycle among them would let a reduction run for ever. */
static void test_order_of_texts_and_binaries(void **state)
{
	(void)state;
	check_total_order("aAzZ0\x80\xff\xc3\xa9\0", 10, 8);
}

/* TC with N letters in front of its bytes and as many behind them. */
static struct testcase *padded(const struct testcase *tc, size_t n)
{
	char bytes[256];
	memset(bytes, 'm', 2 * n + tc->size);
	memcpy(bytes + n, tc->bytes, tc->size);
	return support_testcase(bytes, 2 * n + tc->size);
}

/* What is equal does not count, however much it is: long texts are compared in blocks. */
static void test_order_of_long_texts(void **state)
{
	(void)state;
	struct rng rng = { 9 };
	for (uint32_t round = rounds(40000); round > 0; round--) {
		struct testcase *t[4];
		t[0] = random_testcase(&rng, "a\0\xc3\xa4\xff~", 6);
		t[1] = random_testcase(&rng, "a\0\xc3\xa4\xff~", 6);
		size_t n = rng_below(&rng, 120);
		t[2] = padded(t[0], n);
		t[3] = padded(t[1], n);
		assert_int_equal(sign(testcase_compare(t[2], t[3])),
		                 sign(testcase_compare(t[0], t[1])));
		for (int i = 0; i < 4; i++)
			testcase_unref(t[i]);
	}
}

static void test_natural_order(void **state)
{
	(void)state;
	static const char *const rising[] = {
		"",  " ", "\n",   "0",  "9",  "a",  "z",  "A",  "Z",
		"!", "~", "\xff", "  ", "0~", "a0", "A!", "!a",
	};
	for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
		for (size_t j = 0; j < sizeof rising / sizeof *rising; j++) {
			struct testcase *a = support_testcase(rising[i], strlen(rising[i]));
			struct testcase *b = support_testcase(rising[j], strlen(rising[j]));
			assert_int_equal(sign(testcase_compare(a, b)), i < j ? -1 : i > j);
			testcase_unref(a);
			testcase_unref(b);
		}
	bool seen[256] = { false };
	for (int c = 0; c < 256; c++) {
		assert_false(seen[testcase_natural_rank((uint8_t)c)]);
		seen[testcase_natural_rank((uint8_t)c)] = true;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_of_texts),
		cmocka_unit_test(test_order_of_binaries),
		cmocka_unit_test(test_order_of_texts_and_binaries),
		cmocka_unit_test(test_order_of_long_texts),
		cmocka_unit_test(test_natural_order),
	};
	return cmocka_run_group_tests_name("search/order", tests, NULL, NULL);
}
