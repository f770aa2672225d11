/* What every file here needs around libgit2: its start with our settings, its errors as ours, and
 * the objects it does not let us make without writing them. */
#ifndef WHITTLE_STORE_GITLIB_H
#define WHITTLE_STORE_GITLIB_H

#include <git2.h>

struct err;

/* Starts libgit2 (counted: each start needs a gitlib_stop): bounded caches, fsync of what is
 * written to a git directory, and the repository extensions that touch neither objects nor refs are
 * accepted. */
int gitlib_start(struct err *err);
void gitlib_stop(void);

/* ERR_SYSTEM, the formatted text, ": " and libgit2's message. Returns -1. */
int gitlib_fail(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
