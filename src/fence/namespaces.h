/* Namespaces for one slot: in its own mounts everything is read-only but the slot's directory and
 * what is allowed; /tmp, /var/tmp and /dev/shm show what is there, and keep what is written for
 * themselves (an overlay in memory, made anew when a test has left something in it); in its own
 * processes the supervisor is number 1, so that a test can reach no other, and nothing outlives it.
 *
 * Life cycle: namespaces_fork in place of fork; in the child namespaces_enter, then
 * namespaces_renew after each test; they end with their processes. Root needs no user namespace, an
 * ordinary user needs one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

struct fence;
struct world;

enum { NAMESPACES_SHARED = 3 }; /* the directories that all programs share */

struct namespaces {
	const struct fence *fence;
	const char *path;                 /* of the slot's directory */
	bool overlaid[NAMESPACES_SHARED]; /* which of them are private */
	int lower[NAMESPACES_SHARED];     /* as they are outside */
	struct stat upper[NAMESPACES_SHARED];
	const char *mounts;   /* outside, as in /proc/self/mountinfo */
	uint64_t size;        /* bytes of the room; 0: a quarter of the memory */
	int room;             /* the file system in memory that holds what is written; -1: none */
	uint64_t inodes;      /* used in it when nothing is written */
	int numbers;          /* the last number given to a process; -1: it cannot be set */
	unsigned first, past; /* numbers that are ours */
	struct world *world;  /* of a fence that is on trial (namespaces.c); NULL: none */
};

/* The path of a shared directory. */
const char *namespaces_shared(unsigned i);

/* Forks into the namespaces that FENCE has; as fork, which it is when there are none. */
pid_t namespaces_fork(const struct fence *fence);

/* Which slot it is, of how many. */
struct namespaces_slot {
	const char *path; /* of its directory; NULL: none, to find out whether it can be done */
	unsigned index, of;
	uint64_t room; /* bytes for what a test writes to the shared directories; 0: as many as the
	                  memory allows */
};

/* In the child: sets up what fence->parts say around the slot. Numbers of processes, of which many
 * a test makes a unique name, come from a range that is this slot's, where the kernel lets them be
 * chosen. The slot's directory becomes the current one. 0, or -1 with errno. */
int namespaces_enter(struct namespaces *n, const struct fence *fence,
                     const struct namespaces_slot *slot);

/* Whether a test has changed something in the private directories. */
bool namespaces_used(const struct namespaces *n);

/* When no process of a test is left: makes the shared directories what they are outside, if a test
 * has changed them. 1 when they were made anew, 0 when there was no need, -1 with errno. */
int namespaces_renew(struct namespaces *n);

/* Lets go of the slot directory PATH, so that it can be removed. */
void namespaces_leave(const struct namespaces *n, const char *path);

/* Which of PARTS (enum fence_part) namespaces can give here, tried in a process of its own. */
unsigned namespaces_probe(const struct fence *fence, unsigned parts);

/* What holds around the tests, see fence.h. */

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
	bool guessed;        /* ALLOW was seen, not named: what is gone again is left out */
	const char *trial;   /* a file: everything may be written to, as a copy (namespaces.c), and
	                        what   was is   told there; NULL: no trial */
	const char *missing; /* what auto would have liked, and why it is not to be had; NULL:
	                        nothing is missing */
};
