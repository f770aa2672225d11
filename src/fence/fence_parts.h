/* What holds around the tests, see fence.h. */
#ifndef WHITTLE_FENCE_FENCE_PARTS_H
#define WHITTLE_FENCE_FENCE_PARTS_H

#include <stdbool.h>
#include <sys/types.h>

/* What holds; a set. */
enum fence_part {
	FENCE_WRITES = 1,    /* tests write below their slot and what is allowed, nowhere else */
	FENCE_SIGNALS = 2,   /* no signals to processes outside, no ptrace, no abstract sockets */
	FENCE_TMP = 4,       /* /tmp, /var/tmp, /dev/shm are private */
	FENCE_PROCESSES = 8, /* tests see and reach no other processes, none outlives a test */
	FENCE_NETWORK = 16,  /* no network but a loopback device of their own */
	FENCE_TCP = 32,      /* no TCP */

	FENCE_MOUNTS =
		FENCE_TMP | FENCE_PROCESSES, /* either has mounts of its own, read-only ones */
};

enum { FENCE_ALLOW_MAX = 64 };

struct fence {
	unsigned parts; /* set of enum fence_part; 0: no fence */
	bool user;      /* namespaces need a user namespace, where */
	uid_t uid;      /* these are whose it is */
	gid_t gid;
	int landlock;                 /* its ABI; 0: not used */
	char *allow[FENCE_ALLOW_MAX]; /* absolute, without links */
	unsigned n_allow;
	const char *trial;   /* a file: everything may be written to, as a copy (namespaces.c), and
	                        what   was is   told there; NULL: no trial */
	const char *missing; /* what auto would have liked, and why it is not to be had; NULL:
	                        nothing is missing */
};

#endif
