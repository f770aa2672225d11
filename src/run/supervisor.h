/* A supervisor: the small process behind one slot of the pool.
 *
 * 1. The pool forks it while the program is small; supervisor_run never returns.
 * 2. It makes itself a child subreaper in a session of its own, so that no signal of the terminal
 * reaches it, closes all but its socket, and makes the slot's directories.
 * 3. It starts one test at a time, waits for its end, its deadline, or a word from the pool, ends
 * what the test left running, answers, then empties the directories while the pool thinks.
 * 4. When the socket closes, because the pool let go of it or died, it ends the test, removes the
 * slot's directory (and the pool's, if it is the last), and exits. It exits, too, when a test has
 * changed its own limits: the pool starts another one.
 */
#pragma once

#include <stdnoreturn.h>

struct child_shared;
struct setup;
struct workdir;

/* A supervisor's exit status when a test has changed its limits: as if the test had killed it. */
enum { MINDER_LOWERED = 77 };

struct supervisor_spec {
	const struct setup *setup;
	const struct workdir *workdir;
	unsigned index;              /* of the slot; its directory exists */
	unsigned slots;              /* there may be so many */
	int sock;                    /* the supervisor's end */
	struct child_shared *shared; /* the slot's */
};

/* In the forked process. */
noreturn void supervisor_run(const struct supervisor_spec *spec);
