/* What the parts of `whittle bisect` share: what the user asked for, and what is known about a
 * revision.
 *
 * As a helper of `git bisect run` (bisect_helper.h) one revision is judged, the one that is checked
 * out. As a command of its own it judges both ends, walks the history between them, and reduces
 * between the commit that it has found and its parent.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "fence/fence.h"

struct buf;
struct err;

/* What a revision is; the values are the exit statuses in which `git bisect run` is told so. No
 * other status is ever used: 126, 127 and 128 up mean other things there, and a status of the
 * test's own would be taken for one of these. */
enum bisect_answer {
	BISECT_GOOD = 0,   /* the bug does not show */
	BISECT_BAD = 1,    /* it shows */
	BISECT_SKIP = 125, /* it cannot be told: not to be built, or the test has no opinion */
	BISECT_STOP = 255, /* the set-up is broken, each further revision would fail alike */
};

struct bisect_options {
	const char *test;         /* as named on the command line */
	const char *const *files; /* the operands: files and directories */
	uint32_t n_files;
	const char *build; /* shell command; NULL: nothing to build */
	uint64_t repeat;   /* runs of the test on a revision: bad if the bug shows in any of them */
	uint64_t timeout_ns;   /* deadline of a test; 0: BISECT_TIMEOUT_NS */
	uint64_t memory_limit; /* as in struct setup */
	unsigned input;
	struct fence_options fence;
	/* Of the command alone. */
	const char *good, *bad; /* revisions */
	const char *out;        /* a copy of the reduced file goes there; NULL: none */
	bool no_reduce;         /* the commit is all that is wanted */
	bool note;              /* attach the reduced file to the commit */
	bool keep;              /* keep worktrees and verdicts */
	bool quiet;             /* nothing about single revisions */
};

#define BISECT_TIMEOUT_NS 600000000000u /* ten minutes */

/* The word for an answer: "good", "bad", "skip", "stop". */
const char *bisect_word(enum bisect_answer answer);

/* Copies of small trees. Each function: 0, or -1 with errno. */

/* Copies what is in the directory FROM (files, directories, symbolic links) into the existing
 * directory TO. */
int copy_tree(const char *from, const char *to);

/* Copies one of these, and what is in it, to the path TO, where nothing is. */
int copy_entry(const char *from, const char *to);

enum { BISECT_ID_SIZE = 65 }; /* of a commit, in hex, of either kind, with its NUL */

/* Prints one line, and returns the exit status: one of enum bisect_answer, whatever happens. */
int bisect_helper(const struct bisect_options *options);

/* git, asked by a bisection: in a directory of its choice, and without side effects on the user's
 * repository. No hooks run (but for a reference-transaction hook, which git bisect calls whatever
 * core.hooksPath says), nothing is collected or maintained, and what git says on failure becomes
 * the error.
 */

#define GIT_ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Runs git ARGS as if started in DIR (NULL: here). What it prints is added to *out (NULL: dropped).
 * Its exit status; -1 and err when it could not be run. Unless the status is 0, err says what git
 * said. */
int bisect_git_status(const char *dir, const char *const *args, struct buf *out, struct err *err);

/* The same where only 0 will do: 0, or -1 and err. */
int bisect_git(const char *dir, const char *const *args, struct buf *out, struct err *err);

/* The first line that git ARGS prints, without its end; the caller's. NULL and err on failure. */
char *bisect_git_line(const char *dir, const char *const *args, struct err *err);
