/* The job server of a make above (GNU make's manual, "Sharing Job Slots with GNU make"): a pipe or
 * FIFO that holds one byte, a token, for each job that may be started beside the one that every
 * client may run anyway. Who reads a token writes the same byte back when that job has ended.
 *
 * The descriptors of a pipe are shared by all clients, and so is its O_NONBLOCK, which some set and
 * some clear. We open the pipe once more and read without blocking from a file description of our
 * own.
 */
#pragma once

#include <sys/types.h>

struct err;
struct keeper_hold;

struct jobserver {
	int get, put;  /* our own, non-blocking, close-on-exec; -1: none */
	unsigned jobs; /* make's -j; 0: it does not say */
};

enum jobserver_found {
	JOBSERVER_NONE,
	JOBSERVER_FOUND,
	JOBSERVER_UNUSABLE, /* there is one that cannot be reached: make left the recipe without its
	                       descriptors */
};

/* Looks for a job server in MAKEFLAGS, the variable's value (may be NULL): --jobserver-auth=R,W or
 * fifo:PATH, or the older
 * --jobserver-fds=R,W; the last one counts. Call it before other files are opened: a closed
 * descriptor's number is soon that of something else. When found, js->get and js->put are open
 * until jobserver_close. */
enum jobserver_found jobserver_find(struct jobserver *js, const char *makeflags);

void jobserver_close(struct jobserver *js);

/* The number of tokens that nobody has taken, as of now. */
unsigned jobserver_left(const struct jobserver *js);

/* The keeper: the small process that holds what was taken from a job server (jobserver.h), so that
 * each token goes back whatever becomes of us. It reads a token when it is asked to and says so;
 * when its socket closes, because we are done or were killed, it writes back all it has, and exits.
 * Nobody else reads or writes tokens, so there is no moment at which a kill could lose one.
 *
 * Life cycle: keeper_start while the program is small; keeper_say what is wanted, keeper_hear when
 * keeper->sock is readable; keeper_stop. Should the keeper itself be killed, tokens stay as they
 * were until keeper_stop, which then writes them back.
 */

struct keeper {
	pid_t pid; /* 0: none */
	int sock;
	struct jobserver server;  /* borrowed */
	struct keeper_hold *hold; /* shared memory: what is held */
};

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
