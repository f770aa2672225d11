/* Asking judges of a bisection and learning what they found. */
#ifndef WHITTLE_BISECT_BISECT_ASK_H
#define WHITTLE_BISECT_BISECT_ASK_H

#include "bisect/bisect_state.h"

struct err;

/* Judges TC at revision ID: from what is known, or now. */
int bisection_judge(struct bisection *b, const struct testcase *tc, const char *id,
                    enum bisect_answer *answer, struct err *err);

/* Takes what the next judge to finish has found: tells the user, keeps it. The signal that says
 * stop is an error (ERR_STOPPED) and stays in b->work.stop_signal. */
int bisection_learn(struct bisection *b, struct err *err);

#endif
