/* Signals that ask the program to end. */
#ifndef WHITTLE_BASE_SIGNALS_H
#define WHITTLE_BASE_SIGNALS_H

#include <signal.h>

/* Adds SIGINT, SIGTERM and SIGHUP to *SET, but not one that is ignored: nohup, or the shell that
 * put the program in the background, does not want it to end by that. Blocked, it would arrive all
 * the same. */
void signals_add_stops(sigset_t *set);

#endif
