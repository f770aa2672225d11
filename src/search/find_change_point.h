/* find_change_point (seed 002, adaptive delta debugging): the largest k in [0, hi] such that f(0)
 * ... f(k) hold, for a monotone f with f(0) known to hold; for others some k with f(k) true and f(k
 * + 1) false. A linear probe of the small sizes, an exponential probe, then binary search.
 *
 * As a machine: while not done, evaluate f(find_change_point_next()) and tell it. Plain data,
 * copied by assignment.
 */
#ifndef WHITTLE_SEARCH_FIND_CHANGE_POINT_H
#define WHITTLE_SEARCH_FIND_CHANGE_POINT_H

#include <stdbool.h>
#include <stdint.h>

struct find_change_point {
	uint32_t good; /* f(good) holds */
	uint32_t bad;  /* f(bad) does not hold; hi + 1 while none is known */
	uint32_t probe;
	bool bounded; /* a failing value is known: binary search */
	bool done;    /* good is the answer */
};

struct find_change_point find_change_point_start(uint32_t hi);

/* The value to evaluate f at. Not when done. */
static inline uint32_t find_change_point_next(const struct find_change_point *s)
{
	return s->probe;
}

void find_change_point_tell(struct find_change_point *s, bool holds);

#endif
