/* Lowering one integer (seed 001, shrink_integer): probes 0, 1, 3, 7, ... upwards, then bisects. As
 * a machine: while not done, judge integer_search_next() and tell. Plain data, copied by
 * assignment.
 *
 * The seed starts anew after each success. This continues between the largest value known to fail
 * and the smallest known to hold, which takes about 2 log2(value) calls instead of their square. */
#pragma once

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

/* A list of integers, and a candidate that is simpler: what simplify.h asks about.
 *
 * Life cycle: integer_list_new; one of the functions that make a candidate; integer_list_accept
 * when it was interesting; integer_list_release.
 */
struct integer_list {
	uint32_t room, n;
	uint64_t *values;
	uint32_t n_candidate;
	uint64_t *candidate;
	uint32_t n_ranks;
	uint64_t *ranks; /* distinct values, from the smallest; since integer_list_sort */
	uint32_t *order; /* elements by value; equal ones by place */
};

/* Copies VALUES. */
struct integer_list integer_list_new(const uint64_t *values, uint32_t n);
struct integer_list integer_list_copy(const struct integer_list *from);
void integer_list_release(struct integer_list *l);

/* The candidate becomes: the list without the elements [LO, HI); as it is; with no value above CAP.
 */
void integer_list_cut(struct integer_list *l, uint32_t lo, uint32_t hi);
void integer_list_keep(struct integer_list *l);
void integer_list_cap(struct integer_list *l, uint64_t cap);

/* Fills in ranks and order. */
void integer_list_sort(struct integer_list *l);

/* The candidate becomes the list. */
void integer_list_accept(struct integer_list *l);

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
