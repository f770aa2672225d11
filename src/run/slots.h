/* The slots of a pool: their minders, directories and sockets. Internal to the pool; pool.c makes
 * an oracle of them.
 *
 * A slot is idle, runs a test, or is still tidying up behind one that was cancelled; slot_free says
 * whether it can take the next one (wire.h says why it can do so before the tidying has ended).
 */
#ifndef WHITTLE_RUN_SLOTS_H
#define WHITTLE_RUN_SLOTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/ticks.h"
#include "run/cgroup.h"
#include "run/oracle.h"
#include "run/setup.h"
#include "run/standing.h"
#include "run/wire.h"
#include "run/workdir.h"

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
	unsigned n;
	unsigned running;
	unsigned last; /* used last; the next free one is looked for behind it */
	int epoll; /* readable when a minder has sent something or is dead; data: the number of the
	              slot */
	mode_t umask;
	struct buf names; /* of the files of the last test case, each with its NUL */
	uint32_t n_names;
	unsigned names_version;
};

/* Starts setup->jobs minders. 0, or -1 with err; release in either case. SETUP outlives the
 * slots. */
int slots_init(struct slots *slots, const struct setup *setup, struct err *err);

/* Ends all tests and minders, waits for them, removes the directories. */
void slots_release(struct slots *slots);

struct slots_count {
	unsigned free;    /* slots that can take a test */
	unsigned charged; /* of them those in which a cancelled test may still run */
	unsigned active;  /* slots in which something runs, these included */
	unsigned given; /* tokens that tests have, or had when they were cancelled and may still run
	                 */
};
struct slots_count slots_count(const struct slots *slots);

/* A free slot, with CHARGED one in which something still runs; or NULL. */
struct slot *slots_find_free(struct slots *slots, bool charged);

/* Lets SLOTS->epoll tell of FD as well: data is the number of slots. 0, or -1 with err. */
int slots_watch(struct slots *slots, int fd, struct err *err);
void slots_forget(struct slots *slots, int fd);

/* Starts what REQUEST, of which a copy is kept, asks for in a free slot. 0, or -1 with err (no
 * space). That the minder is dead shows in slots_receive. */
int slots_start(struct slots *slots, struct slot *slot, const struct oracle_request *request,
                struct err *err);

/* Ends the slot's running test; there will be no reply. */
void slots_cancel(struct slots *slots, struct slot *slot);

/* The running test is over and answered. */
void slots_finish(struct slots *slots, struct slot *slot);

enum slots_news {
	SLOTS_NOTHING, /* a word about tidying, or a reply that crossed its cancellation */
	SLOTS_REPLY,   /* WIRE_ANSWER or WIRE_FAILED for the running test */
	SLOTS_DEAD,    /* the minder is gone */
};

/* Receives one message; blocks until it is there. */
enum slots_news slots_receive(struct slot *slot, struct wire_reply *reply);

/* Ends what the dead minder of the slot left running as far as it can be known (the test's process
 * group) and starts a new minder. 0, or -1 with err. A test that ran is still to be answered:
 * slots_restart or slots_finish. */
int slots_revive(struct slots *slots, struct slot *slot, struct err *err);

/* Starts the slot's test, or program, once more, on TC, unless that would be the SLOTS_LIVES'th
 * time. 1, 0 when the test was given up (it is finished), or -1 with err. */
int slots_restart(struct slots *slots, struct slot *slot, struct testcase *tc, struct err *err);

enum { SLOTS_LIVES = 3 };

#endif
