/* The pre-push hook itself (whittle-git(7)): reads what is pushed, finds the files with a driver,
 * judges them. */
#ifndef WHITTLE_HOOK_HOOK_RUN_H
#define WHITTLE_HOOK_HOOK_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct session_options;

struct hook_options {
	const char *const *paths;              /* hook_check: patterns of git; NULL at the end */
	bool all;                              /* hook_check: also what is known to be good */
	uint64_t budget_ns;                    /* of each driver; 0: as configured */
	const struct session_options *session; /* jobs, passes, directories of tokenizers */
	const char *remote;                    /* name or URL; NULL: not given */
	int input;                             /* descriptor with git's lines */
	void (*say)(const char *line);         /* what the user should know */
};

/* 0: push; 1: the push has to stop, and the user has been told why; 128 + signal; -1 and err.
 * Changes the working directory and blocks signals: made to be the last thing a process does. */
int hook_run(const struct hook_options *options, struct err *err);

/* The same for the files of HEAD, whatever the mode is. */
int hook_check(const struct hook_options *options, struct err *err);

#endif
