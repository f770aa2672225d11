/* Lowering integers, lists of them, and the numbers of a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/mem.h"
#include "search/integers.h"
#include "search/simplify.h"
#include "support.h"

static uint32_t bits_of(uint64_t value)
{
	uint32_t n = 0;
	for (; value; value >>= 1)
		n++;
	return n;
}

/* As many bits as any other number of them. */
static uint64_t random_width(struct rng *rng)
{
	uint64_t value = rng_next(rng);
	return value >> rng_below(rng, 64);
}

static void lower_to(uint64_t threshold, uint64_t value)
{
	struct integer_search s = integer_search_start(value, INTEGER_WHOLE);
	uint32_t calls = 0;
	for (; !s.done; calls++) {
		assert_true(integer_search_next(&s) < s.value);
		integer_search_tell(&s, integer_search_next(&s) >= threshold);
	}
	assert_true(s.value == threshold);
	assert_true(calls <= 2 * bits_of(value) + 1);
	if (value == threshold)
		assert_true(calls <= bits_of(value) + 1);
}

static void test_integer_to_a_threshold(void **state)
{
	(void)state;
	struct rng rng = { 1 };
	for (uint64_t value = 0; value < 300; value++)
		for (uint64_t threshold = 0; threshold <= value; threshold++)
			lower_to(threshold, value);
	for (int i = 0; i < 5000; i++) {
		uint64_t value = random_width(&rng), threshold = random_width(&rng);
		lower_to(threshold < value ? threshold : value, value);
	}
	lower_to(UINT64_MAX, UINT64_MAX);
	lower_to(UINT64_MAX - 1, UINT64_MAX);
	lower_to(0, UINT64_MAX);
	lower_to(UINT64_MAX / 2, UINT64_MAX);
}

/* The seed's sequence for 500: the coarse part, then the fine one. */
static void test_integer_parts(void **state)
{
	(void)state;
	static const uint64_t coarse[] = { 0, 1, 3, 7, 15, 31, 63, 127, 255 };
	static const uint64_t fine[] = { 377, 438, 469, 484, 492, 496, 498, 499 };
	struct integer_search s = integer_search_start(500, INTEGER_COARSE);
	for (size_t i = 0; i < sizeof coarse / sizeof *coarse; i++) {
		assert_false(s.done);
		assert_true(integer_search_next(&s) == coarse[i]);
		integer_search_tell(&s, false);
	}
	assert_true(s.done);
	s = integer_search_start(500, INTEGER_FINE);
	for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
		assert_false(s.done);
		assert_true(integer_search_next(&s) == fine[i]);
		integer_search_tell(&s, false);
	}
	assert_true(s.done);
	s = integer_search_start(500, INTEGER_FINE);
	integer_search_tell(&s, true);
	assert_true(s.done && s.value == 377);
}

enum { MOST = 40 };

/* Conditions on lists; ARG is a salt. */
static uint64_t sum(struct simplify_list l)
{
	uint64_t total = 0;
	for (uint32_t i = 0; i < l.n; i++)
		total += l.values[i];
	return total;
}

static bool has_sum(struct simplify_list l, uint64_t salt)
{
	return sum(l) >= salt % 1000;
}

static bool has_many(struct simplify_list l, uint64_t salt)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < l.n; i++)
		n += l.values[i] >= salt % 50;
	return n >= salt / 50 % 8;
}

static bool has_descent(struct simplify_list l, uint64_t salt)
{
	for (uint32_t i = 1; i < l.n; i++)
		if (l.values[i - 1] > l.values[i] + salt % 100)
			return true;
	return false;
}

static bool is_noise(struct simplify_list l, uint64_t salt)
{
	return hash_bytes(l.values, l.n * sizeof *l.values, salt).hi % 8 == 0;
}

static bool (*const conditions[])(struct simplify_list, uint64_t) = { has_sum, has_many,
	                                                              has_descent, is_noise };

/* Asks the simplifier to its end; checks what holds for every list asked. */
static struct simplify *simplify_run(struct simplify *s,
                                     bool (*holds)(struct simplify_list, uint64_t), uint64_t salt,
                                     bool values_only)
{
	struct simplify_list asked, best;
	uint64_t *keys = NULL;
	uint32_t n = 0, cap = 0;
	while (simplify_next(s, &asked)) {
		best = simplify_best(s);
		assert_true(asked.n < best.n || asked.n == best.n);
		assert_true(!values_only || asked.n == best.n);
		assert_true(asked.n < best.n ||
		            memcmp(asked.values, best.values, best.n * sizeof *best.values));
		for (uint32_t i = 0; i < asked.n && asked.n == best.n; i++)
			assert_true(asked.values[i] <= best.values[i]);
		MEM_GROW(keys, n, cap);
		keys[n] = hash_bytes(asked.values, asked.n * sizeof *asked.values, asked.n).lo;
		for (uint32_t i = 0; i < n; i++)
			assert_true(keys[i] != keys[n]);
		n++;
		simplify_tell(s, holds(asked, salt));
	}
	free(keys);
	return s;
}

