/* Test and files of a bisection that checks revisions out around them.
 *
 * `git bisect run` changes the work tree at each step, and what is tracked there changes with it:
 * the test case may be an older one at the next revision, or be missing. What counts is what the
 * user had when the bisection was started. So the first call keeps copies below the git directory,
 * and later ones use them wherever the work tree holds what a checkout put there. What no checkout
 * controls (outside the work tree, untracked, changed by the user) is used in place.
 *
 * A directory in the work tree may hold all kinds of files; it is always copied: what git tracks as
 * it counts, the rest as it is. Copies lie below kept/ as the originals lie below the root, so
 * several operands keep their places to one another.
 */
#ifndef WHITTLE_BISECT_BISECT_INPUT_H
#define WHITTLE_BISECT_BISECT_INPUT_H

#include <stdint.h>

struct err;

struct bisect_input {
	char *top;     /* the work tree, absolute */
	char *git_dir; /* absolute */
	char *dir;     /* kept things of this bisection: GITDIR/whittle/.bisect/run */
	char *head;    /* id of the revision checked out */
	char *subject; /* its subject */
	int running;   /* is a bisection under way? */
};

/* Finds all that out, from the current directory. Outside a bisection the directory is there, too,
 * for the log. */
int bisect_input_open(struct bisect_input *in, struct err *err);
void bisect_input_close(struct bisect_input *in);

/* The path to use for PATH as the user named it; the caller's. NULL and err when it is neither
 * there nor known. */
char *bisect_input_find(struct bisect_input *in, const char *path, struct err *err);

/* The same for N operands, which stay where they are to one another; an array with a NULL at its
 * end, the caller's with its strings (input_free_operands). */
char **bisect_input_find_all(struct bisect_input *in, const char *const *paths, uint32_t n,
                             struct err *err);

/* Can TEST be run? -1 and err say why not. */
int bisect_check_test(const char *test, struct err *err);

#endif
