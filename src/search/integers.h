/* Lowering one integer (seed 001, shrink_integer): probes 0, 1, 3, 7, ... upwards, then bisects. As
 * a machine: while not done, judge integer_search_next() and tell. Plain data, copied by
 * assignment.
 *
 * The seed starts anew after each success. This continues between the largest value known to fail
 * and the smallest known to hold, which takes about 2 log2(value) calls instead of their square. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct integer_search {
	bool bisecting;
	bool done;
	uint64_t low;   /* fails; while not bisecting: the probe before */
	uint64_t value; /* holds */
	uint64_t probe;
};

/* VALUE is known to hold; to one that holds while it minus one does not. No bisection where that is
 * at once so. */
struct integer_search integer_search_start(uint64_t value);

/* The value to judge, below the smallest that holds. Not when done. */
static inline uint64_t integer_search_next(const struct integer_search *s)
{
	return s->probe;
}

void integer_search_tell(struct integer_search *s, bool holds);

/* find_change_point (seed 002, adaptive delta debugging): the largest k in [0, hi] such that f(0)
 * ... f(k) hold, for a monotone f with f(0) known to hold; for others some k with f(k) true and f(k
 * + 1) false. A linear probe of the small sizes, an exponential probe, then binary search.
 *
 * As a machine: while not done, evaluate f(find_change_point_next()) and tell it. Plain data,
 * copied by assignment.
 */
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
