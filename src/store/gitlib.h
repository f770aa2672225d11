/* What every file here needs around libgit2: its start with our settings, its errors as ours, and
 * the objects it does not let us make without writing them. */
#pragma once

#include <git2.h>

struct err;

/* Starts libgit2 (counted: each start needs a gitlib_stop): bounded caches, fsync of what is
 * written to a git directory, and the repository extensions that touch neither objects nor refs are
 * accepted. */
int gitlib_start(struct err *err);
void gitlib_stop(void);

/* git_repository_open_ext, which in some versions says of a repository that belongs to somebody
 * else that there is none (GIT_ENOTFOUND): GIT_EOWNER in all of them. */
int gitlib_open(git_repository **repo, const char *path, unsigned flags, const char *ceilings);

/* git_commit_lookup; -1 also when the commit has no message, as libgit2 leaves it without memory.
 */
int gitlib_commit(git_commit **commit, git_repository *repo, const git_oid *id);

/* git_tree_walk, in preorder, over the tree of COMMIT. What FN returns when it is below 0, or -1
 * when something cannot be read. */
int gitlib_walk(git_repository *repo, const git_oid *commit, git_treewalk_cb fn, void *ctx);

/* ERR_SYSTEM, the formatted text, ": " and libgit2's message. Returns -1. */
int gitlib_fail(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
