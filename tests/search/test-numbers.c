/* Lowering integers, lists of them, and the numbers of a file. */
#include <setjmp.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
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
	struct integer_search s = integer_search_start(value);
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

enum { MOST = 40, TEXT = 1024 };

/* A list of numbers, and what must hold of it; ARG is a salt. */
struct list {
	uint32_t n;
	uint64_t values[MOST];
};

static bool has_sum(const struct list *l, uint64_t salt)
{
	uint64_t total = 0;
	for (uint32_t i = 0; i < l->n; i++)
		total += l->values[i];
	return total >= salt % 1000;
}

static bool has_many(const struct list *l, uint64_t salt)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < l->n; i++)
		n += l->values[i] >= salt % 50;
	return n >= salt / 50 % 8;
}

static bool has_descent(const struct list *l, uint64_t salt)
{
	for (uint32_t i = 1; i < l->n; i++)
		if (l->values[i - 1] > l->values[i] + salt % 100)
			return true;
	return false;
}

static bool is_noise(const struct list *l, uint64_t salt)
{
	return hash_bytes(l->values, l->n * sizeof *l->values, salt).hi % 8 == 0;
}

struct condition {
	bool (*holds)(const struct list *, uint64_t);
	uint64_t salt;
};

static struct list read_list(const struct testcase *tc)
{
	struct list l = { 0 };
	for (const char *at = (const char *)tc->bytes; (at = strpbrk(at, "0123456789"));)
		l.values[l.n++] = strtoull(at, (char **)&at, 10);
	return l;
}

static bool holds(const struct testcase *tc, const void *arg)
{
	const struct condition *c = arg;
	struct list l = read_list(tc);
	return c->holds(&l, c->salt);
}

static struct list random_list(struct rng *rng)
{
	struct list l = { .n = (uint32_t)rng_below(rng, MOST + 1) };
	for (uint32_t i = 0; i < l.n; i++)
		l.values[i] = random_width(rng);
	return l;
}

static void assert_local_minimum(struct list l, const struct condition *c)
{
	assert_true(c->holds(&l, c->salt));
	for (uint32_t i = 0; i < l.n; i++) {
		struct list less = l, zero = l;
		less.values[i]--;
		zero.values[i] = 0;
		assert_false(l.values[i] && c->holds(&less, c->salt));
		assert_false(l.values[i] && c->holds(&zero, c->salt));
	}
}

static void test_lists_end_at_a_local_minimum(void **state)
{
	(void)state;
	static bool (*const conditions[])(const struct list *,
	                                  uint64_t) = { has_sum, has_many, has_descent, is_noise };
	struct rng rng = { 2 };
	for (int round = 0; round < 600; round++) {
		struct condition c = { conditions[rng_below(&rng, 4)], rng_below(&rng, 10000) };
		const struct predicate p = { holds, &c };
		struct list start = random_list(&rng);
		char text[TEXT] = "{";
		if (!c.holds(&start, c.salt))
			continue;
		for (uint32_t i = 0, at = 1; i < start.n; i++)
			at += (uint32_t)sprintf(text + at, " %" PRIu64 ",", start.values[i]);
		struct view *view = support_view("c", text);
		struct trace t = support_run(simplify_search_new(view), view->tc, &p);
		assert_int_equal(read_list(t.result).n, start.n);
		assert_local_minimum(read_list(t.result), &c);
		trace_release(&t);
		view_unref(view);
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
		cmocka_unit_test(test_lists_end_at_a_local_minimum),
		cmocka_unit_test(test_numbers_of_a_file),
		cmocka_unit_test(test_numbers_where_there_are_none),
	};
	return cmocka_run_group_tests_name("search/numbers", tests, NULL, NULL);
}
