/* Judges at work: revisions that are built and tested at the same time, each by a process of its
 * own with a worktree of its own. What one of them learns comes back in shared memory.
 */
#ifndef WHITTLE_BISECT_BISECT_WORK_H
#define WHITTLE_BISECT_BISECT_WORK_H

#include <stdbool.h>

#include "bisect/bisect_state.h"

struct err;

/* N workers, all idle; WORK was zero, or released. From here on SIGINT, SIGTERM and SIGHUP are
 * blocked and noticed by bisect_work_wait. */
int bisect_work_init(struct bisect_work *work, unsigned n, struct err *err);

/* Ends all judges and waits for all they started. Signals are as before. */
void bisect_work_release(struct bisect_work *work);

/* Starts to judge TC at ID, for which a worker must be idle. */
int bisect_work_start(struct bisection *b, const char *id, const struct testcase *tc,
                      struct err *err);

/* The worker that judges TC at ID, or NULL. */
struct bisect_worker *bisect_work_find(struct bisect_work *work, const char *id,
                                       const struct testcase *tc);

unsigned bisect_work_idle(const struct bisect_work *work);

/* Ends this judge; there will be no result. */
void bisect_work_cancel(struct bisect_worker *worker);

/* Has a signal come that says stop? It stays in stop_signal. */
bool bisect_work_stopped(struct bisect_work *work);

/* Waits for a judge to finish: *done, idle again, with its result. -1 and err when a signal says
 * stop (ERR_STOPPED). */
int bisect_work_wait(struct bisect_work *work, struct bisect_worker **done, struct err *err);

#endif
