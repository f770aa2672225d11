/* Signals that ask the program to end, and the time that was set for it.
 *
 * Life cycle: signals_catch; signals_arrived or the descriptor wherever the program waits or works
 * for long; signals_release. Between the two the first of SIGINT, SIGTERM and SIGHUP only arrives:
 * the program ends cleanly where it notices. A second one of these ends it at once. What has
 * arrived is kept by the kernel, as a pending signal, so there is no state here, and a forked child
 * begins with nothing that has arrived.
 */
#pragma once

#include <signal.h>
#include <stdint.h>

struct err;

/* Begins; a signal that is ignored stays so: nohup, or the shell that put the program in the
 * background, does not want it to end by that. A descriptor that is readable while
 * signals_arrived() is not 0; nobody reads from it, the caller closes it. -1 with errno. */
int signals_catch(void);

/* Ends: from now on the first signal ends the program. The one that had arrived; 0: none. */
int signals_release(void);

/* The signal that has arrived, also one that the caller blocks; SIGALRM when the time is over; 0
 * when there is none. Costs a system call. */
int signals_arrived(void);

/* Another such descriptor; -1 with errno. */
int signals_open(void);

/* Sets the time, from now on in nanoseconds, in place of the one before; 0: no end of it. */
int signals_set_time(uint64_t ns);

/* When something has arrived: -1, and err (ERR_STOPPED) says that it came while we were DOING. Else
 * 0. */
int signals_check(const char *doing, struct err *err);
