/* The chooser: every step exactly once, in the order promised; find_change_point: the change point
 * of any function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/mem.h"
#include "search/chooser.h"
#include "search/integers.h"

/* A tree of choices drawn from a salt: the way decides how many values a choice has, and which of
 * them are allowed. */
struct way {
	uint64_t salt;
	uint32_t depth, value[CHOOSER_DEPTH];
};

static uint64_t draw(const struct way *w, uint64_t what)
{
	return hash_bytes(w->value, w->depth * sizeof *w->value, w->salt * 8 + what).lo;
}

static uint32_t values_here(const struct way *w)
{
	return (uint32_t)(draw(w, 1) % 6);
}

static bool ends_here(const struct way *w)
{
	return w->depth && (w->depth == CHOOSER_DEPTH || draw(w, 2) % 3 == 0);
}

static bool allowed(uint32_t value, void *arg)
{
	const struct way *w = arg;
	return (draw(w, 3) >> value & 3) != 0;
}

/* Ways as numbers: one digit (value + 1) in base 8 for each choice. */
static uint32_t way_code(const struct way *w)
{
	uint32_t code = 0;
	for (uint32_t d = 0; d < CHOOSER_DEPTH; d++)
		code = code * 8 + (d < w->depth ? w->value[d] + 1 : 0);
	return code;
}

enum { CODES = 8 * 8 * 8 * 8 };

/* Counts in EXPECTED the steps that lead to an end. */
static void enumerate(struct way *w, uint8_t *expected)
{
	if (ends_here(w)) {
		expected[way_code(w)] = 1;
		return;
	}
	for (uint32_t v = 0, n = values_here(w); v < n; v++)
		if (allowed(v, w)) {
			w->value[w->depth++] = v;
			enumerate(w, expected);
			w->depth--;
		}
}

/* One step; its code, 0 when it led to a dead branch. */
static uint32_t step(struct chooser *c, uint64_t salt)
{
	struct way w = { .salt = salt };
	chooser_begin(c);
	while (!ends_here(&w)) {
		uint32_t v = chooser_choose(c, values_here(&w), allowed, &w);
		if (v == CHOOSER_DEAD)
			break;
		assert_true(v < values_here(&w) && allowed(v, &w));
		w.value[w.depth++] = v;
	}
	bool ended = ends_here(&w);
	chooser_end(c);
	return ended ? way_code(&w) : 0;
}

static void test_every_step_once(void **state)
{
	(void)state;
	uint32_t ways = 0;
	for (uint64_t salt = 0; salt < 400; salt++)
		for (int order = CHOOSER_RANDOM; order <= CHOOSER_REVERSE; order++) {
			uint8_t expected[CODES] = { 0 }, seen[CODES] = { 0 };
			struct way root = { .salt = salt };
			struct chooser c;
			uint32_t last = CODES;
			enumerate(&root, expected);
			chooser_init(&c, (enum chooser_order)order, salt);
			while (!chooser_exhausted(&c)) {
				uint32_t code = step(&c, salt);
				if (!code)
					continue;
				assert_false(seen[code]);
				seen[code] = 1;
				if (order == CHOOSER_REVERSE)
					assert_true(code < last);
				last = code;
				ways++;
			}
			assert_memory_equal(seen, expected, CODES);
			chooser_release(&c);
		}
	assert_true(ways > 1000);
}

static void test_random_order_depends_on_the_seed(void **state)
{
	(void)state;
	uint32_t first[2][50];
	for (int k = 0; k < 2; k++) {
		struct chooser c;
		chooser_init(&c, CHOOSER_RANDOM, 7 + (uint64_t)k);
		for (int i = 0; i < 50; i++) {
			chooser_begin(&c);
			first[k][i] = chooser_choose(&c, 1000, NULL, NULL);
			chooser_end(&c);
		}
		chooser_release(&c);
	}
	assert_true(memcmp(first[0], first[1], sizeof first[0]) != 0);
}

/* A step of one choice among N. */
static uint32_t choose_one(struct chooser *c, uint32_t n)
{
	chooser_begin(c);
	uint32_t v = chooser_choose(c, n, NULL, NULL);
	chooser_end(c);
	return v;
}

