/* Where results go: the operands in place, with the originals kept beside them as NAME.orig, or
 * what -o names.
 *
 * A file is replaced atomically. A directory is written anew beside the old one, brought to the
 * disk, and exchanged with it in one step, so that at every moment there is one whole interesting
 * tree in its place; where the file system cannot exchange two names, there is for an instant none.
 * Of several operands those that changed are made first, then put in place by renames that follow
 * one another; what a kill among them leaves undone is done at the next start (replace.h).
 *
 * With -o a single operand becomes OUT; several become entries of the directory OUT.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "disk/output_tree.h"
#include "text/testcase.h"

struct err;

/* INPUT, OUT (NULL: in place) and FAULTS outlive the output. To be called before the input is read:
 * what changes from now on is somebody else's work. The caller may set notice, and releases the
 * output. */
void output_init(struct output *output, const struct input *input, const char *out,
                 struct faults *faults);
void output_release(struct output *output);

/* The directories that will hold the results must take new files, SIZE bytes: found out before
 * hours are spent. And no directory may be replaced that is a mount point, the current one, or
 * holds TEST (absolute). */
int output_check(const struct output *output, const char *test, uint32_t size, struct err *err);

/* A directory OUT must not hold anything, or what KNOWS (NULL: nothing) says is a result of this
 * reduction: 1, 0, or -1 and err. */
typedef int output_knows_fn(void *arg, const struct testcase *tc, struct err *err);
int output_check_free(const struct output *output, output_knows_fn *knows, void *arg,
                      struct err *err);

/* Makes this process the one that writes to the targets, until the output is released; -1 and err:
 * another one is (claim.h). Removes what killed processes left beside them, by their LIST (NULL:
 * nothing is kept), and begins ours (leftovers.h). */
int output_claim(struct output *output, const char *list, struct err *err);

/* Has somebody else changed or removed a target since we looked, or wrote? */
bool output_is_touched(const struct output *output);

/* Is there something at the first target? */
bool output_exists(const struct output *output);

/* Writes TC; of several targets those in which it differs from BEFORE (NULL: all). What somebody
 * else has written to a target is kept as NAME.edited, with a notice. */
int output_write(struct output *output, const struct testcase *tc, const struct testcase *before,
                 struct err *err);
