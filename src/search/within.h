/* What coded words say (lang/coded.h), as views of their own; words may be in such views again. */
#pragma once

#include "search/view.h"
#include "lang/coded.h"

enum { WITHIN_DEPTH = 3 }; /* words in words that are looked at */

/* Adds the words of V, which is DEPTH words deep, the longest when there are many; open layers are
 * such words. */
void within_words(const struct view *v, uint32_t depth, struct coded_list *out);

/* Is V a file that is made anew of what it says (coded_is_made)? */
bool within_is_made(const struct view *v);

/* Adds what such a file says; else what layers that are open hold (binary/layers.h), the largest,
 * if together that is most of V; else the content of a record, of which a tokenizer that is held
 * knows the format, likewise. */
void within_most(const struct view *v, struct coded_list *out);

/* Adds the text of the longest strings of V, which has its tokens, as words: programs, documents,
 * patterns. Of LEAST bytes or more. */
void within_strings(const struct view *v, uint32_t least, struct coded_list *out);

/* What WORD of V says as a test case of its own, with records and layers that are open; the
 * caller's. NULL when its tokenizer gives up. */
struct view *within_view(const struct view *v, const struct coded *word);

/* Does V know of layers that are open? */
bool within_has_layers(const struct view *v);

/* What layers of TO hold, which came of FROM by EDIT, follows the edit as records do, rather than
 * being found again. FROM has layers. */
void within_follow(const struct view *from, const struct view *to, struct edit edit);
