/* Finds a driver's test, and refuses one that a clone, a checkout or a pull could have put there:
 * one that lies in a work tree of the repository, wherever that is and however git knows of it (a
 * linked one, core.worktree, a git directory elsewhere, a submodule and what it is a part of).
 * Below a directory named .git no checkout writes.
 */
#ifndef WHITTLE_HOOK_HOOK_TEST_H
#define WHITTLE_HOOK_HOOK_TEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

struct err;
struct hook_driver;

struct hook_checkouts {
	char *common;     /* the git directory that all worktrees share, absolute, no links */
	char **worktrees; /* the tops of work trees that git names; NULL at the end */
	size_t n, cap;
};

int hook_checkouts_find(struct hook_checkouts *checkouts, struct err *err);
void hook_checkouts_release(struct hook_checkouts *checkouts);

/* Could a checkout write the file PATH, absolute and without links? 1, 0, -1 and err. */
int hook_checkouts_in_worktree(const struct hook_checkouts *checkouts, const char *path,
                               struct err *err);

/* The absolute path of what the configuration calls PATH (hook_config.h); the caller's. */
char *hook_path(const struct hook_checkouts *checkouts, const char *path);

/* The test of D, absolute; the caller's. NULL and err: there is none, it cannot be run, or it lies
 * in a work tree, where its content is not the user's but of whoever wrote the commit that is
 * checked out. *id: of its content. */
char *hook_test_find(const struct hook_checkouts *checkouts, const struct hook_driver *d,
                     struct hash *id, struct err *err);

#endif
