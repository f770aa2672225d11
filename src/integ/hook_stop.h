/* One descriptor that becomes readable when the hook has to stop: because the user interrupts the
 * push, or because the time for a file is over. Sessions take it as their stop_fd. */
#ifndef WHITTLE_INTEG_HOOK_STOP_H
#define WHITTLE_INTEG_HOOK_STOP_H

#include <stdbool.h>
#include <stdint.h>

struct err;

struct hook_stop {
	int fd; /* what to wait for */
	int signals, timer;
};

/* From now on SIGINT, SIGTERM and SIGHUP arrive through the descriptor. 0, or -1 and err; release
 * in any case. */
int hook_stop_init(struct hook_stop *stop, struct err *err);
void hook_stop_release(struct hook_stop *stop);

/* Gives a file its time, in nanoseconds from now. */
int hook_stop_arm(const struct hook_stop *stop, uint64_t ns, struct err *err);

/* The signal that has arrived, 0 when none has; it stays arrived. */
int hook_stop_signal(void);

#endif
