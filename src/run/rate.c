#include "run/rate.h"

/* A sequential test: which of two true rates is more likely behind the runs? It ends as soon as one
 * is E to the ACCEPT, or the other E to the REFUSE, times more likely, so it takes a false one of
 * the two in about one of so many cases, and less often what is beyond the two.
 *
 * Rates are shares of that of the input. A candidate that is no worse is seldom refused, for
 * another one comes; one that is worse is accepted more seldom still, for what is accepted stays,
 * and there are many that are a little worse: of the thousands that are asked about, some at LOW
 * get in, one after the other, until all that is left is a little above it. So LOW is what a result
 * may have. */
struct ratio_test {
	double low, high, accept, refuse;
};
/* Up to a rate of RARE, at one of 1, and in proportion between them: what runs can tell apart for
 * the same price, of a candidate or afterwards of the result, is the closer the less they fail. */
static const struct ratio_test like_rare = { 0.76, 0.95, 5.3, 2.3 };
static const struct ratio_test like_sure = { 0.965, 0.99, 5.3, 2.3 };
static const double RARE = 0.2;
/* Shares of the least rate that is likely behind what is known of the input. */
static const struct ratio_test no_less = { 0.6, 0.95, 3, 3 };

/* MEASURE_AT_HALF: an error of 0.03 of the rate, one standard deviation, or MEASURE_UNSURE runs of
 * what fails at all, since others are compared the more closely the less often it does. MOST_TIMES:
 * the runs that a rate between the two needs on average; seldom reached. NONE: one in E to this of
 * those that are as good has no success in as many runs as refuse a candidate at once. */
enum {
	MEASURE_AT_HALF = 1000,
	MEASURE_UNSURE = 400,
	MOST_RUNS = 10000,
	MOST_RUNS_NO_LESS = 200,
	MOST_TIMES = 3
};
static const double WILSON_Z = 1.96, NONE = 4.6, STILL_ACCEPT = 2.3, STILL_REFUSE = 4.6;

struct rate_rule rate_rule_count(unsigned runs, unsigned needed)
{
	return (struct rate_rule){ .most = runs, .needed = needed };
}

unsigned rate_runs_to_measure(struct rate seen, unsigned least, unsigned most)
{
	uint64_t no = seen.runs - seen.yes;
	uint64_t runs = seen.yes ? MEASURE_AT_HALF * no / seen.yes : most;
	if (no && runs < MEASURE_UNSURE)
		runs = MEASURE_UNSURE;
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
		                   .least = (low + high) / 2,
		                   .yes = yes,
		                   .no = no,
		                   .accept = t->accept,
		                   .refuse = -t->refuse };
}

static struct ratio_test like(double rate)
{
	struct ratio_test test = like_rare;
	double part = rate < RARE ? 0 : (rate - RARE) / (1 - RARE);
	test.low += (like_sure.low - test.low) * part;
	test.high += (like_sure.high - test.high) * part;
	return test;
}

struct rate_rule rate_rule_like(struct rate seen)
{
	double rate = (double)seen.yes / seen.runs;
	const struct ratio_test test = like(rate);
	return between(&test, rate, MOST_RUNS);
}

/* Of what was accepted: closer to each other, and nothing that is good enough is given up. */
struct rate_rule rate_rule_still(struct rate seen)
{
	double rate = (double)seen.yes / seen.runs;
	struct ratio_test test = like(rate);
	test.high = (test.low + test.high) / 2;
	test.low -= (test.high - test.low) / 4;
	test.accept = STILL_ACCEPT;
	test.refuse = STILL_REFUSE;
	return between(&test, rate, MOST_RUNS);
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
	return left < rule->needed - seen.yes ? VERDICT_NOT_INTERESTING : VERDICT_UNKNOWN;
}

enum verdict rate_decide(const struct rate_rule *rule, struct rate seen)
{
	if (rule->needed)
		return by_count(rule, seen);
	double sum = rule->yes * seen.yes + rule->no * (seen.runs - seen.yes);
	if (sum >= rule->accept)
		return VERDICT_INTERESTING;
	if (sum <= rule->refuse || (!seen.yes && seen.runs >= rule->none))
		return VERDICT_NOT_INTERESTING;
	if (seen.runs < rule->most)
		return VERDICT_UNKNOWN;
	return sum > 0 ? VERDICT_INTERESTING : VERDICT_NOT_INTERESTING;
}
