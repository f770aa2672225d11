/* How long a busy machine has held a program up: time in which it could have run and had no
 * processor is no time of its own. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* A program is given at most so many times the time that it is allowed. */
enum { WAITED_STRETCH = 20 };

/* Nanoseconds for which the process PID has waited for a processor, and one of those below it, and
 * one below that: of those that live, where it is most. 0 where the kernel does not tell. */
uint64_t waited_for_processor(pid_t pid);

/* What was seen of a program so far; to be zero when it begins. */
struct waited {
	uint64_t seen; /* of those that lived at the last look */
	uint64_t all;  /* also of those that have ended */
};

/* Of a program that has run for SPENT nanoseconds and is allowed LIMIT: how many are left, if
 * those do not count for which it, PID, was held up. To be asked every WAITED_LOOK_MS, since what
 * a process that has ended waited between two looks is not known. */
enum { WAITED_LOOK_MS = 20 };
uint64_t waited_left(struct waited *w, pid_t pid, uint64_t spent, uint64_t limit);
