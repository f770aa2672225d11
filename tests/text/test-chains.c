/* Chains: which of the formats that fit a region is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "text/chains.h"

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
		struct chain_budget budget = { 1 << 22 };
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
	struct chain_budget budget = { 1 << 26 };
	struct chain c = chain_find(bytes, 0, at, CHAIN_HEAD, &budget);
	assert_int_equal(c.begin, 4);
	assert_int_equal(c.format.width, 2);
	assert_int_equal(c.n, 41);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_record),
		cmocka_unit_test(first_is_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
