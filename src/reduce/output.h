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
#ifndef WHITTLE_REDUCE_OUTPUT_H
#define WHITTLE_REDUCE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/input.h"
#include "text/testcase.h"

struct err;
struct faults;

struct output_target {
	char *path;         /* on disk */
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
	uint64_t cost_ns; /* what the last writing took */
};

/* INPUT, OUT (NULL: in place) and FAULTS outlive the output. The caller releases it. */
void output_init(struct output *output, const struct input *input, const char *out,
                 struct faults *faults);
void output_release(struct output *output);

/* The directories that will hold the results must take new files, SIZE bytes: found out before
 * hours are spent. And no directory may be replaced that is a mount point, the current one, or
 * holds TEST (absolute). */
int output_check(const struct output *output, const char *test, uint32_t size, struct err *err);

/* For a result that nothing is known of yet: a directory OUT must not hold anything. */
int output_check_free(const struct output *output, struct err *err);

/* Removes what killed processes left beside the targets. Nobody else may be writing there. */
void output_remove_leftovers(const struct output *output);

/* Is there something at the first target? */
bool output_exists(const struct output *output);

/* Keeps the originals as NAME.orig, once, when results go in place. */
int output_keep_original(const struct output *output, const struct testcase *original, bool clean,
                         struct err *err);

/* Writes TC; of several targets those in which it differs from BEFORE (NULL: all). */
int output_write(struct output *output, const struct testcase *tc, const struct testcase *before,
                 struct err *err);

#endif
