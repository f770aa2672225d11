/* Where a reduction is kept: which repository, and under which name.
 *
 *     refs/whittle/NAME            the snapshots
 *     COMMON/whittle/NAME/journal  every verdict (journal.h)
 *     COMMON/whittle/NAME/lock     held by the one writer
 *     COMMON/whittle/NAME/packs    the packs that this reduction wrote, one checksum per line
 *     COMMON/whittle/NAME/temps    names of temporary files (disk/leftovers.h)
 *     COMMON/whittle/NAME/external answers of external passes (external/external_host.h)
 *     COMMON/whittle/NAME/output   what the command printed on the result (reduce/session_store.h)
 *     COMMON/whittle/NAME/origin   absolute path of FILE
 *     COMMON/whittle/NAME/local    what else is known of this machine (store_options.local)
 *     COMMON/whittle/NAME/first    id of the first commit when it was last run here
 *     COMMON/whittle/NAME/finished id of the last commit, when it ended here
 *     COMMON/whittle/NAME/pulse    what the run does at this moment (ui/status_file.h)
 *     COMMON/whittle/NAME/moving   there while the ref is moved (refs.c)
 *
 * COMMON is the git directory that all worktrees share. The repository is, in this order: the one
 * asked for; $GIT_DIR; the one that holds FILE; the bare one in
 * ${XDG_STATE_HOME:-~/.local/state}/whittle/store.git, made when missing.
 */
#pragma once

#include <git2.h>
#include <stdbool.h>

struct err;

#define LOCATION_REFS "refs/whittle/"

struct location {
	git_repository *repo;
	char *common; /* ends with '/' */
	char *name;
	char *ref;    /* refs/whittle/NAME */
	char *dir;    /* COMMON/whittle/NAME */
	char *prefix; /* where the test case's paths begin in the trees: "", or a path that ends
	                 with '/' */
	char *asked;  /* the repository that the command names; NULL: none */
	char *file;   /* absolute path of FILE, of a tree the first operand; NULL when not known */
};

/* Why there may be nothing yet; ends a message that says so. */
#define LOCATION_SOON "a reduction that has just begun appears after the first runs of its test"

/* Opens the repository for a reader: OVERRIDE, $GIT_DIR, the one around DIR, or the central one.
 * NULL and err; when there is no repository, err says so. Needs gitlib_start. */
git_repository *location_repository(const char *dir, const char *override, struct err *err);

/* That around FILE; NULL: there is none. */
git_repository *location_around(const char *file);

/* Is nothing kept for DIR because its snapshots go to the user's own repository, and none was made
 * yet? */
bool location_none_yet(const char *dir, const char *override);

/* Is REPO the central one? And that one, opened; NULL and err when there is none. */
bool location_is_central(git_repository *repo);
git_repository *location_central(struct err *err);

/* Finds the location for reducing the file, or the operands, of OPTIONS. Without a name one is
 * derived from the path relative to the work tree, so that it is the same in every clone; with a
 * short hash when the path is not usable as it is, with the worktree's name in a linked worktree,
 * and with "+" when there are more operands. Makes the central repository, or the one that was
 * asked for, when missing. The caller releases the location also after a failure. */
struct store_options;
int location_find(struct location *location, const struct store_options *options, struct err *err);

/* The location of an existing reduction in REPO, which the location owns from now on. FILE and
 * prefix stay unknown. */
void location_named(struct location *location, git_repository *repo, const char *name);

void location_release(struct location *location);

/* Opens the repository again: git gc may have replaced packs that libgit2 still believes in. */
int location_reopen(struct location *location, struct err *err);

#define LOCATION_FIRST "first"
#define LOCATION_FINISHED "finished"

/* COMMON/whittle/NAME/LEAF; the caller frees it. */
char *location_path(const struct location *location, const char *leaf);

/* The first line of the file LEAF of the directory DIR that begins with KEY, without it; the
 * caller's. NULL: there is none. */
char *location_line(const char *dir, const char *leaf, const char *key);

/* Makes COMMON/whittle/NAME. -1 and err, which says what to do when the repository is read-only. */
int location_make_dir(const struct location *location, struct err *err);

/* Is this usable as the name of a reduction? One component of a ref, without ':'. */
bool location_name_valid(const char *name);
