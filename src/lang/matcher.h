/* Runs patterns over a file at a bounded cost.
 *
 * Nearly all matches are short, so a match is first tried in a small window with few steps; one
 * that wants more gets more, up to the rest of the file, and what it gets is taken from what all
 * matches of a file may cost together. So a pattern that is slow at one place, or a little slow at
 * each place, ends the run with an error after time in proportion to the size of the file. It
 * depends on no clock.
 *
 * Life cycle: matcher_open; matcher_begin for each file; matcher_run; matcher_close.
 */
#ifndef WHITTLE_LANG_MATCHER_H
#define WHITTLE_LANG_MATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "lang/pattern.h"

struct matcher {
	const uint8_t *bytes; /* the current file; borrowed */
	uint32_t size;
	uint64_t budget;        /* what is left of it */
	pcre2_match_data *data; /* of the last match */
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
};

enum { MATCHER_BUDGET_SPENT = -1000 };

/* For patterns of so many captures. JIT: some are compiled. */
void matcher_open(struct matcher *m, unsigned captures, bool jit);
void matcher_close(struct matcher *m);

void matcher_begin(struct matcher *m, const uint8_t *bytes, uint32_t size);

/* Runs PROGRAM at POS, compiled when JIT; what pcre2_match returns, or MATCHER_BUDGET_SPENT. */
int matcher_run(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos);

/* The first, cheap try alone: PCRE2_ERROR_PARTIAL or PCRE2_ERROR_MATCHLIMIT when it wants more. */
int matcher_try(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos);

#endif
