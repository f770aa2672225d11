/* Putting several new files and directories in the place of others as if in one step.
 *
 * The new ones are made beside their places, under names that replacement_add gives. Each one goes
 * to its place by a rename, a directory by an exchange of two names. One is therefore atomic. For
 * several, and for a directory where the file system cannot exchange names, a record of what is to
 * be done is written first, FILE.whittle-replace beside the first file; a process that is killed
 * between two renames leaves it, and replacement_finish, at the next start, does the rest. Until
 * then the places hold old and new things.
 *
 * Life cycle: replacement_init, replacement_add and making what was added, replacement_commit,
 * replacement_release.
 */
#ifndef WHITTLE_REDUCE_REPLACE_H
#define WHITTLE_REDUCE_REPLACE_H

#include <stdbool.h>
#include <stdint.h>

struct faults;

struct replacement_item {
	char *path; /* the place */
	char *temp; /* the new thing, beside it */
};

struct replacement {
	char *record;
	struct faults *faults;
	uint32_t n, cap;
	struct replacement_item *items;
	bool half_done; /* some are in place, the others cannot be put there: record and new things
	                   stay */
};

/* FIRST is the path that the record is beside; the same one each time, so that it is found again.
 */
void replacement_init(struct replacement *r, const char *first, struct faults *faults);

/* Something for PATH (of a symbolic link: for what it points to). Returns the name under which it
 * is to be made, where nothing is; owned by the replacement. */
const char *replacement_add(struct replacement *r, const char *path);

/* Puts all in place; what is made has been brought to the disk. 0, or -1 with errno: unless it is
 * half done all is as it was. What was replaced is gone. */
int replacement_commit(struct replacement *r);

/* Removes what has not come to its place. */
void replacement_release(struct replacement *r);

/* Finishes what a killed process has begun to replace, with FIRST as above; places that have
 * changed since stay as they are. Whether there was anything to do. */
bool replacement_finish(const char *first);

#endif
