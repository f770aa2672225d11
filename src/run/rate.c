#include "run/rate.h"

#include <stdint.h>

/* A candidate that is no worse than the input is seldom refused, for another one comes; one that is
 * worse is accepted more seldom still, for what is accepted stays, and there are many that are a
 * little worse. With these, for rates of the input from 0.2 to 0.97: of candidates with its rate at
 * least 85 of 100 are accepted, with 0.7 of it at most one, with 0.4 of it none (tests/run/rate.c).
 *
 * What the bound of LIKE has not decided after the last run has to come nearer to the input than
 * the bound: to ENOUGH of its rate. (With LIKE, 200 runs and 2.58 instead, 15 of 100 candidates
 * with 0.7 of a rate of 0.5 were accepted, and 29 with 0.7 of a rate of 0.2.) How many runs that
 * takes depends on the rate: a rare success says little. */
static const double LIKE = 0.8, ENOUGH = 0.9, ACCEPT_Z = 3.3, REFUSE_Z = 1.96;
enum { RUNS_AT_HALF = 200, LEAST_MOST_RUNS = 100, MOST_RUNS = 1000, LEAST_RUNS = 10 };

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

/* AT_HALF for a rate of 0.5, and for others as many as give the same share of the rate as the
 * error.
 */
static unsigned runs_for(struct rate seen, unsigned at_half, unsigned least, unsigned most)
{
	uint64_t runs = seen.yes ? (uint64_t)at_half * (seen.runs - seen.yes) / seen.yes : most;
	return runs < least ? least : runs > most ? most : (unsigned)runs;
}

unsigned rate_runs_to_measure(struct rate seen, unsigned least, unsigned most)
{
	return runs_for(seen, most, least, most);
}

struct rate_rule rate_rule_like(struct rate seen)
{
	double rate = (double)seen.yes / seen.runs;
	return (struct rate_rule){ .most = runs_for(seen, RUNS_AT_HALF, LEAST_MOST_RUNS, MOST_RUNS),
		                   .least = LIKE * rate,
		                   .enough = ENOUGH * rate };
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
	return (struct rate_rule){ .most = RUNS_AT_HALF,
		                   .least = LIKE * low,
		                   .enough = LIKE * low };
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
	return seen.yes >= rule->enough * seen.runs ? VERDICT_INTERESTING : VERDICT_BORING;
}
