/* The directories of a slot's tests, as its supervisor keeps them (workdir.h shows where they are):
 * per generation a working directory "w", a TMPDIR "t", and, when the test is not to find the
 * candidate where it works, "i" for the candidate; "j" is a FIFO, for its job server. All functions
 * work in the current directory, which is the slot's.
 */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/wire.h"

enum { SETS_NAME_SIZE = 4 };

struct sets {
	char candidate;      /* 'w' or 'i': where the candidate is */
	bool fifos;          /* whether there are "j" */
	unsigned n;          /* sets: with those of persistent tests, or without */
	unsigned persistent; /* the one of the persistent test that is asked */
	DIR *dir;            /* the slot's directory */
	unsigned n_junk;     /* directories set aside because they could not be removed */
};

/* Makes the directories of all generations that are not there; touches nothing else, for the pool
 * may be writing the first candidate already. INPUT is a set of enum setup_input. FIFOS: job
 * servers, too. LIVING: sets for persistent tests, too. 0, or -1 with errno. */
int sets_init(struct sets *sets, unsigned input, bool fifos, bool persistent);

/* Removes all that a test has left in its directories and beside them, and makes them anew, empty;
 * but a standing tree. */
void sets_renew(struct sets *sets, unsigned generation);

/* Removes what is in the directories of GENERATION, which stay. False: that was not possible, or
 * they are no longer as they were made. */
bool sets_clear(const struct sets *sets, unsigned generation);

/* The candidate's file NAME, for reading; -1 with errno. A test that was being cancelled when the
 * candidate was written may have put a link, a FIFO or a mount in its place: ENOENT, or as
 * beneath_open says. */
int sets_open_candidate(const struct sets *sets, unsigned generation, const char *name);

/* The bytes in the directories of GENERATION, and of a persistent test (limits_usage.h). */
uint64_t sets_bytes(const struct sets *sets, unsigned generation, uint64_t most);

/* The name of a directory. */
void sets_name(char name[SETS_NAME_SIZE], char letter, unsigned generation);
