/* Simplifying a list of integers (seed 001, designing a better simplifier), with as few questions
 * as can be: the whole of the document, for its figures. The pass "values" (search/simplify.h) has
 * its courses over values; shorter is a file made by other passes.
 *
 * Courses, in this order: a short prefix; large blocks away; single elements away, adaptively (seed
 * 002); all values capped by a smaller one present; equal values lowered together; each value
 * lowered. No list is asked twice.
 *
 * Variable restart: first the bet that courses do not depend on one another, each done once, again
 * in rounds while one succeeds. After the 1st, 2nd, 4th, ... success of a later course the earlier
 * ones are asked again; when that succeeds the bet is lost, and from then on every success starts
 * anew with the first course (greedy), cheap steps before dear ones. The seed counts successes
 * instead, and stops after thirty whether or not something is left.
 *
 * A pure machine: while simplify_next, judge the list and tell.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct simplify;

struct simplify_list {
	uint32_t n;
	const uint64_t *values; /* borrowed; until the next tell */
};

/* VALUES are copied and taken as interesting. */
struct simplify *simplify_new(const uint64_t *values, uint32_t n);
void simplify_free(struct simplify *s);

/* The list to judge, the same until told: shorter, or no value larger and one smaller. False when
 * done. */
bool simplify_next(struct simplify *s, struct simplify_list *out);

void simplify_tell(struct simplify *s, bool interesting);

/* The best list so far. When done: neither one element less, nor one value less by one (and no
 * value of 0, 1, 3, 7, ... in the place of a larger one) is interesting. */
struct simplify_list simplify_best(const struct simplify *s);
