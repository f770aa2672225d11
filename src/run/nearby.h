/* A fork server whose runs are short is kept, with what it starts, on the processor of whoever asks
 * it. Asked, forked, ended and answered is in turn: a second processor takes no part of it, but a
 * new process that is started there waits behind what runs there already.
 *
 * Life cycle: zero-initialise; nearby_hold before each question; nearby_let_go when it takes long;
 * nearby_note after each answer. There is nothing to release, and what cannot be done is not.
 */
#ifndef WHITTLE_RUN_NEARBY_H
#define WHITTLE_RUN_NEARBY_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct nearby {
	pid_t server;
	int cpu;       /* that it is kept on; -1: on none */
	cpu_set_t all; /* that we may run on */
	bool quick[2]; /* the last two answers */
};

/* How long a question may take before the server's process is let go. */
enum { NEARBY_NS = 20000000 };

/* SERVER will be asked. It is kept near if one of the last two answers, of whatever server, came
 * soon, but not before its own first one: until then it initializes itself. */
void nearby_hold(struct nearby *n, pid_t server);

/* Is it kept near? */
bool nearby_holds(const struct nearby *n, pid_t server);

/* The server and what it has started, CHILD, may run where we may. */
void nearby_let_go(struct nearby *n, pid_t child);

/* An answer took NS nanoseconds. */
void nearby_note(struct nearby *n, uint64_t ns);

#endif
