/* git, asked by a bisection: in a directory of its choice, and without side effects on the user's
 * repository. No hooks run (but for a reference-transaction hook, which git bisect calls whatever
 * core.hooksPath says), nothing is collected or maintained, and what git says on failure becomes
 * the error.
 */
#pragma once

struct buf;
struct err;

#define GIT_ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Runs git ARGS as if started in DIR (NULL: here). What it prints is added to *out (NULL: dropped).
 * Its exit status; -1 and err when it could not be run. Unless the status is 0, err says what git
 * said. */
int bisect_git_status(const char *dir, const char *const *args, struct buf *out, struct err *err);

/* The same where only 0 will do: 0, or -1 and err. */
int bisect_git(const char *dir, const char *const *args, struct buf *out, struct err *err);

/* The first line that git ARGS prints, without its end; the caller's. NULL and err on failure. */
char *bisect_git_line(const char *dir, const char *const *args, struct err *err);
