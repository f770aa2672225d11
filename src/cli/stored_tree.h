/* Putting a snapshot of several files or a directory in place. */
#ifndef WHITTLE_CLI_STORED_TREE_H
#define WHITTLE_CLI_STORED_TREE_H

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

/* Refuses when what is there is in no snapshot of R. */
int stored_tree_check(struct reduction *r, const struct input *in, struct err *err);

/* Refuses when the directory OUT holds anything but a snapshot of R. */
int stored_tree_check_free(struct reduction *r, const struct input *in, const char *out,
                           struct err *err);

/* Refuses when OUT is one of the operands, of a directory in it, or around it; TEST is the test. */
int stored_tree_check_apart(const struct input *in, const char *out, const char *test,
                            struct err *err);

/* Keeps the original of R beside the operands, or the file, that a snapshot is about to replace, as
 * NAME.orig; of a branch that was done when it began. NOTICE hears of another name. */
int stored_tree_keep_original(struct reduction *r, struct input *in,
                              void (*notice)(void *, const char *), struct err *err);

/* Writes TC there, or to OUT unless that is NULL. */
int stored_tree_write(struct input *in, const struct testcase *tc, const char *out,
                      struct err *err);

#endif
