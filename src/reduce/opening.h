/* The opening: which pass has the next turn, from the first answer on: the one that is expected to
 * remove most bytes with an answer. Why: doc/opening.md.
 *
 * What is known of a pass is what it has removed, each time as a part of the test case, and in how
 * many answers. Before it has had any, passes of the first tier are expected to remove much, of the
 * second some (the prior). A pass that fails is worth less with each answer, until the next one is
 * worth more; a run ends as soon as its pass is worth less than another. When half of the test case
 * has gone since, what is known counts half: the rest is another file. The opening is over when no
 * pass is worth its answers any more.
 *
 * Plain data and a function of verdicts, as the plan is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "reduce/passes.h"

enum { OPENING_LEVELS = 24 }; /* of a pass that have a part in it */

/* A level of a pass; those behind OPENING_LEVELS have no part, and of them nothing is learnt. */
struct opening_arm {
	uint64_t gain;    /* in parts of OPENING_ONE of the test case, summed up */
	uint32_t answers; /* in which the gain was */
	uint32_t dry;     /* size at which it ended without a success, and 1; 0: none is known */
	uint32_t lacks;   /* in parts of OPENING_SHARES of the test case: what it cannot cut */
};

struct opening_row {
	uint32_t n; /* levels that it had last; 0: none, or that is not known */
	struct opening_arm arms[OPENING_LEVELS];
};

struct opening {
	bool on;
	uint32_t size; /* when what is known was halved last */
	bool never;    /* binaries and trees have none: records and files are gone through first;
	                  nor have small test cases */
	bool brief;    /* of a small test case: it is over when items have a turn */
	bool dear;     /* structure costs more than many answers: what needs less of it is first */
	struct opening_row rows[PASSES_MAX];
};

enum { OPENING_SHARES = 1 << 16 };
#define OPENING_ONE ((uint64_t)1 << 32)

/* SIZE, OPENS: as in plan_init. */
void opening_init(struct opening *o, uint32_t size, bool opens);

/* All rows see more now: it begins again. */
void opening_renew(struct opening *o);

/* What an answer of a level of ROW is expected to remove, in parts of OPENING_ONE. */
uint64_t opening_worth(const struct opening *o, uint32_t row, uint32_t level);

/* What is worth most of the levels of the rows in ENABLED, on NOW; false: nothing
 * is worth its answers. */
bool opening_best(const struct opening *o, const struct pass_set *enabled,
                  const struct testcase *now, uint32_t *row, uint32_t *level);

/* ROW has N levels on SIZE bytes. False: as before, and there are some. */
bool opening_count(struct opening *o, uint32_t row, uint32_t n, uint32_t size);

/* A level of ROW has had so many answers, before which there were BEFORE bytes, AFTER now. */
void opening_learn(struct opening *o, uint32_t row, uint32_t level, uint32_t answers,
                   uint32_t before, uint32_t after);

/* All that it can cut are CUTS bytes of SIZE. */
void opening_covers(struct opening *o, uint32_t row, uint32_t level, uint64_t cuts, uint32_t size);

/* It has ended without a success on SIZE bytes: that is believed until a tenth of them has gone. */
void opening_dry(struct opening *o, uint32_t row, uint32_t level, uint32_t size);
