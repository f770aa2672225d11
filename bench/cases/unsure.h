/* A test that is not sure: it wants a needle, and says yes at the rate of the environment's RATE.
 * Each of eight helpers in the file counts: with seven of them it says yes 0.925 times as often,
 * without any 0.4 times, so many that are a little worse lead to one that is much worse. So the
 * true rate of a file follows from what is left in it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static unsigned unsure_count(const char *text, size_t n, const char *word)
{
	size_t size = strlen(word), at = 0;
	unsigned found = 0;
	while (at + size <= n) {
		bool here = !memcmp(text + at, word, size);
		found += here;
		at += here ? size : 1;
	}
	return found;
}

/* RANDOM: any number. */
static bool unsure_says_yes(const char *text, size_t n, unsigned long long random)
{
	enum { HELPERS = 8 };
	unsigned helpers = unsure_count(text, n, "helper");
	if (!unsure_count(text, n, "needle"))
		return false;
	const char *rate = getenv("RATE");
	double share = 0.4 + 0.6 * (helpers < HELPERS ? helpers : HELPERS) / HELPERS;
	double limit = (rate ? atof(rate) : 1) * share;
	return (double)(random % 1000000) < limit * 1e6;
}
