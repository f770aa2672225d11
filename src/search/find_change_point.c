#include "search/find_change_point.h"

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
