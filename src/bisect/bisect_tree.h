/* Worktrees of a bisection: one for each revision that is built, below the bisection's directory.
 *
 *     DIR/trees/ID-XXXXXX    the worktree
 *     DIR/built/ID           its path, once it is built
 *     DIR/built/ID.lock      locked by who builds it
 *
 * A killed build leaves a worktree that nothing names; bisect_trees_remove finds them all by what
 * git keeps about them.
 */
#ifndef WHITTLE_BISECT_BISECT_TREE_H
#define WHITTLE_BISECT_BISECT_TREE_H

#include <stdbool.h>

struct err;

struct bisect_trees {
	const char *here;   /* a directory in the user's repository */
	const char *common; /* its git directory, the one that its worktrees share */
	const char *dir;    /* of the bisection; all absolute, without symbolic links */
};

/* Makes a worktree of revision ID, with its files unless BARE; its path, the caller's. No hook
 * runs. */
char *bisect_tree_add(const struct bisect_trees *t, const char *id, bool bare, struct err *err);

/* Waits until nobody else builds revision ID, and keeps others from it until bisect_tree_unlock. */
int bisect_tree_lock(const struct bisect_trees *t, const char *id);
void bisect_tree_unlock(int lock);

/* Notes that the worktree at PATH is built. */
int bisect_tree_built(const struct bisect_trees *t, const char *id, const char *path,
                      struct err *err);

/* The path of the built worktree of ID, the caller's, or NULL. */
char *bisect_tree_find(const struct bisect_trees *t, const char *id);

/* Removes a worktree; nothing happens when PATH is NULL. */
void bisect_tree_remove(const struct bisect_trees *t, const char *path);

/* Removes the built worktree of ID. */
void bisect_tree_drop(const struct bisect_trees *t, const char *id);

/* Removes all worktrees of the bisection, but with BUILT_TOO unset not the ones that are built. */
void bisect_trees_remove(const struct bisect_trees *t, bool built_too);

#endif
