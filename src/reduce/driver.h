/* The driver connects a reducer with an oracle. Only here do questions become tests, and
 * verdicts answers.
 *
 * Every worker is kept busy: first with questions of the reducer; when it must wait for verdicts,
 * with those of a clone that is told the likely verdicts (speculation). A verdict, once obtained,
 * is kept in the table and never asked for again. A wrong prediction costs only the tests that
 * depended on it: the reducer itself learns only true verdicts, so its course is the same at any
 * number of workers. */
#ifndef WHITTLE_REDUCE_DRIVER_H
#define WHITTLE_REDUCE_DRIVER_H

#include "reduce/driver_def.h"
#include "reduce/reducer.h"
#include "run/oracle.h"
#include "run/verdicts.h"

struct driver;

/* Runs until the fixpoint or until something stops it. VERDICTS may hold verdicts that are known
 * already. No test is running when it returns. A reducer that was left in the middle of its work
 * (DRIVER_STOPPED, reducer_leave) can only be asked what it has. */
enum driver_end driver_run(struct reducer *reducer, struct oracle *oracle,
                           struct verdicts *verdicts, const struct driver_options *options,
                           struct driver_stats *stats, struct err *err);

/* The same in steps, for callers that wait for answers themselves. All arguments except OPTIONS
 * must outlive the driver; it adds to STATS. */
struct driver *driver_new(struct reducer *reducer, struct oracle *oracle, struct verdicts *verdicts,
                          const struct driver_options *options, struct driver_stats *stats);
void driver_free(struct driver *d); /* takes back what is open; NULL is fine */

/* Submits questions as far as there are free slots. DRIVER_RUNS: answers are awaited. */
enum driver_end driver_ask(struct driver *d, struct err *err);

/* An answer of the oracle. 0, or -1 with err. */
int driver_answer(struct driver *d, const struct answer *answer, struct err *err);

/* Nobody will answer TICKET. False: the answer is needed, and the question stays. */
bool driver_forget(struct driver *d, uint64_t ticket);

/* Whether the answer to TICKET still matters, as it looked when driver_ask was called last. */
bool driver_wants(const struct driver *d, uint64_t ticket);

#endif
