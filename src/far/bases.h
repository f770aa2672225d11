/* What workers have been told, to tell them more in few bytes: the last few test cases of interest,
 * and which of them each worker has. A candidate is an edit of one of them; so is each new base but
 * the first.
 */
#ifndef WHITTLE_FAR_BASES_H
#define WHITTLE_FAR_BASES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "text/testcase.h"

enum {
	BASES = 256,    /* a worker keeps so many: while all succeed, each of many workers is asked
	                   once in so many successes */
	BASES_SURE = 4, /* so many are kept however large */
	BASES_SIZE = 32 << 20, /* bytes; beyond them the older ones go */
};

struct base {
	uint32_t id; /* rises from 1; 0: none */
	struct testcase *tc;
};

struct bases {
	struct base list[BASES]; /* n of them, the newest first, whose ids are one apart */
	uint32_t n, last_id;
	size_t size; /* bytes of all */
};

/* What one worker has. */
struct bases_there {
	uint32_t ids[BASES]; /* 0: none */
};

/* From now on TC is the base of what is told, when that is shorter. */
void bases_add(struct bases *b, struct testcase *tc);

/* Adds to TO the frames by which a worker that has *there learns TC as question NUMBER. WHOLE: as a
 * base of its own that is an edit of nothing. */
void bases_tell(struct bases *b, struct bases_there *there, struct testcase *tc, uint64_t number,
                bool whole, struct buf *to);

void bases_release(struct bases *b);

#endif
