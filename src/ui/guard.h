/* A process that puts the terminal right should we die without doing so: a crash, or kill -9. It
 * waits at the end of a pipe, in a session of its own, where no key and no hang-up reaches it.
 *
 * Life cycle: guard_start early, while the program is small; guard_arm as soon as the terminal is
 * changed, guard_disarm when it is as it was; guard_end.
 */
#ifndef WHITTLE_UI_GUARD_H
#define WHITTLE_UI_GUARD_H

#include <stddef.h>
#include <sys/types.h>

struct guard {
	pid_t pid;
	int pipe; /* -1: there is none */
};

/* TTY: the terminal, as it is to be again. LOG: a file whose content is written to the terminal
 * after that, so that last words are not lost; -1: none. 0, or -1 with errno. */
int guard_start(struct guard *g, int tty, int log);

/* From now on BYTES (fewer than 512) are what resets the terminal. */
void guard_arm(struct guard *g, const void *bytes, size_t len);
void guard_disarm(struct guard *g);

/* Ends it, waits for that. */
void guard_end(struct guard *g);

#endif
