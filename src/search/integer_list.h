/* A list of integers, and a candidate that is simpler: what simplify.h asks about.
 *
 * Life cycle: integer_list_new; one of the functions that make a candidate; integer_list_accept
 * when it was interesting; integer_list_release.
 */
#ifndef WHITTLE_SEARCH_INTEGER_LIST_H
#define WHITTLE_SEARCH_INTEGER_LIST_H

#include <stdint.h>

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

#endif
