/* Which reductions a repository keeps, and which of them a word of the user's means. Nothing here
 * needs a lock. */
#pragma once

#include <git2.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "store/step.h"

struct err;

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

/* The name of the reduction in REPO that TEXT means; the caller's. TEXT is a name; or FILE, where
 * it is or where its result goes; or, of those of the directory DIR, a part of one name alone, "@"
 * for the one that ran last, NULL for the only one. Reductions that were run here come before those
 * that were only fetched or set aside. NULL and err (ERR_USAGE) when it means none, or several. */
char *names_find(git_repository *repo, const char *dir, const char *text, struct err *err);
