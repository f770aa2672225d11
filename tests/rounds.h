/* How many of its rounds a test makes: all, or a few with WHITTLE_TEST_BRIEFLY in the environment,
 * as `make check` has it and `make check-all` has not. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline bool rounds_are_few(void)
{
	const char *briefly = getenv("WHITTLE_TEST_BRIEFLY");
	return briefly && *briefly;
}

/* A quarter of N when they are few. */
static inline uint32_t rounds(uint32_t n)
{
	return rounds_are_few() ? (n + 3) / 4 : n;
}
