/* Watching the minders. A test may stop its minder (SIGSTOP), or hold it in other ways (ptrace,
 * limits): without a watch there would be no deadline any more. One that is stopped is woken, by
 * whomever it was stopped, and the test has its own verdict; one that has not moved for a long time
 * while it minds a test is killed, and that is as if the test had killed it.
 */
#ifndef WHITTLE_RUN_WATCH_H
#define WHITTLE_RUN_WATCH_H

#include <sys/types.h>

#include "run/slots_def.h"

enum { WATCH_EVERY_MS = 50 };

/* Looks after all minders that have something to do. To be called every WATCH_EVERY_MS while there
 * are any. */
void watch_minders(struct slots *slots);

/* Waits until the slot's minder, which runs, has sent something or is dead. */
void watch_await(struct slots *slots, struct slot *slot);

/* Waits for the end of the slot's minder, whose socket is closed; its status is slot->end then. */
void watch_end(struct slots *slots, struct slot *slot);

/* Ends the test that a dead minder left, and waits for the end of its leader, so that it cannot
 * disturb the next one; the system, which inherited it, reaps it. Where there are no pidfds there
 * is no waiting for a stranger's child. */
void watch_end_orphan(pid_t leader);

#endif
