/* A supervisor's watch over a test that runs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/ticks.h"
#include "fence/fence.h"
#include "fence/workdir.h"
#include "run/child.h"
#include "run/persistent.h"
#include "run/affinity.h"
#include "run/oracle.h"
#include "run/sets.h"
#include "run/setup.h"
#include "run/wire.h"

/* Waiting for the end of a child process together with other things: a descriptor that becomes
 * readable then. Where the kernel has no pidfds (before 5.3) that is a signalfd for SIGCHLD, which
 * the caller has blocked. */

/* Of one child at a time. */
struct ending {
	int sigchld; /* a signalfd, kept from child to child; begin with -1: none is needed */
};

/* A descriptor that becomes readable when PID ends, or -1 with errno; leave it to ending_close. */
int ending_open(struct ending *e, pid_t pid);
void ending_close(const struct ending *e, int fd);

/* Whether readiness of the descriptor means the end of PID: a signal may tell of any child. */
bool ending_seen(const struct ending *e, pid_t pid);

/* Measures what a test uses while it runs, and ends it when that is too much: for limits that the
 * kernel does not keep for us. Every look costs, so that looks are no more than a sixteenth of the
 * time.
 */

struct limits_meter {
	const struct wire_request *rq;
	const struct sets *sets;
	uint64_t next_ns; /* when to look again, as from io_now */
};

/* For the test that RQ asks for. */
struct limits_meter limits_meter_start(const struct wire_request *rq, const struct sets *sets);

/* To be called every now and then while it runs: ANSWER_FILES, ANSWER_PROCESSES, or ANSWER_OWN when
 * all is well. */
enum answer_why limits_meter_look(struct limits_meter *meter);

/* The same when it has run for WALL_NS and nothing of it runs any more: what it has left. */
enum answer_why limits_meter_end(const struct limits_meter *meter, uint64_t wall_ns);

/* The inside of a supervisor. */

/* The limits of a supervisor itself. A test may lower those of its parent (prlimit), behind the
 * fence too; a supervisor that cannot open or start anything any more would end the reduction. */
struct own_limits {
	struct rlimit list[RLIM_NLIMITS];
};

struct supervisor {
	const struct setup *setup;
	struct child_shared *shared;
	int sock, root; /* our end; the pool's directory */
	const char *root_path;
	char slot[WORKDIR_SLOT_SIZE];
	char *names; /* the candidate's paths, each with its NUL */
	uint32_t n_names, names_len;
	char *words; /* of the command that the last request brought, each with its NUL */
	struct ending ending;
	int output[WIRE_FDS];   /* came with the last request; -1: none */
	char **argv[WIRE_SETS]; /* of the test, for these names */
	char **envp[WIRE_SETS];
	struct sets sets; /* the directories of the tests */
	struct fence_slot fence;
	struct own_limits limits;
	struct persistent persistent; /* of a test that stays alive (supervisor_live_judge) */
	struct persistent aside;      /* another one, while a fresh one is asked beside it */
	struct affinity near;         /* of fork servers */
};

/* Why the watch over a test ended. */
enum end {
	END_SELF,
	END_SAYS,  /* a persistent one has said something, or closed its standard output */
	END_TAKES, /* a persistent one takes more of the question, or closed its standard input */
	END_DEADLINE,
	END_EXCESS,
	END_CANCELLED,
	END_POOL_GONE,
};

/* How a test is watched. */
struct attention {
	struct ticks ticks; /* since its start: time in which we are frozen, and the test with us,
	                       is not the test's */
	uint64_t limit;     /* by them; 0: none */
	struct limits_meter meter;
	enum answer_why excess; /* why END_EXCESS */
	int says;               /* a persistent test's standard output; -1: none */
	int takes; /* likewise its standard input, while there is more for it; -1: there is not */
	bool cancelled; /* the pool may have sent the next request already */
};

/* Waits for the end of the test PID, which FD tells of (ending_open), its deadline, too much of
 * something, or the pool, which says nothing but "cancel" now. */
enum end supervisor_watch(struct supervisor *m, pid_t pid, int fd, struct attention *a);

/* For the pool, which watches us (slots.h). */
void supervisor_phase(const struct supervisor *m, enum child_phase phase);

/* Makes ANSWER say that it was not possible to run the test. */
void supervisor_fail(struct wire_reply *answer, enum wire_stage stage, int error);
