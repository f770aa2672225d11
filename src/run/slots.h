/* The slots of a pool: their supervisors, directories and sockets. Internal to the pool; pool.c
 * makes an oracle of them.
 *
 * A slot is idle, runs a test, or is still tidying up after one that was cancelled; slot_free says
 * whether it can take the next one (wire.h says why it can do so before the tidying has ended).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/ticks.h"
#include "fence/cgroup.h"
#include "fence/workdir.h"
#include "run/oracle.h"
#include "run/setup.h"
#include "run/standing.h"
#include "run/wire.h"

struct err;

struct slot {
	pid_t supervisor;
	int sock, dir;
	bool busy;                     /* a test runs that is to be answered */
	struct oracle_request request; /* what runs, a copy, to run it again should the supervisor
	                                  die; tc NULL: too large to be kept */
	struct oracle_output output;   /* of request; the slot's own descriptors */
	uint64_t seq;                  /* of the last test sent */
	unsigned unclean;              /* cancellations not yet answered */
	unsigned generation;           /* of the last test sent */
	unsigned turn; /* of the last one whose candidate was not the standing tree */
	struct standing standing;
	unsigned names;      /* version of the names that the supervisor knows */
	unsigned deaths;     /* of supervisors, during this test */
	struct cgroup group; /* limits that the kernel keeps */
	int end;             /* wait status of the last supervisor that is gone */
	unsigned beat;       /* of the supervisor when it was looked at last (child.h)... */
	uint64_t beat_ns;    /* ...and since when */
	int jobs;            /* the FIFO of the running test's job server; -1: not opened */
	unsigned given;      /* tokens put into it (permits.h) */
	unsigned limbo;      /* tokens that cancelled tests may still have */
};

struct slots {
	const struct setup *setup;
	struct workdir workdir;
	struct child_shared *shared; /* one per slot */
	struct ticks ticks;          /* by which supervisors are watched (watch_supervisors) */
	struct slot *list;
	unsigned n, most; /* there are; may be added */
	unsigned running;
	unsigned last; /* used last; the next free one is looked for after it */
	int epoll; /* readable when a supervisor has sent something or is dead; data: the number of
	              the slot */
	mode_t umask;
	struct buf names; /* of the files of the last test case, each with its NUL */
	uint32_t n_names;
	unsigned names_version;
};

/* What a slot's tests are charged with: the limits of a request as the slot enforces them, by a
 * control group where there is one (cgroup.h), else by what its supervisor can do alone
 * (limits_usage.h, limits of processes).
 */

/* Makes the control groups of the slot, if SETUP wants any. True when there is one for all that is
 * limited. */
bool slot_limits_open(struct slots *slots, struct slot *slot);

/* After the groups, the new supervisor of the slot. */
void slot_limits_adopt(struct slot *slot);

/* Puts the limits of the slot's request into force, and into RQ what is left to the supervisor. No
 * earlier test runs in the slot when it has groups. */
void slot_limits_begin(struct slot *slot, const struct testcase *tc, struct wire_request *rq);

/* Whether an earlier test in the slot would be charged for with the next. */
bool slot_limits_is_shared(const struct slot *slot);

/* Why the test that is over is not interesting, whatever it says itself; ANSWER_OWN: it is within
 * its limits. REPLY: of the supervisor. */
enum answer_why slot_limits_end(const struct slot *slot, const struct wire_reply *reply);

/* When the supervisor is gone. */
void slot_limits_close(struct slot *slot);

/* Watching the supervisors. A test may stop its supervisor (SIGSTOP), or hold it in other ways
 * (ptrace, limits): without a watch there would be no deadline any more. One that is stopped is
 * woken, by whomever it was stopped, and the test has its own verdict; one that has not moved for a
 * long time while it minds a test is killed, and that is as if the test had killed it.
 */

enum { WATCH_EVERY_MS = 50 };

/* Looks after all supervisors that have something to do. To be called every WATCH_EVERY_MS while
 * there are any. */
void watch_supervisors(struct slots *slots);

/* Waits until the slot's supervisor, which runs, has sent something or is dead. */
void watch_await(struct slots *slots, struct slot *slot);

/* Waits for the end of the slot's supervisor, whose socket is closed; its status is slot->end then.
 */
void watch_end(struct slots *slots, struct slot *slot);

/* Ends the test that a dead supervisor left, and waits for the end of its leader, so that it cannot
 * disturb the next one; the system, which inherited it, reaps it. Where there are no pidfds there
 * is no waiting for a stranger's child. */
void watch_end_orphan(pid_t leader);

/* The supervisors of a pool's slots: started, heard, and replaced when they are gone. */

/* Starts the supervisor of slot I, which has none. 0, or -1 with err. */
int slots_start_supervisor(struct slots *slots, unsigned i, struct err *err);

/* The supervisor sees the end of its socket, and goes (watch_end). */
void slots_let_go(struct slot *slot);

enum slots_news {
	SLOTS_NOTHING, /* a word about tidying, or a reply that crossed its cancellation */
	SLOTS_REPLY,   /* WIRE_ANSWER or WIRE_FAILED for the running test */
	SLOTS_DEAD,    /* the supervisor is gone */
};

/* Receives one message; blocks until it is there. */
enum slots_news slots_receive(struct slot *slot, struct wire_reply *reply);

/* Ends what the dead supervisor of the slot left running as far as it can be known (the test's
 * process group) and starts a new supervisor. 0, or -1 with err. A test that ran is still to be
 * answered: slots_restart or slots_finish. */
int slots_revive(struct slots *slots, struct slot *slot, struct err *err);

/* Candidates on their way into the slots. */

/* Notes the names of TC's files, which supervisors are told when they change. */
void slots_note_names(struct slots *slots, const struct testcase *tc);

/* Writes TC into the slot, as the next test of slot->request will find it. 0, or -1 with err. */
int slots_furnish(struct slots *slots, struct slot *slot, const struct testcase *tc,
                  struct err *err);

/* Starts setup->jobs supervisors. 0, or -1 with err; release in either case. SETUP outlives the
 * slots. */
int slots_init(struct slots *slots, const struct setup *setup, struct err *err);

/* Ends all tests and supervisors, waits for them, removes the directories. */
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

/* One more slot, if there may be: 1, 0, or -1 with err. */
int slots_add(struct slots *slots, struct err *err);

/* Lets SLOTS->epoll tell of FD as well: data is SLOTS_OTHER. 0, or -1 with err. */
#define SLOTS_OTHER UINT32_MAX
int slots_watch(struct slots *slots, int fd, struct err *err);
void slots_forget(struct slots *slots, int fd);

/* Starts what REQUEST, of which a copy is kept, asks for in a free slot. 0, or -1 with err (no
 * space). That the supervisor is dead shows in slots_receive. */
int slots_start(struct slots *slots, struct slot *slot, const struct oracle_request *request,
                struct err *err);

/* Ends the slot's running test; there will be no reply. */
void slots_cancel(struct slots *slots, struct slot *slot);

/* The running test is over and answered. */
void slots_finish(struct slots *slots, struct slot *slot);

/* Starts the slot's test, or program, once more, on TC, unless that would be the SLOTS_LIVES'th
 * time. 1, 0 when the test was given up (it is finished), or -1 with err. */
int slots_restart(struct slots *slots, struct slot *slot, struct testcase *tc, struct err *err);

enum { SLOTS_LIVES = 3 };
