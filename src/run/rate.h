/* How often a test that is not sure is interesting, and what follows from it. Pure arithmetic. */
#ifndef WHITTLE_RUN_RATE_H
#define WHITTLE_RUN_RATE_H

#include "run/oracle.h"

/* So many runs, of which so many were interesting. */
struct rate {
	unsigned runs, yes;
};

/* When a candidate is interesting: a rule for all of one reduction. */
struct rate_rule {
	unsigned most;   /* runs of a candidate at most; 0: the test is sure, one run decides */
	unsigned needed; /* by count: so many of them must be interesting; 0: by rate */
	double least;    /* by rate: the true rate must be at least this */
	double enough;   /* by rate: what must be seen when nothing else decided after all runs */
};

/* By count: at least NEEDED of RUNS. */
struct rate_rule rate_rule_count(unsigned runs, unsigned needed);

/* By rate, with Wilson's score test (E. B. Wilson, Probable Inference, the Law of Succession, and
 * Statistical Inference, 1927): about as often as the input, of which so much was SEEN. */
struct rate_rule rate_rule_like(struct rate seen);

/* The same against the least rate that is likely behind what was SEEN (the lower bound of Wilson's
 * interval, 95 %): refuses only what is worse for sure. For what was found interesting already, and
 * would be found once more. */
struct rate_rule rate_rule_no_less(struct rate seen);

/* How many runs, from LEAST to MOST, make the rate of the input known well enough to compare others
 * with it, as far as SEEN tells: MOST for 0.5 or less, fewer for a test that seldom says no. */
unsigned rate_runs_to_measure(struct rate seen, unsigned least, unsigned most);

/* What is known after these runs; VERDICT_UNKNOWN: another run is needed. */
enum verdict rate_decide(const struct rate_rule *rule, struct rate seen);

#endif
