/* A statement goes, and what it says comes in place of a word near it: a level of join. */
#ifndef WHITTLE_EDITS_SINK_H
#define WHITTLE_EDITS_SINK_H

#include "search/strategy.h"

/* Test cases of more tokens have too many pairs of a statement and a word. */
enum { SINK_TOKENS_MOST = 512 };

/* Pairs of a statement and a place for it; sets the number of P, and is in its arena. */
struct sinking *sink_open(struct places *p);

/* Edit I of these; false when it saves nothing. */
bool sink_edit(const struct view *v, const struct sinking *x, uint32_t i, struct arena *arena,
               struct edit *out);

#endif
