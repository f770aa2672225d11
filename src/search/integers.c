#include "search/integers.h"

#include "base/mem.h"

static void bisect(struct integer_search *s)
{
	s->bisecting = true;
	s->done = s->value - s->low <= 1;
	s->probe = s->low + (s->value - s->low) / 2;
}

/* The next of 0, 1, 3, 7, ...; past the value, what follows them. */
static void next_coarse(struct integer_search *s)
{
	s->low = s->probe;
	if (s->low <= (UINT64_MAX - 1) / 2 && 2 * s->low + 1 < s->value) {
		s->probe = 2 * s->low + 1;
		return;
	}
	/* One less decides whether bisection can find anything: for most values it does not. */
	s->done = s->part == INTEGER_COARSE || s->low == s->value - 1;
	s->probe = s->value - 1;
	s->bisecting = true;
}

struct integer_search integer_search_start(uint64_t value, enum integer_part part)
{
	struct integer_search s = { .part = part, .value = value, .done = !value };
	if (!value || part != INTEGER_FINE)
		return s;
	while (s.low <= (UINT64_MAX - 1) / 2 && 2 * s.low + 1 < value)
		s.low = 2 * s.low + 1;
	bisect(&s);
	return s;
}

void integer_search_tell(struct integer_search *s, bool holds)
{
	if (holds) {
		s->value = s->probe;
		if (s->part != INTEGER_WHOLE || !s->value)
			s->done = true;
		else
			bisect(s);
	} else if (!s->bisecting)
		next_coarse(s);
	else if (s->probe + 1 == s->value)
		s->done = true;
	else {
		s->low = s->probe;
		bisect(s);
	}
}

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

enum { LINEAR_CAP = 5 }; /* sizes 1 to 5 are probed one after another */

static void choose_probe(struct find_change_point *s)
{
	s->done = s->good + 1 >= s->bad;
	if (s->done)
		return;
	if (s->bounded)
		s->probe = s->good + (s->bad - s->good) / 2;
	else if (s->good < LINEAR_CAP)
		s->probe = s->good + 1;
	else
		s->probe = s->good >= s->bad / 2
		                   ? s->bad - 1
		                   : 2 * s->good + 1 - LINEAR_CAP; /* 6, 8, 12, 20, ... */
}

struct find_change_point find_change_point_start(uint32_t hi)
{
	struct find_change_point s = { .good = 0, .bad = hi + 1 };
	choose_probe(&s);
	return s;
}

void find_change_point_tell(struct find_change_point *s, bool holds)
{
	if (holds)
		s->good = s->probe;
	else {
		s->bad = s->probe;
		s->bounded = true;
	}
	choose_probe(s);
}
