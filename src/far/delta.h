/* How one test case came of another: the edit, for telling somebody who has the latter about the
 * former in few bytes. Unlike diff.h it is made for candidates of a reducer, large and with a few
 * cuts in them, and for any bytes: what is common is found by comparing, what follows a cut by
 * searching for the next bytes. It is not the smallest edit, but one that is cheap to find.
 */
#ifndef WHITTLE_FAR_DELTA_H
#define WHITTLE_FAR_DELTA_H

#include <stdbool.h>

#include "text/edit.h"

/* The edit that makes TC of BASE, such that edit_apply gives it back. Its parts live in ARENA,
 * their bytes in TC. False: no edit does (there are other files). */
bool delta_edit(struct arena *arena, const struct testcase *base, const struct testcase *tc,
                struct edit *out);

#endif
