/* The job server for a test that runs several jobs itself: a FIFO of its own (sets.h: "j"), into
 * which the pool puts tokens while it has some to spare, and from which it takes back what the test
 * has not used. What the test has taken is the pool's again as soon as nothing of the test runs any
 * more, so nothing is lost by a test that is killed, and a test that puts in more than it took
 * cheats itself only.
 */
#ifndef WHITTLE_RUN_SERVE_H
#define WHITTLE_RUN_SERVE_H

#include <stdbool.h>

#include "run/slots_def.h"

/* Puts one more token into the FIFO of the slot's running test. False when it has none that can be
 * used. */
bool serve_give(struct slot *slot);

/* Tokens given to the running test that it has not taken. */
unsigned serve_unused(const struct slot *slot);

/* Takes back up to MAX of these; how many. */
unsigned serve_take_back(struct slot *slot, unsigned max);

#endif
