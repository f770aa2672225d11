/* The reading side of the store: which reductions there are, and their steps. Nothing here needs
 * the lock. */
#pragma once

#include <git2.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#include "store/reduction.h"

struct buf;
struct err;
struct store_entry;
struct testcase;

/* Which reductions a repository keeps, and which of them a word of the user's means. Nothing here
 * needs a lock. */

/* A reduction as its last commit tells it. */
struct reduction_info {
	const char *name;
	const char *common;   /* git directory that keeps it */
	struct step last;     /* kind STEP_FINISHED, STEP_PAUSED or one of a reduction that was
	                         killed or is running */
	pid_t owner;          /* process that reduces it now; 0: none */
	struct timespec when; /* last verdict kept on this machine; 0: none */
	char *file; /* absolute path of FILE, of a tree the first operand; NULL: was not run here */
	char *out;  /* where its result goes; NULL: in place */
	char *also, *about; /* name of the reduction in which it was met as another failure, and
	                       what that is; NULL: it was not, or is reduced already */
	bool run_here;      /* not only fetched, nor set aside */
	bool is_here; /* of the directory that was asked about: in its repository, or below it */
	bool damaged; /* last is not known */
};

typedef int reduction_fn(void *ctx, const struct reduction_info *, struct err *);

/* Calls FN for each reduction in the repository of STORE (NULL: $GIT_DIR, the one around DIR, or
 * the central one), by name; with EVERYWHERE for those of the central one, too. -1 and err when
 * there is no repository or FN returned -1. */
int history_each(const char *dir, const char *store, bool everywhere, reduction_fn *fn, void *ctx,
                 struct err *err);

/* The name of the only unfinished reduction there; the caller's. NULL and err when there is none,
 * or several, or when it was never run here: its test, which came with it, is only run when its
 * name is given. */
char *history_unfinished(const char *dir, const char *store, struct err *err);

/* Fails, since NAME is somebody else's: WHY says it, behind the name. Tells how to resume it, with
 * --store STORE if that is not NULL. */
int history_untrusted(const char *name, const char *store, const char *why, struct err *err);

/* In a reduction's directory: other failures that were met, a candidate for each exit status
 * (reduce/session_also.h). */
#define REDUCTION_MET "met"

/* Likewise: of a branch, the name of the reduction from a snapshot of which it started. */
#define REDUCTION_BRANCH "branch"

/* Opens SPEC: NAME, NAME:STEP (as in reduction_seek) or NAME~N, where NAME may be all that
 * names_find takes, and FILE may be in another repository than DIR; or STEP alone, of the only
 * reduction of DIR. When DIR is NULL, NAME is exactly that. The caller closes it, also after a
 * failure. */
int reduction_open(struct reduction *r, const char *dir, const char *store, const char *spec,
                   struct err *err);
void reduction_close(struct reduction *r);

/* Opens what a killed process has left of NAME, the directory without the ref, for
 * reduction_delete. -1: there is no such thing. The caller closes it, also after a failure. */
int reduction_open_rest(struct reduction *r, const char *dir, const char *store, const char *name);

/* Sets r->step and r->at from TEXT: a step's number, "original", "last", or "~N": N steps
 * before the result. */
int reduction_seek(struct reduction *r, const char *text, struct err *err);

/* Calls FN for each step from the original to the last. */
int reduction_each(struct reduction *r,
                   int (*fn)(void *ctx, const struct step *, const git_oid *id, struct err *),
                   void *ctx, struct err *err);

/* The test case at r->at, or at AT; the caller's reference. */
struct testcase *reduction_testcase(struct reduction *r, struct err *err);
struct testcase *reduction_at(struct reduction *r, size_t at, struct err *err);

/* Calls FN for each verdict known, some twice: those of the commits, then the journal's, which are
 * of IDENTITY. */
int reduction_verdicts(struct reduction *r, struct hash identity,
                       void (*fn)(void *ctx, const struct store_entry *), void *ctx,
                       struct err *err);

/* Writes the difference between the test cases at steps A and B (indices of the chain) to OUT, as
 * git diff does. */
int reduction_diff(struct reduction *r, size_t a, size_t b, FILE *out, struct err *err);

/* Absolute path of file PATH of the test case: where it was reduced, or where it belongs in this
 * work tree. The caller's. NULL and err when neither is known. */
char *reduction_file(struct reduction *r, const char *path, struct err *err);

/* Would a reduction of FILE be kept in this repository without --store? */
bool reduction_is_at_home(struct reduction *r, const char *file);

char *reduction_options(struct reduction *r, struct err *err);
int reduction_test(struct reduction *r, struct buf *out, struct err *err);
int reduction_identity(struct reduction *r, struct hash *identity, struct err *err);

/* What its last commit says beside its step, such as what was verified; the caller's. NULL:
 * nothing. */
char *reduction_note(struct reduction *r);

/* What was named when it was started, as paths in the test case, a '/' after directories, a NULL at
 * the end; none of a single file. The caller's, strings and array. NULL and err when that cannot be
 * read. */
char **reduction_operands(struct reduction *r, struct err *err);

/* Was this very history run here, and not put in the place of another by a fetch? */
bool reduction_is_own(const struct reduction *r);

/* Was its end written here? */
bool reduction_finished_here(const struct reduction *r);

/* The value that store_options.local had for KEY when it was last run here; the caller's. NULL when
 * that is not known. */
char *reduction_local(const struct reduction *r, const char *key);

/* The process that reduces it now; 0: none. */
pid_t reduction_owner(const struct reduction *r);

/* Takes the reduction's lock: -1 and "is being reduced by process PID" when a process has it. Held
 * until the process ends or closes the descriptor, which is returned. */
int reduction_lock(struct reduction *r, struct err *err);

/* Is CONTENT that of one of its steps? 1, 0, or -1 and err. */
int reduction_has(struct reduction *r, struct hash content, struct err *err);

/* Likewise, or of a step of another reduction of the same file, such as a branch? */
int reduction_kept(struct reduction *r, struct hash content, struct err *err);

/* Does its journal, which is of IDENTITY, say that TC is interesting? 1, 0, or -1
 * and err. */
int reduction_says_yes(struct reduction *r, struct hash identity, const struct testcase *tc,
                       struct err *err);

/* Replaces the history of a finished reduction by two commits, original and result; the verdicts
 * go. Needs the lock. */
int reduction_squash(struct reduction *r, struct err *err);

/* Removes ref and files of the reduction. Its objects go with the repository's next gc. Needs the
 * lock. */
int reduction_delete(struct reduction *r, struct err *err);
