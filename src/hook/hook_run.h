/* The pre-push hook itself (whittle-git(7)): reads what is pushed, finds the files with a driver,
 * judges them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;
struct session_options;

typedef void hook_say_fn(const char *line); /* for a terminal: base/show.h */

struct hook_options {
	const char *const *paths;              /* hook_check: patterns of git; NULL at the end */
	bool all;                              /* hook_check: also what is known to be good */
	uint64_t budget_ns;                    /* of each driver; 0: as configured */
	const struct session_options *session; /* jobs, passes, directories of tokenizers */
	const char *remote;                    /* name or URL; NULL: not given */
	int input;                             /* descriptor with git's lines */
	hook_say_fn *say;                      /* hears what the user should know */
};

/* 0: push; 1: the push has to stop, and the user has been told why; 128 + signal; -1 and err.
 * Changes the working directory and blocks signals: made to be the last thing a process does. */
int hook_run(const struct hook_options *options, struct err *err);

/* The same for the files of HEAD, whatever the mode is; 1 also when nothing was judged and nothing
 * is known to be good. */
int hook_check(const struct hook_options *options, struct err *err);

/* What the hook would look at: its mode and drivers, which files of HEAD have one, which are
 * checked when they are pushed, which are not and why. Nothing is judged. Tells it line by line. -1
 * and err. Leaves for the top of the work tree. */
int hook_overview(hook_say_fn *say, struct err *err);
