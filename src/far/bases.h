/* What workers have been told, to tell them more in few bytes: the last few test cases of interest,
 * and which of them each worker has. A candidate is an edit of one of them; so is each new base but
 * the first.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "text/edit.h"

enum {
	BASES = 256,    /* a worker keeps so many: while all succeed, each of many workers is asked
	                   once in so many successes */
	BASES_SURE = 4, /* so many are kept however large */
	BASES_SIZE = 32 << 20, /* bytes; beyond them the older ones go */
	BASES_PARTS = 4096,    /* how a test case was made is kept if it took no more parts */
	BASES_ASKED = 256,     /* of so many of the last candidates it is kept how they were made */
};

struct base {
	uint32_t id; /* rises from 1; 0: none */
	struct testcase *tc;
	struct origin made; /* owned */
};

/* What was asked lately. Before its answer is known, candidates made of it are asked as well. */
struct bases_asked {
	struct hash hash;
	struct origin made; /* owned; its parts have no texts */
};

struct bases {
	struct base list[BASES]; /* n of them, the newest first, whose ids are one apart */
	uint32_t n, last_id;
	size_t size;                           /* bytes of all */
	struct bases_asked asked[BASES_ASKED]; /* a ring */
	uint32_t n_asked;                      /* ever */
};

/* What one worker has. */
struct bases_there {
	uint32_t ids[BASES]; /* each at the place id % BASES; 0: none */
	uint32_t newest;
};

/* What a worker is asked. */
struct bases_question {
	struct testcase *tc;
	const struct origin *made; /* how; NULL: not known */
	uint64_t number;
	bool whole; /* as a base of its own that is an edit of nothing */
};

/* An owned copy of MADE, to be dropped with edit_drop, or nothing when that would be too large. */
struct origin bases_keep(const struct origin *made);

/* From now on TC, MADE so (NULL: not known), is the base of what is told, when that is shorter. */
void bases_add(struct bases *b, struct testcase *tc, const struct origin *made);

/* Adds to TO the frames by which a worker that has *there learns Q. */
void bases_tell(struct bases *b, struct bases_there *there, const struct bases_question *q,
                struct buf *to);

void bases_release(struct bases *b);

/* How one test case came of another: the edit, for telling somebody who has the latter about the
 * former in few bytes. Unlike diff.h it is made for candidates of a reducer, large and with a few
 * cuts in them, and for any bytes: what is common is found by comparing, what follows a cut by
 * searching for the next bytes. It is not the smallest edit, but one that is cheap to find.
 */

/* The edit that makes TC of BASE, such that edit_apply gives it back. Its parts live in ARENA,
 * their bytes in TC. False: no edit does (there are other files). */
bool delta_edit(struct arena *arena, const struct testcase *base, const struct testcase *tc,
                struct edit *out);
