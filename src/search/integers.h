/* Lowering one integer (seed 001, shrink_integer): probes 0, 1, 3, 7, ... upwards, then bisects. As
 * a machine: while not done, judge integer_search_next() and tell. Plain data, copied by
 * assignment.
 *
 * The seed starts anew after each success. This continues between the largest value known to fail
 * and the smallest known to hold, which takes about 2 log2(value) calls instead of their square. */
#ifndef WHITTLE_SEARCH_INTEGERS_H
#define WHITTLE_SEARCH_INTEGERS_H

#include <stdbool.h>
#include <stdint.h>

enum integer_part {
	INTEGER_WHOLE, /* to a value that holds while it minus one does not; no bisection where that
	                  is at once so */
	INTEGER_COARSE, /* 0, 1, 3, 7, ... up to the first success */
	INTEGER_FINE,   /* what is between the last of those and the value, bisecting upwards to
	                   the first success */
};

struct integer_search {
	enum integer_part part;
	bool bisecting;
	bool done;
	uint64_t low;   /* fails; while not bisecting: the probe before */
	uint64_t value; /* holds */
	uint64_t probe;
};

/* VALUE is known to hold. */
struct integer_search integer_search_start(uint64_t value, enum integer_part part);

/* The value to judge, below the smallest that holds. Not when done. */
static inline uint64_t integer_search_next(const struct integer_search *s)
{
	return s->probe;
}

void integer_search_tell(struct integer_search *s, bool holds);

#endif
