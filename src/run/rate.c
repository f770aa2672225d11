#include "run/rate.h"

#include <stdbool.h>
#include <stdint.h>

/* A sequential test: which of two true rates is more likely behind the runs? It ends as soon as one
 * is E to the ACCEPT, or the other E to the REFUSE, times more likely, so it takes a false one of
 * the two in about one of so many cases, and less often what is beyond the two.
 *
 * Rates are shares of that of the input, 0.8 between them. A candidate that is no worse is seldom
 * refused, for another one comes; one that is worse is accepted more seldom still, for what is
 * accepted stays, and there are many that are a little worse. */
struct ratio_test {
	double low, high, accept, refuse;
};
static const struct ratio_test like = { 0.76, 0.95, 5.3, 2.3 };
/* Of what was accepted: closer to each other, and nothing that is good enough is given up. */
static const struct ratio_test still = { 0.74, 0.85, 2.3, 4.6 };
/* Shares of the least rate that is likely behind what is known of the input. */
static const struct ratio_test no_less = { 0.6, 0.95, 3, 3 };

/* MEASURE_AT_HALF: an error of 0.03 of the rate, one standard deviation. MOST_TIMES: the runs that
 * a rate between the two needs on average; seldom reached. NONE: one in E to this of those that are
 * as good has no success in as many runs as refuse a candidate at once. */
enum { MEASURE_AT_HALF = 1000, MOST_RUNS = 10000, MOST_RUNS_NO_LESS = 200, MOST_TIMES = 3 };
static const double LEAST = 0.8, WILSON_Z = 1.96, NONE = 4.6;

struct rate_rule rate_rule_count(unsigned runs, unsigned needed)
{
	return (struct rate_rule){ .most = runs, .needed = needed };
}

unsigned rate_runs_to_measure(struct rate seen, unsigned least, unsigned most)
{
	uint64_t no = seen.runs - seen.yes;
	uint64_t runs = seen.yes ? MEASURE_AT_HALF * no / seen.yes : most;
	return runs < least ? least : runs > most ? most : (unsigned)runs;
}

/* The natural logarithm; X is above 0. Not log(): C libraries, and one library on processors with
 * and without fused multiplication, differ in its last bit. That bit can decide, and a reduction
 * that is resumed elsewhere must take the same steps. Only the four operations are rounded alike
 * everywhere (configure.ac keeps the compiler from fusing them). */
static double logarithm(double x)
{
	static const double of_two = 0.69314718055994531;
	double twos = 0, sum = 0;
	for (; x < 0.7; x *= 2)
		twos--;
	for (; x > 1.4; x /= 2)
		twos++;
	double t = (x - 1) / (x + 1), power = t;
	for (int i = 1; i < 40; i += 2, power *= t * t)
		sum += power / i;
	return twos * of_two + 2 * sum;
}

/* T, whose rates are shares of RATE. */
static struct rate_rule between(const struct ratio_test *t, double rate, unsigned most)
{
	double low = t->low * rate, high = t->high * rate;
	double yes = logarithm(high / low), no = logarithm((1 - high) / (1 - low)), step = yes - no;
	double middle = -no / step; /* the rate at which the sum stays where it is */
	double runs = MOST_TIMES * t->accept * t->refuse / (step * step * middle * (1 - middle));
	return (struct rate_rule){ .most = runs < most ? (unsigned)runs + 1 : most,
		                   .none = (unsigned)(NONE / -logarithm(1 - high)) + 1,
		                   .least = LEAST * rate,
		                   .yes = yes,
		                   .no = no,
		                   .accept = t->accept,
		                   .refuse = -t->refuse };
}

struct rate_rule rate_rule_like(struct rate seen)
{
	return between(&like, (double)seen.yes / seen.runs, MOST_RUNS);
}

struct rate_rule rate_rule_still(struct rate seen)
{
	return between(&still, (double)seen.yes / seen.runs, MOST_RUNS);
}

/* Is the true rate above RATE, as far as one can tell? The same as asking whether the lower bound
 * of Wilson's interval is, which is where this is an equation. */
static bool is_above(struct rate seen, double rate)
{
	double n = seen.runs, over = seen.yes / n - rate;
	return over > 0 && over * over * n >= WILSON_Z * WILSON_Z * rate * (1 - rate);
}

struct rate_rule rate_rule_no_less(struct rate seen)
{
	double low = 0, high = (double)seen.yes / seen.runs;
	for (int i = 0; i < 40; i++) { /* halves the distance to the bound */
		double middle = (low + high) / 2;
		if (is_above(seen, middle))
			low = middle;
		else
			high = middle;
	}
	return between(&no_less, low, MOST_RUNS_NO_LESS);
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
	double sum = rule->yes * seen.yes + rule->no * (seen.runs - seen.yes);
	if (sum >= rule->accept)
		return VERDICT_INTERESTING;
	if (sum <= rule->refuse || (!seen.yes && seen.runs >= rule->none))
		return VERDICT_BORING;
	if (seen.runs < rule->most)
		return VERDICT_UNKNOWN;
	return sum > 0 ? VERDICT_INTERESTING : VERDICT_BORING;
}
