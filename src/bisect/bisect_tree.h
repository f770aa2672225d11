/* Trees of a bisection: one for each revision that is built, below the bisection's directory.
 *
 *     DIR/git                a bare repository with the objects, refs and settings of the user's
 *     DIR/trees/ID-XXXXXX    a revision; its .git is a copy of that
 *     DIR/built/ID           its path, once it is built
 *
 * These are no worktrees of the user's repository: what a build does with git (submodules, say)
 * stays in its tree, which the fence allows, and neither building nor bisecting leaves a trace in
 * the repository. Objects are borrowed, so a tree costs little more than its files.
 *
 * A killed build leaves a tree that nothing names; bisect_trees_remove finds it.
 */
#pragma once

#include <stdbool.h>

struct err;

struct bisect_trees {
	const char *here;   /* a directory in the user's repository */
	const char *common; /* its git directory, the one that its worktrees share */
	const char *dir;    /* of the bisection; all absolute, without symbolic links */
};

/* Makes DIR/git, unless it is there. */
int bisect_trees_open(const struct bisect_trees *t, struct err *err);

/* Makes a tree of revision ID; with BARE a repository without files. Its path, the caller's. No
 * hook runs. */
char *bisect_tree_add(const struct bisect_trees *t, const char *id, bool bare, struct err *err);

/* Notes that the tree at PATH is built. */
int bisect_tree_built(const struct bisect_trees *t, const char *id, const char *path,
                      struct err *err);

/* The path of the built tree of ID, the caller's, or NULL. */
char *bisect_tree_find(const struct bisect_trees *t, const char *id);

/* Removes a tree; nothing happens when PATH is NULL. */
void bisect_tree_remove(const char *path);

/* Removes the built tree of ID. */
void bisect_tree_drop(const struct bisect_trees *t, const char *id);

/* Removes the trees that were not built to the end. */
void bisect_trees_remove(const struct bisect_trees *t);
