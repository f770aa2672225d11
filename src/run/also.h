/* An oracle that keeps, beside the answers of another one, the smallest candidate for each exit
 * status that somebody wants to see: other failures, met on the way. It changes no answer. What is
 * kept depends on which tests were run, and so on timing.
 *
 * Candidates of more than ORACLE_HOLDS bytes, and those without a byte in a file, are not kept.
 */
#pragma once

#include "run/oracle.h"

enum {
	ALSO_STATUSES = 256,
	ALSO_MOST = 16, /* statuses of which candidates are kept: the first ones that are met */
};

struct also_seen {
	int status; /* exit status */
	struct testcase *tc;
};

/* Owns INNER from now on. WANTED: by exit status; copied. Free with oracle_free. */
struct oracle *also_new(struct oracle *inner, const bool wanted[ALSO_STATUSES]);

/* TC has been met with STATUS; a reference of its own. */
void also_meet(struct oracle *also, int status, struct testcase *tc);

/* What it keeps, *n of them; valid until the next call of the oracle. */
const struct also_seen *also_seen(const struct oracle *also, size_t *n);
