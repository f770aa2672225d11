/* Makes the oracle that a setup describes; of which kind (today a pool of child processes, pool.h)
 * is the business of this folder alone. */
#ifndef WHITTLE_RUN_SETUP_OPEN_H
#define WHITTLE_RUN_SETUP_OPEN_H

#include "run/setup.h"

struct err;
struct oracle;

/* The oracle, ready for questions. The strings in SETUP outlive it; no signal disposition is
 * changed. NULL and err when the system refuses. Free with oracle_free. */
struct oracle *setup_open(const struct setup *setup, struct err *err);

#endif
