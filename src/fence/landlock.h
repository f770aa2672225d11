/* Landlock: a process gives up rights for itself and its descendants, without privileges (Linux
 * 5.13). The numbers are here, for the system's headers may be older than its kernel.
 *
 * A rule set is a descriptor. The process that makes it need not be the one that it is laid upon: a
 * supervisor makes one, each of its tests enters it before its program runs.
 */
#pragma once

#include <stdbool.h>

enum {
	LANDLOCK_LEAST = 2, /* the first one allows no renaming between directories, nowhere */
	LANDLOCK_TCP = 4,
	LANDLOCK_SCOPES = 6,
};

/* The version of the interface (ABI) of this kernel; 0: there is none, or it is switched off. */
int landlock_abi(void);

/* A rule set that forbids all writing, and signals to processes and connections to abstract sockets
 * outside; with NO_TCP TCP as well. As far as ABI knows of them. -1 with errno. */
int landlock_new(int abi, bool no_tcp);

/* Allows all writing below the directory PATH, or to the file. 0, or -1 with errno. */
int landlock_allow(int rules, int abi, const char *path);

/* Allows writing to the devices that are no place: null, zero, full, random, terminals. What is not
 * there is left out. */
void landlock_allow_devices(int rules, int abi);

/* Lays the rules upon the calling thread, which has given up new privileges (prctl
 * PR_SET_NO_NEW_PRIVS) before. One system call, for a child of vfork. 0, or -1 with errno. */
int landlock_enter(int rules);
