/* The minders of a pool's slots: started, heard, and replaced when they are gone. */
#ifndef WHITTLE_RUN_SLOTS_MINDERS_H
#define WHITTLE_RUN_SLOTS_MINDERS_H

#include "run/slots_def.h"

struct err;

/* Starts the minder of slot I, which has none. 0, or -1 with err. */
int slots_start_minder(struct slots *slots, unsigned i, struct err *err);

/* The minder sees the end of its socket, and goes (watch_end). */
void slots_let_go(struct slot *slot);

enum slots_news {
	SLOTS_NOTHING, /* a word about tidying, or a reply that crossed its cancellation */
	SLOTS_REPLY,   /* WIRE_ANSWER or WIRE_FAILED for the running test */
	SLOTS_DEAD,    /* the minder is gone */
};

/* Receives one message; blocks until it is there. */
enum slots_news slots_receive(struct slot *slot, struct wire_reply *reply);

/* Ends what the dead minder of the slot left running as far as it can be known (the test's process
 * group) and starts a new minder. 0, or -1 with err. A test that ran is still to be answered:
 * slots_restart or slots_finish. */
int slots_revive(struct slots *slots, struct slot *slot, struct err *err);

#endif
