/* Where results go, for the modules that write there: output.h (results), output_orig.h
 * (originals), output_tree.h (one target). */
#ifndef WHITTLE_DISK_OUTPUT_DEF_H
#define WHITTLE_DISK_OUTPUT_DEF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "disk/input.h"
#include "disk/replace_item.h"

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

#endif
