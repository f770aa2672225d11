/* Where the snapshots of a reduction are put: in place of its operands, a file, several, or a
 * directory, or where its results go instead.
 *
 * Who has the reduction's lock lists the temporary names first, so that what a killed process
 * leaves is removed by the next one (disk/leftovers.h).
 *
 * Life cycle: stored_find, the others, stored_release. */
#pragma once

#include <stdbool.h>

#include "disk/input.h"

struct err;
struct reduction;
struct testcase;

struct stored_place {
	struct input in; /* the operands, where they are or belong in this work tree */
	const char *out; /* what takes their place; NULL: they do */
};

/* The place of snapshots like TC of R; OUT outlives it. To be released also after a failure. */
int stored_find(struct stored_place *p, struct reduction *r, const struct testcase *tc,
                const char *out, struct err *err);
void stored_release(struct stored_place *p);

/* The first path that is there; NULL: none is. */
const char *stored_there(const struct stored_place *p);

/* What it holds, as a test case like MODEL; the caller's. NULL and err when that cannot be read,
 * has files of another kind, or is too large. */
struct testcase *stored_read(const struct stored_place *p, const struct testcase *model,
                             struct err *err);

/* There may be nothing, but it must not hold what is in no snapshot of R, nor what cannot be read:
 * -1 and err, which ends with HINT. */
int stored_check(const struct stored_place *p, struct reduction *r, const struct testcase *model,
                 const char *hint, struct err *err);

/* Refuses when OUT is one of the operands, of a directory in it, or around it; TEST is the test. */
int stored_check_apart(const struct stored_place *p, const char *out, const char *test,
                       struct err *err);

/* Keeps the original of R beside the operands that a snapshot is about to replace, as NAME.orig; of
 * a branch that was done when it began. NOTICE hears of another name. Needs the lock. */
int stored_keep_original(struct stored_place *p, struct reduction *r,
                         void (*notice)(void *, const char *), struct err *err);

/* Writes TC there. A file has the permissions of what is there, or else of the reduction's FILE, or
 * of the original beside either, as far as one is there. LOCKED: whose lock is held; NULL. */
int stored_write(struct stored_place *p, const struct reduction *locked, const struct testcase *tc,
                 struct err *err);
