/* Asks git. Its plumbing knows every kind of repository (object formats, ref formats, extensions,
 * partial clones), the configuration of this very command (`git -c`, includes) and whom to trust
 * (safe.directory), where a library of another age knows some. A question costs two milliseconds,
 * so few are asked.
 *
 * The repository is the one that git finds from here and from the environment, as for any other git
 * command.
 */
#pragma once

#include <stdbool.h>

struct buf;
struct err;

struct git_call {
	const char *const *argv; /* what is after "git"; NULL at the end */
	const struct buf *in;    /* standard input; NULL: empty */
	const char *index;       /* an index file other than the user's; NULL: no matter */
	bool apart;              /* objects are where the repository is, whatever a hook's or the
	                            user's environment says of another one */
	bool stoppable;          /* ended when the program is to stop (base/signals.h) */
};

/* Runs git and appends what it prints to *out (NULL: dropped). Its exit status, and err when that
 * is not 0: the last of git's messages, which never reach the terminal, after the name of the
 * command. -1 and err when it could not be run or was killed, ERR_STOPPED when it was ended since
 * the program is to stop. Signals that the caller blocks are not blocked for git. What git has
 * started and left goes on: see reap_descendants (run/reap.h). */
int git_run(const struct git_call *call, struct buf *out, struct err *err);

/* The same; any status but 0 is a failure, too: -1. */
int git_ask(const struct git_call *call, struct buf *out, struct err *err);

/* What git prints to a simple question, which is stoppable, without the line's end. NULL and err on
 * failure; the caller frees it. */
char *git_answer(const char *const argv[], struct err *err);

/* Forgets the variables by which git tells the commands it starts which repository it is working
 * on, so that a git that is started from here on looks for its own. */
void git_leave_repository(void);
