/* The process pool: an oracle of local child processes.
 *
 * Each slot has a supervisor, a small process that is forked before the input is read (so its fork
 * is cheap), starts the tests of its slot and is their subreaper: what a test leaves behind,
 * however it was detached, is a descendant of the supervisor, which ends it before it answers. When
 * whittle dies, each supervisor sees its socket close, ends its test, removes its directory, and
 * goes.
 */
#pragma once

#include "run/oracle.h"
#include "run/setup.h"

/* Starts the supervisors. The strings in SETUP outlive the pool, which changes no signal
 * disposition. NULL and err when the system refuses. Free with oracle_free. */
struct oracle *pool_new(const struct setup *setup, struct err *err);

/* What a run that was killed has left and could not be removed, in words; NULL: nothing. */
const char *pool_left_behind(const struct oracle *pool);

/* The directory that holds the slots' directories. */
const char *pool_work_dir(const struct oracle *pool);
