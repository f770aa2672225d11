/* The proof: are lines of a text counted, as they seem to be? That a cut works once its counts are
 * repaired says nothing where the test does not mind them, so it is asked without, too. What was
 * repaired in vain is repaired no more: it would cost answers, and keep cuts from being tried as
 * they are.
 *
 * Blocks of records are cut, from all of them to single ones, a few of each size, those that change
 * a number elsewhere alone. One that works without repairs shows that the fields that they write
 * are none (search->left). One that works with them only proves what they are (search->repaired);
 * if it works without those of places (FIELD_PLACE), these are none.
 */
#ifndef WHITTLE_SEARCH_PROOF_H
#define WHITTLE_SEARCH_PROOF_H

#include "search/search.h"
#include "search/strategy.h"

/* A search over PLACES, which have a repair; it takes a reference of its own. One question is open
 * at a time. */
struct search *proof_new(struct places *places);

#endif
