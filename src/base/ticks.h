/* Time as a process lives through it: what passes while it is stopped or frozen (by a signal, the
 * freezer of a container, a virtual machine that is paused) does not count. A process that looks at
 * the clock every TICKS_EVERY_NS and then finds that much more has passed was not running; nor
 * were, most likely, those that it watches.
 *
 * Life cycle: ticks_start, then ticks_spent at least that often.
 */
#pragma once

#include <stdint.h>

#include "base/io.h"

#define TICKS_EVERY_NS 50000000u
#define TICKS_LATE_NS 250000000u /* a busy machine wakes nobody later than that, as a rule */

struct ticks {
	uint64_t last_ns, spent_ns;
};

static inline struct ticks ticks_start(void)
{
	return (struct ticks){ .last_ns = io_now() };
}

/* Nanoseconds since the start. A longer gap counts as one tick: should the machine be that busy,
 * time still passes. */
static inline uint64_t ticks_spent(struct ticks *t)
{
	uint64_t now = io_now(), gap = now - t->last_ns;
	t->spent_ns += gap > TICKS_LATE_NS ? TICKS_EVERY_NS : gap;
	t->last_ns = now;
	return t->spent_ns;
}
