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

#include "base/hash.h"
#include "disk/input.h"
#include "disk/replace_item.h"
#include "text/testcase.h"

struct err;
struct faults;

/* One target of a result: a file, or a directory that is made anew of what of the test case goes
 * there. */

struct output_target {
	char *path;         /* on disk */
	char *real;         /* the same, links resolved */
	struct hash seen;   /* stamp of what is there, as far as we know (stamp.h); zero: nothing */
	const char *inside; /* what of the test case goes there: a file's path, a directory's, ""
	                       for all */
	const char *model;  /* where permissions are taken from; NULL: none */
	bool is_dir;
	mode_t mode; /* of a file */
};

struct output {
	const struct input *input;
	struct faults *faults;
	bool in_place;
	uint32_t n_targets;
	struct output_target *targets;
	int *claims; /* of the targets (claim.h); NULL: none yet */
	char *list;  /* of what a kill leaves, by itself (leftovers.h); NULL: there is none */
	int list_fd;
	uint64_t cost_ns; /* what the last writing took */
	char token[REPLACE_TOKEN];
	void (*notice)(void *arg, const char *message); /* NULL: nobody wants to know */
	void *arg;
};

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

/* The originals beside the results (output.h). */

/* Keeps the originals as NAME.orig when results go in place, unless they are kept already; where
 * that is something else as NAME.orig.1, NAME.orig.2..., with a notice. */
int output_keep_original(const struct output *output, const struct testcase *original,
                         struct err *err);
