/* A worker, seen from here: the process of a command (`ssh host whittle worker`) that speaks the
 * protocol of whittle-workers(7) over pipes. This module moves bytes and ends processes; what they
 * mean is the oracle's business (far.h).
 *
 * Life cycle: peer_start; when the descriptors are readable peer_read, then frames_next on
 * peer->frames; peer_send for what is to be said, peer_flush when it can be written; peer_close,
 * peer_wait, peer_terminate and peer_reap, which are more and more urgent. A peer that was reaped
 * can be started again.
 */
#ifndef WHITTLE_FAR_PEER_H
#define WHITTLE_FAR_PEER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "far/frames.h"

struct err;

struct peer {
	const char *command; /* of sh; outlives the peer */
	pid_t pid;           /* 0: none was started, or it was reaped */
	int to, from, words; /* its standard input, output and error; -1: closed */
	struct frames frames;
	struct buf send; /* what it has not taken yet, from `sent` on */
	size_t sent;
	char said[160]; /* the last line of its standard error that is not empty */
	size_t said_len;
	bool said_all; /* that line has ended: the next byte begins another */
	bool told;     /* to end */
	bool ended;    /* the first process has, */
	bool reaped;   /* and has been waited for */
	int status;    /* of waitpid, once it is reaped */
};

/* Starts the command in a session of its own. 0, or -1 with err. */
int peer_start(struct peer *p, struct err *err);

/* Reads what is there of its standard error, the last line of which is kept. */
void peer_read_words(struct peer *p);

/* Reads what is there of its standard output. False at its end. */
bool peer_read(struct peer *p);

/* What it has been told but not taken. */
static inline size_t peer_unsent(const struct peer *p)
{
	return p->send.len - p->sent;
}

/* Writes as much of p->send as goes without waiting. False: it reads no more. */
bool peer_flush(struct peer *p);

/* The end of its input: it is to end. */
void peer_close(struct peer *p);

/* Waits up to WAIT_MS for its end. False: it still runs. */
bool peer_wait(struct peer *p, int wait_ms);

/* Whether nothing in its session runs any more. */
bool peer_is_over(struct peer *p);

/* Tells all in its session to end. */
void peer_terminate(struct peer *p);

/* Waits up to WAIT_MS for its end. What it leaves behind in its session is told to end, and killed
 * with it after that time. How it ended, in words, with what it said last: the caller's. */
char *peer_reap(struct peer *p, int wait_ms);

#endif
