/* One target of a result: a file, or a directory that is made anew of what of the test case goes
 * there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "disk/input.h"
#include "disk/replace_item.h"
#include "text/testcase.h"

struct faults;

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

/* What of F's path is below the target; NULL when F does not go there. */
const char *output_below(const struct output_target *t, const struct testcase_file *f);

/* The entry that a target of a single file is; NULL: it is a directory. */
const struct testcase_file *output_file(const struct output_target *t, const struct testcase *tc);

/* Makes what of TC belongs to the target as the new file or directory TEMP, and brings it to the
 * disk. In place it has what is there besides content (io_form); what holds the same has the same
 * times, and what had several names in a directory and still is one has them again. */
int output_make(const struct output *o, const struct output_target *t, const struct testcase *tc,
                const char *temp);

/* All directories that TC has in TEMP, which output_make made, have the times of those in place: of
 * a tree that has not changed. */
void output_keep_times(const struct output_target *t, const struct testcase *tc, const char *temp);

/* Does PATH hold what F is? FOLLOW: also where it is a link to that. */
bool output_holds(const char *path, bool follow, const struct testcase_file *f);
