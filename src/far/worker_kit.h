/* A worker's kit (kit.h), taken in: the test and its files lie in a directory, and what they are
 * run with makes a setup. */
#ifndef WHITTLE_FAR_WORKER_KIT_H
#define WHITTLE_FAR_WORKER_KIT_H

#include <stdbool.h>

#include "ask/condition.h"
#include "run/setup.h"
#include "fence/workdir.h"

struct err;
struct frame;

struct worker_kit {
	struct workdir work;
	struct setup setup; /* its strings are those below */
	char *name;         /* of the next file; NULL: none has been given */
	char *test;
	char **args, **operands; /* n_args, n_operands of them, and a NULL */
	unsigned n_args, n_operands;
	bool forks;                 /* the test is a condition, whose command is a fork server: */
	struct condition condition; /* that, once the kit is complete */
	char *program;              /* of the command, as it is found here */
};

/* Takes in FRAME. 1, 0: it is none of a kit, or -1 and err: it makes no sense, or cannot be
 * written. */
int worker_kit_take(struct worker_kit *kit, const char *dir, const struct frame *frame,
                    struct err *err);

/* Makes kit->setup complete. -1 and err: something is missing. */
int worker_kit_finish(struct worker_kit *kit, struct err *err);

void worker_kit_release(struct worker_kit *kit);

#endif
