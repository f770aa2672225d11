/* How often a test that is not sure is interesting, and what follows from it. Pure arithmetic. */
#pragma once

#include "run/oracle.h"

/* So many runs, of which so many were interesting. */
struct rate {
	unsigned runs, yes;
};

/* When a candidate is interesting: a rule for all of one reduction. */
struct rate_rule {
	unsigned most;   /* runs of a candidate at most; 0: the test is sure, one run decides */
	unsigned needed; /* by count: so many of them must be interesting; 0: by rate */
	unsigned none;   /* by rate: so many runs refuse when none of them is interesting */
	double least;    /* by rate, for messages: the true rate must be at least this */
	double yes, no;  /* by rate: what a run adds that is interesting, and that is not */
	double accept, refuse; /* the sums that decide: above 0, and below */
};

/* By count: at least NEEDED of RUNS. */
struct rate_rule rate_rule_count(unsigned runs, unsigned needed);

/* By rate, with Wald's sequential test (A. Wald, Sequential Tests of Statistical Hypotheses, 1945):
 * about as often as the input, of which so much was SEEN. */
struct rate_rule rate_rule_like(struct rate seen);

/* The same for what was accepted by it: refuses only what is worse for sure. */
struct rate_rule rate_rule_still(struct rate seen);

/* The same against the least rate that is likely behind what was SEEN (the lower bound of Wilson's
 * interval, 95 %; E. B. Wilson, Probable Inference, the Law of Succession, and Statistical
 * Inference, 1927). For what one run found interesting, and another one did not. */
struct rate_rule rate_rule_no_less(struct rate seen);

/* How many runs, from LEAST to MOST, make the rate of the input known well enough to compare others
 * with it, as far as SEEN tells: the rarer a success, the more. */
unsigned rate_runs_to_measure(struct rate seen, unsigned least, unsigned most);

/* What is known after these runs; VERDICT_UNKNOWN: another run is needed. */
enum verdict rate_decide(const struct rate_rule *rule, struct rate seen);
