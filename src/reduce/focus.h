/* Focus: which part of a large test case the plan looks at.
 *
 * What shows the bug usually is at the end, and what it builds on (included headers, libraries,
 * declarations) in front of it, many times as much. The front cannot go while the end, with all
 * that has nothing to do with the bug, still mentions it. So when cuts of the whole give little,
 * the tail alone is reduced, with all its levels; then the front, starting with all of it at once.
 * If the front gives little, the tail, when it is small, is taken on once more and again, by passes
 * that take mentions out of what has to stay; and if that was in vain, the next tail is larger. Of
 * test cases that are not very large one tail is looked at, and no more unless the front gives much
 * then; small ones are never worth the detour.
 *
 * Plain data and a function of sizes, as the plan is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lang/tokenizers.h"

enum focus_phase {
	FOCUS_OPENING, /* the whole, as long as it gives much: its items, where it would be brief
	                  all lists of the tier */
	FOCUS_TAIL,    /* what lies after the floor */
	FOCUS_FRONT,   /* the whole again, first all in front of the tail */
	FOCUS_NONE,    /* no more of this: the plan is left alone */
};

enum focus_depth {
	FOCUS_TIER,     /* the first tier */
	FOCUS_MENTIONS, /* only passes that replace mentions of what lies elsewhere */
	FOCUS_DEEP,     /* the first tier, and passes that replace mentions or cut them out */
	FOCUS_DEPTHS,
};

struct focus {
	enum focus_phase phase;
	uint32_t floor; /* what lies before this offset is left alone; 0: nothing is */
	bool brief;     /* one tail, and if the front does not give much then, the whole for good */
	bool opened;    /* so much of the front went at once that the tail has its turn */
	bool trimmed;   /* its declarations and statements have gone before */
	unsigned repeats;      /* how often the tail was started again */
	enum focus_depth deep; /* with which passes the tail is taken on */
	uint32_t tail;         /* bytes in the tail when it was last looked at */
	uint32_t own;          /* likewise in what a pass found to stand by itself; 0: nothing */
	uint32_t share;        /* the next tail is the whole divided by this */
};

/* How long a run may continue: it is ended after so many questions, unless they saved more than
 * one part in `pays` of the bytes in focus. */
struct focus_patience {
	uint32_t questions, pays;
};

enum focus_turn {
	FOCUS_GOES_ON, /* with the next tier */
	FOCUS_REPEATS, /* the first tier again */
	FOCUS_MOVES,   /* another part, where nothing is known of any pass: the first tier, or in
	                  FOCUS_FRONT the items */
};

/* Bytes; smaller test cases are taken as a whole. Where an import or a variable that nothing
 * mentions is an error lists cut next to nothing, so few functions are enough. Where a tokenizer
 * says how declarations begin, the opening (opening.h) asks about them as soon as there is one. */
#define FOCUS_LEAST ((uint32_t)64 << 10)
#define FOCUS_LEAST_WORDED ((uint32_t)32 << 10)
#define FOCUS_LEAST_STRICT ((uint32_t)8 << 10)
#define FOCUS_NEVER UINT32_MAX

/* Which of them is meant for TC; of TOKENIZER and TOKENIZERS, those of a tree, one may be NULL. */
uint32_t focus_least(const struct testcase *tc, const struct tokenizer *tokenizer,
                     const struct tokenizers *tokenizers);

/* SIZE: of the test case at the beginning, in bytes. LEAST: one of the above. */
void focus_init(struct focus *f, uint32_t size, uint32_t least);

/* A tier has ended; TIER counts from 0; the test case had BEFORE bytes when it began and has AFTER
 * now. */
enum focus_turn focus_tier_ended(struct focus *f, unsigned tier, uint32_t before, uint32_t after);

/* A pass over the whole has ended, which cuts what lies in front of the tail: the test case had
 * BEFORE bytes when it began and has AFTER now. */
void focus_front_saved(struct focus *f, uint32_t before, uint32_t after);

/* A pass has found that SIZE bytes at the end stand by themselves. */
void focus_found_tail(struct focus *f, uint32_t size);

struct focus_patience focus_patience(const struct focus *f);
