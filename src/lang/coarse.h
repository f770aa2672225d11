/* Coarse tokens: the structure of what is too large to have all of it.
 *
 * Tokens come in as the lexer makes them. What is smaller than the grain is not kept: a bracket
 * group becomes one token, neighbouring items of a list become one item, and the words between two
 * separators one token. What is larger keeps its brackets, and its items are looked at in turn. So
 * the tokens of any test case are a few for each grain, their tree is that of the outermost
 * structure, and cuts of it are cuts of whole groups and items. What is inside is seen when the
 * test case has become smaller, or with a smaller grain.
 *
 * One pass, amortised constant time for each token, memory for what is kept. Part of the lexer.
 */
#pragma once

#include <stddef.h>

#include "lang/token.h"

struct nest;

struct coarse {
	uint32_t grain; /* in bytes */
	struct tokens out;
	size_t cap;
	struct nest *nests; /* open brackets; the first is the file */
	size_t n_nests, cap_nests;
	uint32_t deeper; /* brackets open beyond the deepest nest that is kept */
	uint32_t *open;  /* by bracket number: how many nests */
};

void coarse_init(struct coarse *c, uint32_t grain);
void coarse_release(struct coarse *c); /* all but the tokens */

/* The next tokens: list[n] is the one behind them, which may be another one later. */
void coarse_take(struct coarse *c, const struct token *list, uint32_t n);
