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
