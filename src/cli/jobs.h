/* How many tests run at a time, and with whose leave: -j, the job server of a make above, or the
 * processors. */
#pragma once

#include <stdint.h>

#include "reduce/session.h"

#define JOBS_DEFAULT UINT64_MAX /* no -j was given */

/* Sets o->jobs and, when there is no -j, o->make, from JOBS; a job server that cannot be reached,
 * and a limit of processes that does not suffice, are warned of on standard error unless QUIET.
 * Before any file is opened. 0, or -1 with err. */
int jobs_choose(struct session_options *o, uint64_t jobs, bool quiet, struct err *err);

/* The directory of the programs that testenv.h calls shims, or NULL; static storage after the first
 * call. */
const char *jobs_shims(void);