static void check_local_minimum(struct simplify_list l,
                                bool (*holds)(struct simplify_list, uint64_t), uint64_t salt,
                                bool values_only)
{
	uint64_t other[MOST];
	assert_true(holds(l, salt));
	for (uint32_t i = 0; i < l.n; i++) {
		memcpy(other, l.values, l.n * sizeof *other);
		other[i]--;
		assert_false(l.values[i] && holds((struct simplify_list){ l.n, other }, salt));
		other[i] = 0;
		assert_false(l.values[i] && holds((struct simplify_list){ l.n, other }, salt));
		memcpy(other + i, l.values + i + 1, (l.n - i - 1) * sizeof *other);
		memcpy(other, l.values, i * sizeof *other);
		assert_false(!values_only && holds((struct simplify_list){ l.n - 1, other }, salt));
	}
}

static struct simplify_list random_list(struct rng *rng, uint64_t *values)
{
	uint32_t n = (uint32_t)rng_below(rng, MOST + 1);
	for (uint32_t i = 0; i < n; i++)
		values[i] = random_width(rng);
	return (struct simplify_list){ n, values };
}

static void test_lists_end_at_a_local_minimum(void **state)
{
	(void)state;
	struct rng rng = { 2 };
	uint64_t values[MOST];
	for (int round = 0; round < 1200; round++) {
		bool values_only = rng_below(&rng, 2);
		bool (*holds)(struct simplify_list, uint64_t) = conditions[rng_below(&rng, 4)];
		uint64_t salt = rng_below(&rng, 10000);
		struct simplify_list start = random_list(&rng, values);
		if (!holds(start, salt))
			continue;
		struct simplify *s = simplify_new(values, start.n, values_only);
		simplify_run(s, holds, salt, values_only);
		check_local_minimum(simplify_best(s), holds, salt, values_only);
		simplify_free(s);
	}
}

static void test_clones_of_lists_go_the_same_way(void **state)
{
	(void)state;
	struct rng rng = { 3 };
	uint64_t values[MOST];
	for (int round = 0; round < 400; round++) {
		uint64_t salt = rng_next(&rng);
		struct simplify_list start = random_list(&rng, values), a, b;
		struct simplify *s = simplify_new(values, start.n, false), *copy = NULL;
		uint64_t when = rng_below(&rng, 30);
		for (uint64_t i = 0; simplify_next(s, &a); i++) {
			if (i == when)
				copy = simplify_clone(s);
			if (copy) {
				assert_true(simplify_next(copy, &b) && a.n == b.n);
				assert_memory_equal(a.values, b.values, a.n * sizeof *a.values);
				simplify_tell(copy, is_noise(b, salt));
			}
			simplify_tell(s, is_noise(a, salt));
		}
		assert_false(copy && simplify_next(copy, &b));
		simplify_free(s);
		simplify_free(copy);
	}
}

/* Each "THRESHOLDS" in turn bounds a number of the text from below. */
static bool above_thresholds(const struct testcase *tc, const void *arg)
{
	const uint64_t *least = arg;
	const char *at = strchr((const char *)tc->bytes, '{');
	for (size_t i = 0; least[i] != UINT64_MAX; i++) {
		at = strpbrk(at, "0123456789");
		if (!at || strtoull(at, NULL, 10) < least[i])
			return false;
		at += strspn(at, "0123456789");
	}
	return true;
}

static void test_numbers_of_a_file(void **state)
{
	(void)state;
	static const uint64_t least[] = { 0, 17, 5000000000, 3, 3, UINT64_MAX };
	const struct predicate p = { above_thresholds, least };
	struct view *view =
		support_view("c", "int a1[] = { 99, 100, 18446744073709551615, 42, 42 };\n"
	                          "x = 007 + 0x1F + 1.5 + 12UL + 18446744073709551616 + 0;\n");
	struct rng rng = { 4 };
	struct trace plain = support_run(simplify_search_new(view), view->tc, &p);
	assert_string_equal((char *)plain.result->bytes,
	                    "int a1[] = { 0, 17, 5000000000, 3, 3 };\n"
	                    "x = 007 + 0x1F + 1.5 + 12UL + 18446744073709551616 + 0;\n");
	assert_true(plain.questions < 150);
	for (uint32_t k = 1; k < 20; k++) {
		struct trace other = support_run_scrambled(simplify_search_new(view), view->tc, &p,
		                                           k, k % 2, &rng);
		assert_true(trace_equal(&plain, &other));
		trace_release(&other);
	}
	trace_release(&plain);
	view_unref(view);
}

static bool never(const struct testcase *tc, const void *arg)
{
	(void)tc, (void)arg;
	return false;
}

static void test_numbers_where_there_are_none(void **state)
{
	(void)state;
	const struct predicate p = { never, NULL };
	static const char *const texts[] = {
		"int main(void) { return f(); }\n",
		"x = 0x10 + 1.5 + 007;\n",
		"\n",
		"f(0, 0);\n",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct view *view = support_view("c", texts[i]);
		struct search *s = simplify_search_new(view);
		assert_true(s->done);
		struct trace t = support_run(s, view->tc, &p);
		assert_int_equal(t.n_accepted, 0);
		trace_release(&t);
		view_unref(view);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integer_to_a_threshold),
		cmocka_unit_test(test_integer_parts),
		cmocka_unit_test(test_lists_end_at_a_local_minimum),
		cmocka_unit_test(test_clones_of_lists_go_the_same_way),
		cmocka_unit_test(test_numbers_of_a_file),
		cmocka_unit_test(test_numbers_where_there_are_none),
	};
	return cmocka_run_group_tests_name("search/numbers", tests, NULL, NULL);
}
