/* Size over time and tests: one point for each success of a run. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct curve_point {
	double seconds;
	uint64_t tests, bytes;
};

/* Zero-initialise, add, curve_release. */
struct curve {
	struct curve_point *points;
	size_t n, cap;
};

void curve_add(struct curve *c, struct curve_point point);
void curve_release(struct curve *c);

/* The first point at which at least PERCENT of what was won from ORIGINAL until the last point was
 * won; NULL: nothing was. */
const struct curve_point *curve_won(const struct curve *c, uint64_t original, unsigned percent);
