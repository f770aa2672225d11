/* The reproduction at the commit: a note of refs/notes/whittle. */
#ifndef WHITTLE_BISECT_BISECT_NOTE_H
#define WHITTLE_BISECT_BISECT_NOTE_H

#include "bisect/bisect_state.h"

/* Adds a note to commit ID: what was found with what, and how to get the reduced file SMALL, a blob
 * or of several files a tree, which refs/whittle/bisect-repro keeps. A note that says so already is
 * left as it is. */
int bisect_note(struct bisection *b, const char *id, const struct testcase *small, struct err *err);

#endif
