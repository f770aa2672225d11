/* Chains: which of the formats that fit a region is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "binary/chains.h"

/* One record that fills all: a length is a length of all or of what follows, not of all but some
 * bytes. */
static void one_record(void **state)
{
	(void)state;
	uint8_t bytes[4000];
	struct rng rng = { 11 };
	for (uint32_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)rng_below(&rng, 256);
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t value = (uint32_t)sizeof bytes - (k ? 8 : 28), at = k ? 4 : 20;
		struct chain_budget budget = { .hops = 1 << 22 };
		for (uint32_t i = 0; i < 4; i++)
			bytes[at + i] = (uint8_t)(value >> (24 - 8 * i));
		struct chain c = chain_find(bytes, 0, sizeof bytes, CHAIN_HEAD, &budget);
		assert_int_equal(c.bits > 0, k);
	}
}

/* A record: TAG, length of two bytes, N bytes, their sum. */
static uint32_t add_summed(uint8_t *to, const char *tag, uint32_t n, struct rng *rng)
{
	uint8_t sum = 0;
	memcpy(to, tag, 2);
	to[2] = (uint8_t)(n >> 8);
	to[3] = (uint8_t)n;
	for (uint32_t i = 0; i < n; i++)
		sum = (uint8_t)(sum + (to[4 + i] = (uint8_t)(1 + rng_below(rng, 126))));
	to[4 + n] = sum;
	return n + 5;
}

/* The first record is longer than the others: with lengths of one byte all but that fit, with what
 * leads to the second from somewhere in the first. */
static void first_is_long(void **state)
{
	(void)state;
	uint8_t bytes[4096] = "PIC1";
	struct rng rng = { 3 };
	uint32_t at = 4 + add_summed(bytes + 4, "TX", 300, &rng), second = at;
	for (uint32_t i = 0; i < 40; i++)
		at += add_summed(bytes + at, i % 7 == 3 ? "TX" : "RW", 40 + (i == 29) * 7, &rng);
	bytes[57] = (uint8_t)(second - 54 - 5); /* from 0 to 54 and from there on */
	bytes[63] = (uint8_t)(second - 60 - 5);
	struct chain_budget budget = { .hops = 1 << 26 };
	struct chain c = chain_find(bytes, 0, at, CHAIN_HEAD, &budget);
	assert_int_equal(c.begin, 4);
	assert_int_equal(c.format.width, 2);
	assert_int_equal(c.n, 41);
}

static uint32_t below(struct rng *rng, uint32_t n)
{
	return (uint32_t)rng_below(rng, n);
}

/* Records in the midst of noise, from *BEGIN to *END: a tag, one of four, bytes that are another
 * each time, and a length of WIDTH bytes that counts what follows, all, or itself and what follows.
 */
static void scatter(uint8_t *bytes, uint32_t *begin, uint32_t *end, struct rng *rng)
{
	uint32_t width = below(rng, 2) ? 4 : 2, tag = 2 + below(rng, 3), big = below(rng, 2),
		 odd = below(rng, 3), kind = below(rng, 3), n = 6 + below(rng, 10);
	uint32_t at = *begin = 200 + below(rng, 300), head = tag + odd;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t body = 5 + below(rng, 90), size = head + width + body;
		uint32_t value = kind == 0   ? body
		                 : kind == 1 ? size
		                             : size - head,
			 t = below(rng, 4);
		for (uint32_t k = 0; k < tag; k++)
			bytes[at + k] = (uint8_t)("TXAB"[t] + (int)k);
		for (uint32_t k = 0; k < width; k++)
			bytes[at + head + k] = (uint8_t)(value >> 8 * (big ? width - 1 - k : k));
		at += size;
	}
	*end = at;
}

/* Chains that fill nothing are found where they are, and none in noise. */
static void in_the_midst(void **state)
{
	(void)state;
	uint8_t bytes[4000];
	struct rng rng = { 5 };
	struct chain list[4];
	uint32_t found = 0;
	for (uint32_t round = 0; round < 60; round++) {
		uint32_t begin, end;
		for (uint32_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)rng_below(&rng, 256);
		assert_int_equal(chain_find_loose(bytes, sizeof bytes, list, 4), 0);
		scatter(bytes, &begin, &end, &rng);
		uint32_t n = chain_find_loose(bytes, sizeof bytes, list, 4);
		found += n == 1 && list[0].begin == begin && list[0].end == end;
	}
	print_message("%u of 60 chains\n", found);
	assert_true(found >= 45); /* little speaks for a few short headers */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_record),
		cmocka_unit_test(first_is_long),
		cmocka_unit_test(in_the_midst),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
