/* The pre-push hook itself (whittle-git(7)): reads what is pushed, finds the files with a driver,
 * judges them. */
#ifndef WHITTLE_INTEG_HOOK_RUN_H
#define WHITTLE_INTEG_HOOK_RUN_H

struct err;
struct session_options;

struct hook_options {
	const struct session_options *session; /* jobs, passes, directories of tokenizers */
	const char *remote;                    /* name or URL; NULL: not given */
	int input;                             /* descriptor with git's lines */
	void (*say)(const char *line);         /* what the user should know */
};

/* 0: push; 1: the push has to stop, and the user has been told why; 128 + signal; -1 and err.
 * Changes the working directory and blocks signals: made to be the last thing a process does. */
int hook_run(const struct hook_options *options, struct err *err);

#endif
