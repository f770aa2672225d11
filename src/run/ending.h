/* Waiting for the end of a child process together with other things: a descriptor that becomes
 * readable then. Where the kernel has no pidfds (before 5.3) that is a signalfd for SIGCHLD, which
 * the caller has blocked. */
#ifndef WHITTLE_RUN_ENDING_H
#define WHITTLE_RUN_ENDING_H

#include <stdbool.h>
#include <sys/types.h>

/* Of one child at a time. */
struct ending {
	int sigchld; /* a signalfd, kept from child to child; begin with -1: none is needed */
};

/* A descriptor that becomes readable when PID ends, or -1 with errno; leave it to ending_close. */
int ending_open(struct ending *e, pid_t pid);
void ending_close(const struct ending *e, int fd);

/* Whether readiness of the descriptor means the end of PID: a signal may tell of any child. */
bool ending_seen(const struct ending *e, pid_t pid);

#endif
