/* A persistent test: the process of a slot's supervisor that answers for one candidate after
 * another.
 *
 * Life cycle: zero-initialise; persistent_start; for each candidate persistent_ask, then
 * persistent_hear when persistent->from is readable; persistent_end, after which nothing of it runs
 * any more. It works in the directories of WIRE_PERSISTENT or WIRE_BESIDE, which are emptied when
 * it ends (those of a fork server: after each answer); the candidates lie in those of their
 * generations, as ever.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/dialog.h"
#include "run/forkserver.h"

struct persistent {
	pid_t pid;         /* 0: none lives */
	int to, from;      /* its standard input and output, our ends */
	unsigned answers;  /* that it has given */
	uint64_t first_ns; /* from a start to the first answer: of the last one that got so far */
	struct dialog dialog;
	const char *rest; /* of the question: what its pipe had no room for, */
	size_t left;      /* so many bytes */
	bool forks;       /* it is a fork server; else it reads lines */
	struct forkserver server;
	unsigned set; /* where it works: WIRE_PERSISTENT, WIRE_BESIDE */
	int input;    /* standard input of what that starts, a file in memory */
	/* Whether each answer is that of a fresh process: a fork server's that shares nothing with
	 * the server, in directories where nothing was left. */
	bool fresh;
};

/* Makes the pipes, and what a fork server needs if it is one (FORKS); *in and *out are the child's
 * ends, to be closed by the caller when it has been started. 0, or -1 with errno. */
int persistent_open(struct persistent *l, bool forks, int *in, int *out);

/* Closes our ends, of one that could not be started, too. */
void persistent_close(struct persistent *l);

/* Sends it LINE (a fork server: not that, but the word for the next process), which ends with a
 * newline and outlives the answer. While something is left, its pipe is full: persistent_go_on when
 * persistent->to takes more. False when it cannot be asked: it is gone, or has said something that
 * nobody asked for. */
bool persistent_ask(struct persistent *l, const char *line, size_t len);

/* Sends as much of what is left as the pipe takes. False: it reads no more. */
bool persistent_go_on(struct persistent *l);

/* Takes what it has said; *status: of a fork server a wait status. DIALOG_OVER: it has ended, or
 * says nothing any more. */
enum dialog_state persistent_hear(struct persistent *l, int *status);

/* Does the fork server, which is ready, share neither memory that can be written to nor descriptors
 * (but for the standard ones and its own) with what it starts? */
bool persistent_keeps_apart(const struct persistent *l);

/* Whether it has ended; it was not waited for. */
bool persistent_is_over(const struct persistent *l);

/* Ends it with all that it has started, and whatever else there is but OTHER (0: nobody) and what
 * that has not left. Its wait status. */
int persistent_end(struct persistent *l, pid_t other);
