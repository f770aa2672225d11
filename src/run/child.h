/* Starting one test: a new session, nothing inherited but three descriptors, then exec.
 *
 * child_start uses vfork: the parent (a supervisor, one thread, no signal handlers) stands still
 * until the test's program runs, and no page table is copied. Whoever calls it has all signals
 * blocked and at their default disposition, and holds only close-on-exec descriptors besides 0, 1
 * and 2
 * (/dev/null), so that one system call resets the signals and none is needed to close descriptors.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_FORKSERVER = 198 }; /* and the next: a fork server's descriptors */

struct child_spec {
	char **argv; /* argv[0] is a spare place for the shell; argv[1] is the program; NULL at the
	                end */
	char **envp;
	const char *dir; /* working directory */
	int in;          /* standard input; -1: as inherited */
	int out;         /* standard output; -1: as inherited */
	int err;         /* standard error; -1: as inherited */
	int asks,
		answers; /* of a fork server (persistent.h), above its descriptors; both 0: none */
	uint64_t memory_limit; /* bytes of address space; 0: none */
	uint64_t file_limit;   /* bytes of the largest file that it writes; 0: none */
	uint64_t cpu_limit_s;  /* CPU seconds; 0: none */
	int fence;             /* Landlock's rules (fence.h); 0 or -1: none */
};

enum child_phase { CHILD_NONE, CHILD_STARTS, CHILD_RUNS, CHILD_ENDS };

/* Memory shared by the pool, a supervisor and the test before its exec (vfork is a plain fork under
 * some tools). */
struct child_shared {
	_Alignas(64) volatile pid_t
		leader;         /* the running test, also its process group and session; 0: none */
	volatile int error;     /* errno of what failed before the exec; 0: nothing */
	volatile int stage;     /* enum wire_stage of it */
	volatile unsigned beat; /* rises as long as the supervisor is alive to its test... */
	volatile int phase;     /* ...in this enum child_phase */
};

/* Starts the program. Its pid (a new session and process group of that number), or -1 with errno
 * when there is no process to be had. What fails between that and the exec (no such directory or
 * program) shows when the child has ended: then shared->error and shared->stage are set, and its
 * exit status says nothing about the test. A script without "#!" is run by /bin/sh, as a shell
 * would. */
pid_t child_start(const struct child_spec *spec, struct child_shared *shared);

/* Was PID, which has ended and was not waited for, killed before its program ran? That says nothing
 * about the test either. False where /proc does not tell. */
bool child_killed_early(pid_t pid);

/* For a process that was forked to stay: /dev/null becomes its standard descriptors, so that
 * neither a terminal nor a pipe of the user's is held by it or what it starts, and all others but
 * the N that are to be KEPT (above 2) are closed. */
void child_close_others(const int *kept, int n);
