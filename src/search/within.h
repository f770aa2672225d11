/* What coded words say (lang/coded.h), as views of their own; words may be in such views again. */
#ifndef WHITTLE_SEARCH_WITHIN_H
#define WHITTLE_SEARCH_WITHIN_H

#include "search/view.h"
#include "lang/coded.h"

enum { WITHIN_DEPTH = 3 }; /* words in words that are looked at */

/* The words of V that are DEPTH words deep, the longest when there are many; release with
 * coded_release. */
void within_words(const struct view *v, uint32_t depth, struct coded_list *out);

/* Adds the text of the longest strings of V, which has its tokens, as words: programs, documents,
 * patterns. Of LEAST bytes or more. */
void within_strings(const struct view *v, uint32_t least, struct coded_list *out);

/* What WORD of V says as a test case of its own, with records and layers that are open; the
 * caller's. NULL when its tokenizer gives up. */
struct view *within_view(const struct view *v, const struct coded *word);

#endif
