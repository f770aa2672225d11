/* Putting a snapshot in place, above all one of several files or a directory.
 *
 * Who has the reduction's lock lists the temporary names first, so that what a killed process
 * leaves is removed by the next one (disk/leftovers.h). */
#pragma once

#include <stdbool.h>

struct err;
struct input;
struct reduction;
struct testcase;

/* Where the operands of R's test case are, or belong, in this work tree. The caller releases *in,
 * also after a failure. */
int stored_tree_find(struct reduction *r, struct input *in, struct err *err);

/* Is any operand there? */
bool stored_tree_exists(const struct input *in);

/* Refuses when what is there is in no snapshot of R; the message ends with HINT. */
int stored_tree_check(struct reduction *r, const struct input *in, const char *hint,
                      struct err *err);

/* Refuses when the directory OUT holds anything but a snapshot of R. */
int stored_tree_check_free(struct reduction *r, const struct input *in, const char *out,
                           struct err *err);

/* Refuses when OUT is one of the operands, of a directory in it, or around it; TEST is the test. */
int stored_tree_check_apart(const struct input *in, const char *out, const char *test,
                            struct err *err);

/* Keeps the original of R beside the operands, or the file, that a snapshot is about to replace, as
 * NAME.orig; of a branch that was done when it began. NOTICE hears of another name. Needs the
 * lock. */
int stored_tree_keep_original(struct reduction *r, struct input *in,
                              void (*notice)(void *, const char *), struct err *err);

/* Writes TC to the operands IN, or to OUT unless that is NULL. LOCKED: whose lock is held; NULL. */
struct stored_tree {
	struct input *in;
	const char *out;
	const struct reduction *locked;
};
int stored_tree_write(const struct stored_tree *to, const struct testcase *tc, struct err *err);

/* What the file PATH holds, as a test case like MODEL; the caller's. NULL and err when it cannot be
 * read, is not a regular file, or is too large. */
struct testcase *stored_file_read(const char *path, const struct testcase *model, struct err *err);

/* The file PATH, which has the place of a snapshot like MODEL, may not be there, but must not hold
 * what is kept nowhere else, nor what cannot be read: -1 and err, which ends with HINT. */
int stored_file_check(struct reduction *r, const char *path, const struct testcase *model,
                      const char *hint, struct err *err);

/* Writes TC, a single file of R, to PATH, with the permissions of what is there, or else of the
 * reduction's FILE, or of the original beside either, as far as one is there. Needs the lock. */
int stored_file_write(struct reduction *r, const char *path, const struct testcase *tc,
                      struct err *err);

/* The same where the user says. Needs no lock. */
int stored_file_export(struct reduction *r, const char *path, const struct testcase *tc,
                       struct err *err);
