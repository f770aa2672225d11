#include "run/rate.h"

/* A candidate that is no worse than the input is seldom refused, for another one comes; one that is
 * worse is accepted more seldom still, for what is accepted stays. With these, for rates of the
 * input from 0.2 to 0.97: of candidates with its rate at least 90 of 100 are accepted, with 0.6 of
 * it at most 7, with 0.4 of it none (tests/run/rate.c). Fewer runs at most, or a smaller distance,
 * accept more of the worse ones: 100 runs and 1.96 for both, 22 of 100 with 0.6 of a rate of 0.2.
 */
static const double LIKE = 0.8, ACCEPT_Z = 2.58, REFUSE_Z = 1.96;
enum { MOST_RUNS = 200, LEAST_RUNS = 10 };

/* On which side of RATE the true rate lies, as far as one can tell: -1 below, 1 above, Z standard
 * deviations from what was seen; 0: nobody can tell. The same as asking on which side of RATE
 * Wilson's interval lies, whose bounds are where this is an equation. */
static int side(struct rate seen, double rate, double z)
{
	double n = seen.runs, off = seen.yes / n - rate;
	if (off * off * n < z * z * rate * (1 - rate))
		return 0;
	return off < 0 ? -1 : 1;
}

struct rate_rule rate_rule_count(unsigned runs, unsigned needed)
{
	return (struct rate_rule){ .most = runs, .needed = needed };
}

struct rate_rule rate_rule_like(struct rate seen)
{
	return (struct rate_rule){ .most = MOST_RUNS, .least = LIKE * seen.yes / seen.runs };
}

struct rate_rule rate_rule_no_less(struct rate seen)
{
	double low = 0, high = (double)seen.yes / seen.runs;
	for (int i = 0; i < 40; i++) { /* halves the distance to the bound */
		double middle = (low + high) / 2;
		if (side(seen, middle, REFUSE_Z) > 0)
			low = middle;
		else
			high = middle;
	}
	return (struct rate_rule){ .most = MOST_RUNS, .least = LIKE * low };
}

static enum verdict by_count(const struct rate_rule *rule, struct rate seen)
{
	if (seen.yes >= rule->needed)
		return VERDICT_INTERESTING;
	unsigned left = seen.runs < rule->most ? rule->most - seen.runs : 0;
	return left < rule->needed - seen.yes ? VERDICT_BORING : VERDICT_UNKNOWN;
}

enum verdict rate_decide(const struct rate_rule *rule, struct rate seen)
{
	if (rule->needed)
		return by_count(rule, seen);
	if (!seen.runs)
		return VERDICT_UNKNOWN;
	if (side(seen, rule->least, REFUSE_Z) < 0)
		return VERDICT_BORING;
	if (seen.runs >= LEAST_RUNS && side(seen, rule->least, ACCEPT_Z) > 0)
		return VERDICT_INTERESTING;
	if (seen.runs < rule->most)
		return VERDICT_UNKNOWN;
	return seen.yes >= rule->least * seen.runs ? VERDICT_INTERESTING : VERDICT_BORING;
}
