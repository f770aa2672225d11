/* One reduction, opened: to be read (history.h), or to be written as well (store.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "store/location.h"
#include "store/step.h"

struct reduction {
	struct location
		location; /* file: from "origin", NULL when it was fetched and never run here */
	struct chain chain;
	unsigned step; /* the one asked for; its commit is chain.ids[at] */
	size_t at;
	bool step_given;
	bool damaged;    /* its history cannot be read: it is there, for reduction_delete */
	bool broken_ref; /* nor its ref */
};

static inline bool reduction_is_sound(const struct reduction *r)
{
	return r->chain.n && !r->damaged;
}

/* The number of its last step. */
static inline unsigned reduction_steps(const struct reduction *r)
{
	return r->chain.n ? (unsigned)r->chain.n - 1 : 0;
}

/* Reads the history of R, whose location is known. 1; 0: there is none; -1 and err: it is damaged.
 */
int reduction_load(struct reduction *r, struct err *err);
