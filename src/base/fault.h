/* Faults on purpose: failures of the system that a test asks for by name, so that each message and
 * each recovery can be seen to work. The environment says which:
 *
 *     WHITTLE_FAULT=NAME:WHAT[@N][,NAME:WHAT[@N]...]
 *
 * WHAT is an errno name (ENOSPC, EIO, EROFS, EACCES, ENOENT, EINTR, EINVAL), "kill" for SIGKILL, or
 * "short" where bytes are written: half of them are, then the space is gone. The fault strikes at
 * the Nth time its place is passed (1 unless told), and each time after that; "@N!" strikes once.
 * Names are listed in fault.c. Each stroke is appended to the file $WHITTLE_FAULT_HITS as a line
 * "NAME": a test whose fault was never hit has tested nothing and must fail.
 *
 * Built in always: without the variable it costs a comparison with NULL where a system call is made
 * anyway. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FAULT_MAX = 8 };

struct fault {
	const char *name; /* of the table in fault.c */
	int error;        /* errno to report */
	bool half;        /* "short": write half first */
	bool kill;        /* the process ends on the spot */
	bool once;
	unsigned wait; /* passes left before it strikes */
	unsigned hits;
};

struct faults {
	unsigned n;
	struct fault list[FAULT_MAX];
};

struct err;

/* Reads the environment. -1 and err when it names something unknown: a misspelt fault must not pass
 * for a test. */
int faults_load(struct faults *faults, struct err *err);

/* Does the fault NAME strike now? Never when FAULTS is NULL. Then errno is set and the caller
 * behaves as if its system call had failed. */
bool fault_strikes(struct faults *faults, const char *name);

/* The same of a write of *LEN bytes. When it strikes, *LEN is how many of them are still to be
 * written before it fails: none, or half of them. */
bool fault_strikes_write(struct faults *faults, const char *name, size_t *len);
