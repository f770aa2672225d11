/* A fork server whose runs are short is kept, with what it starts, on the processor of whoever asks
 * it. Asked, forked, ended and answered is in turn: a second processor takes no part of it, but a
 * new process that is started there waits behind what runs there already.
 *
 * Life cycle: zero-initialise; affinity_hold before each question; affinity_let_go when it takes
 * long; affinity_note after each answer. There is nothing to release, and what cannot be done is
 * not.
 */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct affinity {
	pid_t server;
	int cpu;       /* that it is kept on; -1: on none */
	cpu_set_t all; /* that we may run on */
	bool quick[2]; /* the last two answers */
};

/* How long a question may take before the server's process is let go. */
enum { NEARBY_NS = 20000000 };

/* SERVER will be asked. It is kept near if one of the last two answers, of whatever server, came
 * soon, but not before its own first one: until then it initializes itself. */
void affinity_hold(struct affinity *n, pid_t server);

/* Is it kept near? */
bool affinity_holds(const struct affinity *n, pid_t server);

/* The server and what it has started, CHILD, may run where we may. */
void affinity_let_go(struct affinity *n, pid_t child);

/* An answer took NS nanoseconds. */
void affinity_note(struct affinity *n, uint64_t ns);

/* The processors that we may run on, at least 1. */
unsigned affinity_processors(void);
