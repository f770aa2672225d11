/* The keeper: the small process that holds what was taken from a job server (jobserver.h), so that
 * each token goes back whatever becomes of us. It reads a token when it is asked to and says so;
 * when its socket closes, because we are done or were killed, it writes back all it has, and exits.
 * Nobody else reads or writes tokens, so there is no moment at which a kill could lose one.
 *
 * Life cycle: keeper_start while the program is small; keeper_say what is wanted, keeper_hear when
 * keeper->sock is readable; keeper_stop. Should the keeper itself be killed, tokens stay as they
 * were until keeper_stop, which then writes them back.
 */
#pragma once

#include <sys/types.h>

#include "run/jobserver.h"

struct err;
struct keeper_hold;

struct keeper {
	pid_t pid; /* 0: none */
	int sock;
	struct jobserver server;  /* borrowed */
	struct keeper_hold *hold; /* shared memory: what is held */
};

enum { KEEPER_MAX = 4096 }; /* tokens */

/* Forks the keeper of SERVER, which stays open until keeper_stop. 0, or -1 with err. */
int keeper_start(struct keeper *keeper, const struct jobserver *server, struct err *err);

/* Gives back GIVE tokens now; from then on takes what comes, after REST_MS milliseconds, until it
 * holds WANT. */
void keeper_say(struct keeper *keeper, unsigned give, unsigned want, unsigned rest_ms);

/* How many tokens came in, after keeper->sock became readable; -1: the keeper is gone. */
int keeper_hear(struct keeper *keeper);

/* After it is gone: sock is closed and -1. */
void keeper_leave(struct keeper *keeper);

/* All tokens are back when this returns. */
void keeper_stop(struct keeper *keeper);
