/* An oracle for tests that are not sure: asks another oracle about the same candidate until a rule
 * decides (rate.h), and gives one verdict. To the search it is an oracle like any other, and the
 * verdict, once given, stands: whoever keeps verdicts goes the same way again.
 *
 * Questions about other programs, and those whose output somebody wants, are passed on as they are.
 */
#pragma once

#include "run/rate.h"

/* Owns INNER from now on. The answer's time is that of the longest run; it is a timeout when all
 * were.
 * Free with oracle_free. */
struct oracle *repeat_new(struct oracle *inner, const struct rate_rule *rule);

/* Asks INNER, which is idle, about TC up to MOST times, as many at a time as there are slots;
 * begins no run more than FOR_NS after the first, but runs LEAST in any case. *slowest_ns becomes
 * the longest run. Besides, asks once about OTHER (NULL: nothing else). 0; 1 when STOP_FD became
 * readable; -1 with err. */
struct repeat_survey {
	const struct testcase *tc;
	struct oracle_limits limits;
	unsigned least, most;
	uint64_t for_ns;
	unsigned per_start; /* runs for each start of a test that stays alive; 0: one */
	const struct testcase *other;
	struct answer *on_other;
	int stop_fd;
};
int repeat_survey(struct oracle *inner, const struct repeat_survey *survey, struct rate *seen,
                  uint64_t *slowest_ns, struct err *err);
