/* Asks git. Its plumbing knows every kind of repository (object formats, ref formats, extensions,
 * partial clones), the configuration of this very command (`git -c`, includes) and whom to trust
 * (safe.directory), where a library of another age knows some. A question costs two milliseconds,
 * so few are asked.
 *
 * The repository is the one that git finds from here and from the environment, as for any other git
 * command.
 */
#pragma once

#include <git2.h>
#include <stdbool.h>

#include "base/mem.h"

SCOPED_POINTER(git_repository, git_repository *, git_repository_free)
SCOPED_POINTER(git_reference, git_reference *, git_reference_free)
SCOPED_POINTER(git_commit, git_commit *, git_commit_free)
SCOPED_POINTER(git_tree, git_tree *, git_tree_free)
SCOPED_POINTER(git_blob, git_blob *, git_blob_free)

struct buf;
struct err;

/* What every file here needs around libgit2: its start with our settings, its errors as ours, and
 * the objects it does not let us make without writing them. */

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

struct git_call {
	const char *const *argv; /* what is after "git"; NULL at the end */
	const struct buf *in;    /* standard input; NULL: empty */
	const char *index;       /* an index file other than the user's; NULL: no matter */
	bool apart;              /* objects are where the repository is, whatever a hook's or the
	                            user's environment says of another one */
	bool stoppable;          /* ended when the program is to stop (base/signals.h) */
};

/* Runs git and appends what it prints to *out (NULL: dropped). Its exit status, and err when that
 * is not 0: the last of git's messages, which never reach the terminal, after the name of the
 * command. -1 and err when it could not be run or was killed, ERR_STOPPED when it was ended since
 * the program is to stop. Signals that the caller blocks are not blocked for git. What git has
 * started and left goes on: see reap_descendants (run/reap.h). */
int git_run(const struct git_call *call, struct buf *out, struct err *err);

/* The same; any status but 0 is a failure, too: -1. */
int git_ask(const struct git_call *call, struct buf *out, struct err *err);

/* What git prints to a simple question, which is stoppable, without the line's end. NULL and err on
 * failure; the caller frees it. */
char *git_answer(const char *const argv[], struct err *err);

/* Forgets the variables by which git tells the commands it starts which repository it is working
 * on, so that a git that is started from here on looks for its own. */
void git_leave_repository(void);
