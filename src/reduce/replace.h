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

#include "base/hash.h"

struct err;
struct faults;

enum { REPLACE_TOKEN = 9 }; /* bytes of one, as a string */

struct replacement_item {
	char *path;           /* the place */
	char *temp;           /* the new thing, beside it */
	bool expects;         /* something certain is to stand in the place: */
	struct hash expected; /* its stamp; zero: nothing */
	struct hash stamp;    /* of the new thing, known after replacement_commit */
	char *edited;         /* what stood there instead is kept under this name; NULL */
};

struct replacement {
	char *record;
	const char *token;
	struct faults *faults;
	uint32_t n, cap;
	struct replacement_item *items;
	bool half_done; /* some are in place, the others cannot be put there: record and new things
	                   stay */
};

/* A token of its own for this process. */
void replacement_token(char token[REPLACE_TOKEN]);

/* The name for what is to replace PATH (a real one), with ENDING behind it; the caller's. */
char *replacement_name(const char *path, const char *token, const char *ending);

/* Is NAME such a name for PATH, by whatever process, or PATH.edited? */
bool replacement_is_name(const char *name, const char *path);

/* The first free one of NAME, NAME.1, NAME.2...; the caller's. */
char *replacement_free_name(const char *name);

/* FIRST is the path that the record is beside; the same one each time, so that it is found again.
 */
void replacement_init(struct replacement *r, const char *first, const char *token,
                      struct faults *faults);

/* Something for PATH (of a symbolic link: for what it points to). EXPECTED is the stamp of what
 * should stand there (NULL: whatever it is goes). Returns the name under which it is to be made,
 * where nothing is; owned by the replacement. */
const char *replacement_add(struct replacement *r, const char *path, const struct hash *expected);

/* Puts all in place; what is made has been brought to the disk. 0, or -1 with errno: unless it is
 * half done all is as it was. What was replaced is gone, or kept when it was not expected. */
int replacement_commit(struct replacement *r);

/* Removes what has not come to its place. */
void replacement_release(struct replacement *r);

/* What LOOK_ONLY does not do is finishing. */
struct replacement_left {
	const char *first;   /* as above */
	char *const *places; /* real paths of all that this run may replace; N_PLACES of them */
	uint32_t n_places;
	bool look_only;
};

/* Finishes what a killed process has begun to replace; places that have changed since stay as they
 * are. 1: it did, or would; 0: there is nothing to do; -1 and err: something has the record's name
 * that is no record, or is about other places. Then nothing is touched. */
int replacement_finish(const struct replacement_left *left, struct err *err);

#endif
