/* What a step changed, kept to be looked at: the text that went and the text that came, with a
 * little of what is around. Bounded, however large the step.
 *
 * Life cycle: live_change_new from two test cases; live_change_free.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct testcase;

enum {
	LIVE_CHANGE_AROUND = 240, /* bytes before and after */
	LIVE_CHANGE_TEXT = 4096,  /* bytes of what went, and of what came */
};

/* One side of it: what is before the change, the first bytes of that, what is behind. */
struct live_side {
	uint8_t *bytes;
	uint32_t from, to, len; /* of the change, and of all */
	uint32_t more;          /* bytes of it that are not kept */
};

struct live_change {
	char *path;    /* of the file in a tree; NULL: a single file */
	uint32_t line; /* number of the line in which it begins, from 1 */
	struct live_side went, came;
};

/* NULL: there is nothing to be seen (BEFORE and AFTER are equal; a tree's bytes are elsewhere). */
struct live_change *live_change_new(const struct testcase *before, const struct testcase *after);
void live_change_free(struct live_change *c);
size_t live_change_cost(const struct live_change *c); /* memory, in bytes */
