#include "search/integer_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct integer_list integer_list_new(const uint64_t *values, uint32_t n)
{
	return (struct integer_list){ .room = n,
		                      .n = n,
		                      .values = mem_dup(values, n * sizeof *values),
		                      .candidate = mem_zero(n, sizeof *values),
		                      .ranks = mem_zero(n, sizeof *values),
		                      .order = mem_zero(n, sizeof(uint32_t)) };
}

struct integer_list integer_list_copy(const struct integer_list *from)
{
	struct integer_list l = *from;
	l.values = mem_dup(from->values, l.room * sizeof *l.values);
	l.candidate = mem_dup(from->candidate, l.room * sizeof *l.candidate);
	l.ranks = mem_dup(from->ranks, l.room * sizeof *l.ranks);
	l.order = mem_dup(from->order, l.room * sizeof *l.order);
	return l;
}

void integer_list_release(struct integer_list *l)
{
	free(l->values);
	free(l->candidate);
	free(l->ranks);
	free(l->order);
}

void integer_list_cut(struct integer_list *l, uint32_t lo, uint32_t hi)
{
	memcpy(l->candidate, l->values, lo * sizeof *l->values);
	memcpy(l->candidate + lo, l->values + hi, (l->n - hi) * sizeof *l->values);
	l->n_candidate = l->n - (hi - lo);
}

void integer_list_keep(struct integer_list *l)
{
	memcpy(l->candidate, l->values, l->n * sizeof *l->values);
	l->n_candidate = l->n;
}

void integer_list_cap(struct integer_list *l, uint64_t cap)
{
	integer_list_keep(l);
	for (uint32_t i = 0; i < l->n; i++)
		if (l->candidate[i] > cap)
			l->candidate[i] = cap;
}

static int by_value(const void *a, const void *b, void *arg)
{
	const uint64_t *list = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	if (list[i] != list[j])
		return list[i] < list[j] ? -1 : 1;
	return i < j ? -1 : i > j;
}

void integer_list_sort(struct integer_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->order[i] = i;
	qsort_r(l->order, l->n, sizeof *l->order, by_value, l->values);
	l->n_ranks = 0;
	for (uint32_t i = 0; i < l->n; i++)
		if (!i || l->values[l->order[i]] != l->ranks[l->n_ranks - 1])
			l->ranks[l->n_ranks++] = l->values[l->order[i]];
}

void integer_list_accept(struct integer_list *l)
{
	uint64_t *old = l->values;
	l->values = l->candidate;
	l->candidate = old;
	l->n = l->n_candidate;
}
