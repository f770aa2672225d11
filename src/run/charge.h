/* What a slot's tests are charged with: the limits of a request as the slot enforces them, by a
 * control group where there is one (cgroup.h), else by what its minder can do alone (usage.h,
 * limits of processes).
 */
#ifndef WHITTLE_RUN_CHARGE_H
#define WHITTLE_RUN_CHARGE_H

#include "run/slots_def.h"

/* Makes the control groups of the slot, if SETUP wants any. True when there is one for all that is
 * limited. */
bool charge_open(struct slots *slots, struct slot *slot);

/* After the groups, the new minder of the slot. */
void charge_adopt(struct slot *slot);

/* Puts the limits of the slot's request into force, and into RQ what is left to the minder. No
 * earlier test runs in the slot when it has groups. */
void charge_begin(struct slot *slot, const struct testcase *tc, struct wire_request *rq);

/* Whether an earlier test in the slot would be charged for with the next. */
bool charge_is_shared(const struct slot *slot);

/* Why the test that is over is not interesting, whatever it says itself; ANSWER_OWN: it is within
 * its limits. REPLY: of the minder. */
enum answer_why charge_end(const struct slot *slot, const struct wire_reply *reply);

/* When the minder is gone. */
void charge_close(struct slot *slot);

#endif
