/* How many of its rounds a test makes: all, or one of so many as WHITTLE_TEST_BRIEFLY in the
 * environment says: 4 for `make check`, 16 under valgrind, nothing for `make check-all`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { ROUNDS_BRIEFLY = 4 };

static inline uint32_t rounds_divisor(void)
{
	const char *briefly = getenv("WHITTLE_TEST_BRIEFLY");
	unsigned long of = briefly && *briefly ? strtoul(briefly, NULL, 10) : 1;
	return of > 0 && of < 100 ? (uint32_t)of : ROUNDS_BRIEFLY;
}

static inline bool rounds_are_few(void)
{
	return rounds_divisor() > 1;
}

static inline uint32_t rounds(uint32_t n)
{
	uint32_t of = rounds_divisor();
	return (n + of - 1) / of;
}

/* Of what is quick without valgrind: each one in `make check`, too, with valgrind one in so many.
 */
static inline uint32_t rounds_stride(void)
{
	uint32_t of = rounds_divisor();
	return of > ROUNDS_BRIEFLY ? of / ROUNDS_BRIEFLY : 1;
}
