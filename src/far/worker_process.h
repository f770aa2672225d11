/* A worker, seen from here: the process of a command (`ssh host whittle worker`) that speaks the
 * protocol of whittle-workers(7) over pipes. This module moves bytes and ends processes; what they
 * mean is the oracle's business (far.h).
 *
 * Life cycle: worker_process_start; when the descriptors are readable worker_process_read, then
 * frames_next on peer->frames; worker_process_send for what is to be said, worker_process_flush
 * when it can be written; worker_process_close, worker_process_wait, worker_process_terminate and
 * worker_process_reap, which are more and more urgent. A peer that was reaped can be started again.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "far/frames.h"

struct err;

struct worker_process {
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
int worker_process_start(struct worker_process *p, struct err *err);

/* Reads what is there of its standard error, the last line of which is kept. */
void worker_process_read_words(struct worker_process *p);

/* Reads what is there of its standard output. False at its end. */
bool worker_process_read(struct worker_process *p);

/* What it has been told but not taken. */
static inline size_t worker_process_unsent(const struct worker_process *p)
{
	return p->send.len - p->sent;
}

/* Writes as much of p->send as goes without waiting. False: it reads no more. */
bool worker_process_flush(struct worker_process *p);

/* The end of its input: it is to end. */
void worker_process_close(struct worker_process *p);

/* Waits up to WAIT_MS for its end. False: it still runs. */
bool worker_process_wait(struct worker_process *p, int wait_ms);

/* Whether nothing in its session runs any more. */
bool worker_process_is_over(struct worker_process *p);

/* Tells all in its session to end. */
void worker_process_terminate(struct worker_process *p);

/* Waits up to WAIT_MS for its end. What it leaves behind in its session is told to end, and killed
 * with it after that time. How it ended, in words, with what it said last: the caller's. */
char *worker_process_reap(struct worker_process *p, int wait_ms);
