/* A control group for the tests of one slot: it bounds the memory, and the number of processes, of
 * a whole test, with all that it starts. Where a controller is to be had (cgroups(7), version 2 or
 * 1) is a matter of the machine and of who we are; the caller has other means where it is not.
 *
 * Life cycle: cgroup_open; cgroup_limit and cgroup_adopt, before the first test; around each test
 * cgroup_mark and cgroup_exceeded; cgroup_close when the adopted process and all that it started
 * are gone. The groups of dead runs are removed by the next one (cgroup_bury).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum cgroup_what { CGROUP_MEMORY, CGROUP_PROCESSES, CGROUP_KINDS };

struct cgroup_controller {
	char *path;     /* of the group; NULL: none is to be had */
	bool v2;        /* which names its files have */
	uint64_t limit; /* in force; 0: none */
	uint64_t seen;  /* how often it had struck at the last cgroup_mark */
};

struct cgroup {
	struct cgroup_controller of[CGROUP_KINDS];
};

/* Removes the groups of runs that are gone. */
void cgroup_bury(void);

/* Makes what groups can be made for slot I of this process. */
void cgroup_open(struct cgroup *g, unsigned i);

/* Whether there is a group for WHAT. */
bool cgroup_has(const struct cgroup *g, enum cgroup_what what);

/* Sets the bytes of memory, or the number of processes and threads beside the adopted one; 0: as
 * many as there may be. False, and there is none any more, when that is refused. */
bool cgroup_limit(struct cgroup *g, enum cgroup_what what, uint64_t limit);

/* Moves PID, and so all that it starts from now on, into the groups. One that refuses is given up.
 */
void cgroup_adopt(struct cgroup *g, pid_t pid);

/* From here on cgroup_exceeded counts. */
void cgroup_mark(struct cgroup *g);

/* Whether the limit of WHAT has struck since then. */
bool cgroup_exceeded(const struct cgroup *g, enum cgroup_what what);

/* Removes the groups. */
void cgroup_close(struct cgroup *g);
