/* The file on disk follows the reduction: now and then while it runs, and at its end. What is
 * written has always been found interesting, and is never larger than what was there.
 *
 * Life cycle: output_init on `output`, then the other borrowed members; follow_accepted for what
 * the reduction has, follow_end for its result, follow_release.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "reduce/session_store.h"
#include "disk/output.h"
#include "text/testcase.h"

struct follow {
	struct output output;
	struct session_store *keep; /* borrowed; NULL: nothing is kept */
	struct testcase *found;     /* what FILE held when we came; a reference */
	bool resumed;               /* FILE may hold what an earlier run has found */
	bool refuted;               /* FILE holds what was found interesting by mistake, or the
	                               reduction has started over */
	bool replaying;             /* resumed, and the test has answered nothing new yet */
	struct testcase *written;   /* what is there now; NULL: nothing of this run */
	uint64_t write_ns;
	struct err err; /* the first failure to write; nothing is written after it */
};

/* TC is what the reduction has now. It is written unless something was a moment ago, or FILE holds
 * something simpler that was found by an earlier run. */
void follow_accepted(struct follow *f, struct testcase *tc);

/* The last writing. A result that is FINAL goes to the file whatever is there. */
void follow_end(struct follow *f, struct testcase *tc, bool final);

void follow_release(struct follow *f);
