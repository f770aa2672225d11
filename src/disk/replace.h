/* Replaces several files and directories, the targets, with new ones as if in one step.
 *
 * A new one is made beside its target, as TARGET.whittle-TOKEN, where TOKEN is a random number of
 * this process. So no name of the user's is taken for one of ours, and what a dead process left is
 * known from the list that it kept (leftovers.h). Then the two exchange their names, which makes it
 * possible to look at what was there: if it is not what is expected, somebody has changed it, and
 * it is kept as TARGET.edited. Where the file system cannot exchange names, a file is renamed.
 *
 * Replacing one target is therefore atomic. For several, and for a directory where names cannot be
 * exchanged, a record of what is to be done is written first: FILE.whittle-replace beside the first
 * file. A process that is killed between two renames leaves the record, and replacement_finish does
 * the rest at the next start. Until then some targets are old and some are new. The record says by
 * its own inode and by stamps (stamp.h) what it is about: one that came with a repository does
 * nothing.
 *
 * Life cycle: replacement_init, replacement_add and making what was added, replacement_commit,
 * replacement_release.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "disk/replace_item.h"

struct faults;

struct replacement {
	char *record;
	const char *token;
	struct faults *faults;
	uint32_t n, cap;
	struct replacement_item *items;
	bool half_done; /* some targets are replaced, the others cannot be: the record and what is
	                   new stay */
};

/* FIRST is the path that the record is beside; the same one each time, so that it is found again.
 */
void replacement_init(struct replacement *r, const char *first, const char *token,
                      struct faults *faults);

/* Adds the target PATH, whose links are resolved: where it leads to must not change while a
 * reduction runs. EXPECTED is the stamp of what should be there (NULL: whatever is there is
 * replaced). Returns the name under which the caller makes the new one, and where nothing is yet;
 * the replacement owns it. */
const char *replacement_add(struct replacement *r, const char *path, const struct hash *expected);

/* Replaces all targets; the caller has flushed the new ones to the disk. 0, or -1 with errno: all
 * is as it was, unless half_done. What was replaced is gone, or kept if it was not as expected. */
int replacement_commit(struct replacement *r);

/* Removes what is new and has not replaced its target. */
void replacement_release(struct replacement *r);
