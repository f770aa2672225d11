/* The table of passes: each row names a pass and says what it does, when it runs, and what is
 * special about it. The plan, --passes, --list-passes, the settings that are kept, the table in
 * whittle-passes(7) and the tests all read it. To add a pass is to add a strategy
 * (edits/strategies.h) and a row here.
 *
 * A set of passes is a set of bits, one for each row. Bits are for this process alone: what is
 * kept or said names the passes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "search/hunt.h"
#include "search/strategy.h"

struct err;

enum pass_flags {
	PASS_OPENS = 1,           /* items: the opening of a small test case ends with them */
	PASS_CERTIFIES_SMALL = 2, /* is exact for test cases below STRATEGY_BYTES_MAX only */
	PASS_PUMP = 4,  /* may make the test case larger: no part of the plan, see reducer_pump.c */
	PASS_FIRST = 8, /* a pump that has its turn at the beginning, too, and may make the test
	                   case as large as it likes */
	PASS_WHOLE = 16,  /* has its turns in the opening only */
	PASS_LAST = 64,   /* not before the pumps have had a turn */
	PASS_KINDS = 128, /* its levels are of different kinds: one that is in vain says nothing of
	                     the next */
	PASS_RARE = 256,  /* its last level seldom finds anything: unless the pass has, a few random
	                     steps speak for all (seed 003) */
	PASS_SINGLES = 1024, /* begins with single elements: larger blocks hardly ever go */
	PASS_WAITS = 4096,   /* after a turn in vain it waits, as passes of later tiers do */
	PASS_COARSE = 8192,  /* has its turn, too, where only the outermost structure is known */
	PASS_WITHIN =
		16384, /* what coded words say; a file that is made of it anew knows no other */
	PASS_BEFORE_EARLY = 512, /* its first turn, all its levels, is in front of early external
	                            passes */
};

struct pass {
	const char *name; /* rows of one name are switched together */
	const char *help; /* one line; NULL: another row of this name says it */
	const char *unit; /* what, when it ends dry, can no longer be cut one by one; NULL: nothing
	                     to be certified */
	const struct strategy *strategy;
	enum hunt_order order;
	uint32_t max_steps; /* 0: all; a pass of samples is never the last word, so it does not
	                       count for the fixpoint */
	uint8_t tier;       /* see plan.h */
	unsigned flags;     /* set of enum pass_flags */
};

/* In the order in which the plan runs them; pumps come last. */
extern const struct pass passes_table[];
extern const uint32_t passes_n;      /* of the plan: the first so many rows */
extern const uint32_t passes_n_rows; /* all, pumps included */
enum { PASSES_MAX = 128 };           /* rows there is room for: any number will do */

/* A set of rows. */
struct pass_set {
	bool has[PASSES_MAX];
};

static inline bool passes_has(const struct pass_set *set, uint32_t row)
{
	return set->has[row];
}

/* The first N rows: of passes_n those of the plan. */
struct pass_set passes_first(uint32_t n);
struct pass_set passes_all(void);
bool passes_none(const struct pass_set *set);

/* What is in TO, or in OTHER as well; what is in FROM and not in OTHER. */
void passes_add(struct pass_set *to, const struct pass_set *other);
void passes_remove(struct pass_set *from, const struct pass_set *other);

/* The rows whose name is the LEN bytes at NAME; there may be none. */
struct pass_set passes_named(const char *name, size_t len);

/* The names of a set, separated by commas, in the order of the table; the caller's. */
char *passes_text(const struct pass_set *set);

/* The reverse. -1 and err when a name is unknown. */
int passes_parse(const char *text, struct pass_set *set, struct err *err);
