/* The slots of a pool, for the modules that work on them: slots.h (tests), slots_minders.h,
 * slots_write.h (candidates), charge.h (limits), serve.h (job servers), watch.h. */
#ifndef WHITTLE_RUN_SLOTS_DEF_H
#define WHITTLE_RUN_SLOTS_DEF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/ticks.h"
#include "fence/cgroup.h"
#include "run/oracle.h"
#include "run/setup.h"
#include "run/standing.h"
#include "run/wire.h"
#include "fence/workdir.h"

struct slot {
	pid_t minder;
	int sock, dir;
	bool busy;                     /* a test runs that is to be answered */
	struct oracle_request request; /* what runs, a copy, to run it again should the minder die;
	                                  tc NULL: too large to be kept */
	struct oracle_output output;   /* of request; the slot's own descriptors */
	uint64_t seq;                  /* of the last test sent */
	unsigned unclean;              /* cancellations not yet answered */
	unsigned generation;           /* of the last test sent */
	unsigned turn; /* of the last one whose candidate was not the standing tree */
	struct standing standing;
	unsigned names;      /* version of the names that the minder knows */
	unsigned deaths;     /* of minders, during this test */
	struct cgroup group; /* charge.h */
	int end;             /* wait status of the last minder that is gone */
	unsigned beat;       /* of the minder when it was looked at last (child.h)... */
	uint64_t beat_ns;    /* ...and since when */
	int jobs;            /* the FIFO of the running test's job server; -1: not opened */
	unsigned given;      /* tokens put into it (permits.h) */
	unsigned limbo;      /* tokens that cancelled tests may still have */
};

struct slots {
	const struct setup *setup;
	struct workdir workdir;
	struct child_shared *shared; /* one per slot */
	struct ticks ticks;          /* by which minders are watched (watch.h) */
	struct slot *list;
	unsigned n, most; /* there are; may be added */
	unsigned running;
	unsigned last; /* used last; the next free one is looked for after it */
	int epoll; /* readable when a minder has sent something or is dead; data: the number of the
	              slot */
	mode_t umask;
	struct buf names; /* of the files of the last test case, each with its NUL */
	uint32_t n_names;
	unsigned names_version;
};

#endif
