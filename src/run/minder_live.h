/* A minder's side of a test that stays alive (living.h): which process is asked, and what becomes
 * of its answer. The answer of one that has answered before stands only as dialog.h says; else a
 * fresh one is asked, whose answer counts. */
#ifndef WHITTLE_RUN_MINDER_LIVE_H
#define WHITTLE_RUN_MINDER_LIVE_H

#include "run/minder_watch.h"

/* Asks about the candidate of RQ, fills the answer. A cancelled question may be let run to its end,
 * for as long as a start takes, so that the process need not be started anew. */
enum end minder_live_judge(struct minder *m, const struct wire_request *rq,
                           struct wire_reply *answer);

/* Ends the living test, if there is one, and empties its directories. */
void minder_live_end(struct minder *m);

/* After a question: ends what the test has left running beside it. False when no test lives. */
bool minder_live_tidy(const struct minder *m);

/* After the answer, when a test lives: removes what a fork server's process has left, so that the
 * next one finds nothing. If that is not possible, the server ends. */
void minder_live_clear(struct minder *m);

#endif
