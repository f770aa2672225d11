/* Elements that refer to others by name: what strat_calls.c does with tags. */
#ifndef WHITTLE_EDITS_CALLS_TAGS_H
#define WHITTLE_EDITS_CALLS_TAGS_H

#include "edits/marks.h"

/* The first element that has a word of the class C in its first tag, or the LAST one, goes; what it
 * holds comes in place of the others, with what they hand over in place of its parameters:
 * <call name="f"><with name="a" select="1"/></call>. False where there are none. */
bool calls_tags_edit(const struct marked_words *x, const struct view *v, struct word_class c,
                     bool last, struct arena *arena, struct edit *out);

#endif
