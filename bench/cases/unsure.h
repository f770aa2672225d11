/* A test that is not sure: it wants a needle, and says yes at the rate of the environment's RATE.
 * Each of four helpers in the file counts: with three of them it says yes 0.85 times as often,
 * without any 0.4 times. So the true rate of a file follows from what is left in it. */
#ifndef WHITTLE_BENCH_UNSURE_H
#define WHITTLE_BENCH_UNSURE_H

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
	static const double share[] = { 0.4, 0.55, 0.7, 0.85, 1 };
	unsigned helpers = unsure_count(text, n, "helper");
	if (!unsure_count(text, n, "needle"))
		return false;
	const char *rate = getenv("RATE");
	double limit = (rate ? atof(rate) : 1) * share[helpers < 4 ? helpers : 4];
	return (double)(random % 1000000) < limit * 1e6;
}

#endif