static void test_restart_from_the_same_place(void **state)
{
	(void)state;
	struct chooser c;
	chooser_init(&c, CHOOSER_REVERSE, 0);
	for (uint32_t v = 9; v >= 6; v--)
		assert_int_equal(choose_one(&c, 10), v);
	chooser_restart(&c); /* 6 was a success: one element less */
	for (uint32_t v = 7; v-- > 0;)
		assert_int_equal(choose_one(&c, 9), v);
	assert_false(chooser_exhausted(&c));
	assert_int_equal(choose_one(&c, 9), 8);
	assert_int_equal(choose_one(&c, 9), 7);
	assert_true(chooser_exhausted(&c));
	chooser_restart(&c); /* a success on the last step: now far fewer */
	for (uint32_t v = 4; v-- > 0;)
		assert_int_equal(choose_one(&c, 4), v);
	assert_true(chooser_exhausted(&c));
	chooser_release(&c);
}

static void test_restart_within_a_second_choice(void **state)
{
	(void)state;
	struct chooser c;
	chooser_init(&c, CHOOSER_REVERSE, 0);
	uint32_t seen[3][3] = { 0 };
	for (int steps = 0; steps < 5 + 9; steps++) {
		if (steps == 5)
			chooser_restart(&c);
		chooser_begin(&c);
		uint32_t i = chooser_choose(&c, 3, NULL, NULL),
			 j = chooser_choose(&c, 3, NULL, NULL);
		chooser_end(&c);
		if (steps == 4 || steps == 5)
			assert_true(i == 1 &&
			            j == 1); /* the step that succeeded is where it goes on */
		seen[i][j] += steps >= 5;
	}
	assert_true(chooser_exhausted(&c));
	for (int i = 0; i < 9; i++)
		assert_int_equal(seen[i / 3][i % 3], 1);
	chooser_release(&c);
}

static void test_copies_are_independent(void **state)
{
	(void)state;
	for (uint64_t salt = 0; salt < 100; salt++)
		for (int order = CHOOSER_RANDOM; order <= CHOOSER_REVERSE; order++) {
			struct chooser a, b;
			uint32_t codes[CODES + 64], n = 0, m = 0;
			chooser_init(&a, (enum chooser_order)order, salt);
			for (int i = 0; i < 5 && !chooser_exhausted(&a); i++)
				step(&a, salt);
			chooser_copy(&b, &a);
			while (!chooser_exhausted(&a)) {
				assert_in_range(n, 0, CODES + 63);
				codes[n++] = step(&a, salt);
			}
			chooser_release(&a);
			for (; !chooser_exhausted(&b); m++)
				assert_true(m < n && step(&b, salt) == codes[m]);
			assert_int_equal(m, n);
			chooser_release(&b);
		}
}

static uint32_t find(uint32_t hi, const uint8_t *f, uint32_t *calls)
{
	struct find_change_point s = find_change_point_start(hi);
	for (*calls = 0; !s.done; ++*calls) {
		uint32_t k = find_change_point_next(&s);
		assert_true(k > 0 && k <= hi);
		find_change_point_tell(&s, f[k]);
	}
	return s.good;
}

static void test_change_point_of_monotone_functions(void **state)
{
	(void)state;
	enum { MOST = 300 };
	uint8_t f[MOST + 2];
	for (uint32_t hi = 0; hi <= MOST; hi++)
		for (uint32_t change = 0; change <= hi; change++) {
			uint32_t calls, bits = 0;
			for (uint32_t k = 0; k <= hi; k++)
				f[k] = k <= change;
			assert_int_equal(find(hi, f, &calls), change);
			while (change >> bits)
				bits++;
			assert_true(calls <= (change < 5 ? change + 1 : 5 + 2 * bits));
		}
}

static void test_change_point_of_any_function(void **state)
{
	(void)state;
	enum { MOST = 100 };
	uint8_t f[MOST + 1];
	struct rng rng = { 5 };
	for (int round = 0; round < 20000; round++) {
		uint32_t hi = (uint32_t)rng_below(&rng, MOST + 1), calls;
		uint64_t density = 1 + rng_below(&rng, 20);
		f[0] = 1;
		for (uint32_t k = 1; k <= hi; k++)
			f[k] = rng_below(&rng, density) != 0;
		uint32_t k = find(hi, f, &calls);
		assert_true(k <= hi && f[k] && (k == hi || !f[k + 1]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_step_once),
		cmocka_unit_test(test_random_order_depends_on_the_seed),
		cmocka_unit_test(test_restart_from_the_same_place),
		cmocka_unit_test(test_restart_within_a_second_choice),
		cmocka_unit_test(test_copies_are_independent),
		cmocka_unit_test(test_change_point_of_monotone_functions),
		cmocka_unit_test(test_change_point_of_any_function),
	};
	return cmocka_run_group_tests_name("search/chooser", tests, NULL, NULL);
}
