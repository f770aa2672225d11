/* The slots of a pool: their minders, directories and sockets. Internal to the pool; pool.c makes
 * an oracle of them.
 *
 * A slot is idle, runs a test, or is still tidying up after one that was cancelled; slot_free says
 * whether it can take the next one (wire.h says why it can do so before the tidying has ended).
 */
#ifndef WHITTLE_RUN_SLOTS_H
#define WHITTLE_RUN_SLOTS_H

#include <stdbool.h>

#include "run/slots_def.h"
#include "run/slots_minders.h"

struct err;

/* Starts setup->jobs minders. 0, or -1 with err; release in either case. SETUP outlives the
 * slots. */
int slots_init(struct slots *slots, const struct setup *setup, struct err *err);

/* Ends all tests and minders, waits for them, removes the directories. */
void slots_release(struct slots *slots);

struct slots_count {
	unsigned free;    /* slots that can take a test */
	unsigned charged; /* of them those in which a cancelled test may still run */
	unsigned active;  /* slots in which something runs, these included */
	unsigned given; /* tokens that tests have, or had when they were cancelled and may still run
	                 */
};
struct slots_count slots_count(const struct slots *slots);

/* A free slot, with CHARGED one in which something still runs; or NULL. */
struct slot *slots_find_free(struct slots *slots, bool charged);

/* One more slot, if there may be: 1, 0, or -1 with err. */
int slots_add(struct slots *slots, struct err *err);

/* Lets SLOTS->epoll tell of FD as well: data is SLOTS_OTHER. 0, or -1 with err. */
#define SLOTS_OTHER UINT32_MAX
int slots_watch(struct slots *slots, int fd, struct err *err);
void slots_forget(struct slots *slots, int fd);

/* Starts what REQUEST, of which a copy is kept, asks for in a free slot. 0, or -1 with err (no
 * space). That the minder is dead shows in slots_receive. */
int slots_start(struct slots *slots, struct slot *slot, const struct oracle_request *request,
                struct err *err);

/* Ends the slot's running test; there will be no reply. */
void slots_cancel(struct slots *slots, struct slot *slot);

/* The running test is over and answered. */
void slots_finish(struct slots *slots, struct slot *slot);

/* Starts the slot's test, or program, once more, on TC, unless that would be the SLOTS_LIVES'th
 * time. 1, 0 when the test was given up (it is finished), or -1 with err. */
int slots_restart(struct slots *slots, struct slot *slot, struct testcase *tc, struct err *err);

enum { SLOTS_LIVES = 3 };

#endif
