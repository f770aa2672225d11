/* The inside of a minder, for the modules that it is made of: minder.h (requests, directories),
 * minder_watch.h (a test that runs), minder_live.h (a test that stays alive). */
#ifndef WHITTLE_RUN_MINDER_DEF_H
#define WHITTLE_RUN_MINDER_DEF_H

#include <stdint.h>
#include <sys/types.h>

#include "run/child.h"
#include "run/ending.h"
#include "fence/fence.h"
#include "run/living.h"
#include "run/nearby.h"
#include "fence/own_limits.h"
#include "run/sets.h"
#include "run/setup.h"
#include "run/wire.h"
#include "fence/workdir.h"

struct minder {
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
	struct living living; /* of a test that stays alive (minder_live.h) */
	struct living aside;  /* another one, while a fresh one is asked beside it */
	struct nearby near;   /* of fork servers */
};

/* The path of the candidate's file NAME, the caller's. */
char *minder_candidate(const struct minder *m, unsigned generation, const char *name);

/* The descriptor for WHICH of those that came with RQ; -1: none. */
int minder_output(const struct minder *m, const struct wire_request *rq, enum wire_output which);

/* Starts SPEC, and closes what came with the request. Its pid, or -1 with errno. */
pid_t minder_start(struct minder *m, const struct child_spec *spec);

#endif
