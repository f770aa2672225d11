/* Putting several new files and directories in the place of others as if in one step.
 *
 * The new ones are made beside their places, as PLACE.whittle-TOKEN, where TOKEN is a random number
 * of this process: no name of the user's is taken for one of ours, and what a dead process left is
 * known from the list that it kept (leftovers.h). Each one goes to its place by an exchange of two
 * names, so that what stood there can be looked at: when it is not what is expected, somebody has
 * changed it, and it is kept as PLACE.edited. Where the file system cannot exchange names, a file
 * is renamed.
 *
 * One is therefore atomic. For several, and for a directory where names cannot be exchanged, a
 * record of what is to be done is written first, FILE.whittle-replace beside the first file; a
 * process that is killed between two renames leaves it, and replacement_finish, at the next start,
 * does the rest. Until then the places hold old and new things. The record says by its own inode
 * and by stamps (stamp.h) what it is about: one that came with a repository does nothing.
 *
 * Life cycle: replacement_init, replacement_add and making what was added, replacement_commit,
 * replacement_release.
 */
#ifndef WHITTLE_REDUCE_REPLACE_H
#define WHITTLE_REDUCE_REPLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/replace_item.h"

struct faults;

struct replacement {
	char *record;
	const char *token;
	struct faults *faults;
	uint32_t n, cap;
	struct replacement_item *items;
	bool half_done; /* some are in place, the others cannot be put there: record and new things
	                   stay */
};

/* FIRST is the path that the record is beside; the same one each time, so that it is found again.
 */
void replacement_init(struct replacement *r, const char *first, const char *token,
                      struct faults *faults);

/* Something for PATH (of a symbolic link: for what it points to). EXPECTED is the stamp of what
 * should be there (NULL: whatever it is goes). Returns the name under which it is to be made,
 * where nothing is; owned by the replacement. */
const char *replacement_add(struct replacement *r, const char *path, const struct hash *expected);

/* Puts all in place; what is made has been brought to the disk. 0, or -1 with errno: unless it is
 * half done all is as it was. What was replaced is gone, or kept when it was not expected. */
int replacement_commit(struct replacement *r);

/* Removes what has not come to its place. */
void replacement_release(struct replacement *r);

#endif
