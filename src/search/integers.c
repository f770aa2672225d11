#include "search/integers.h"

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
	s->done = s->low == s->value - 1;
	s->probe = s->value - 1;
	s->bisecting = true;
}

struct integer_search integer_search_start(uint64_t value)
{
	return (struct integer_search){ .value = value, .done = !value };
}

void integer_search_tell(struct integer_search *s, bool holds)
{
	if (holds) {
		s->value = s->probe;
		if (!s->value)
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
