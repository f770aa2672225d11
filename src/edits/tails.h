/* Numbers that say how many bytes there are behind them to the end of their file, or in all of it:
 * the size of what comes last, and of what that is in. One alone may be so by chance, a byte more
 * easily than a word; so it is for a test to judge what is cut with these. */
#ifndef WHITTLE_EDITS_TAILS_H
#define WHITTLE_EDITS_TAILS_H

#include "binary/repair.h"
#include "text/testcase.h"

/* Words and bytes; then words with one of the bytes alone, where there are several of these. */
enum { TAILS_LEVELS = 4 };

/* Those of LEVEL as lengths, in order; the caller's. *n is 0 when there are none. */
struct field *tails_find(const struct testcase *tc, uint32_t level, uint32_t *n);

#endif
