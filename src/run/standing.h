/* A standing tree: the directory of a slot that keeps its candidate when the test is over, and
 * becomes the next one by writing only what differs. For large trees, where making everything anew
 * would cost more than the test.
 *
 * The test may have written into its copy. So before the next candidate each entry is looked at:
 * what is not exactly what was put there (inode, mode, size, times of change) is removed and
 * written again; of what was written in the same tick of the clock in which the test was started
 * the bytes are compared, for a change within that tick would not show. What does not belong there
 * goes. A change through a shared mapping of a file in memory leaves no trace, and is not seen.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "text/testcase.h"

struct standing_entry;

/* Zero-initialise. */
struct standing {
	struct testcase_names *names;   /* keeps the paths */
	struct standing_entry *entries; /* what is there, in the order of the candidate */
	uint32_t n;
	uint64_t written; /* bytes written by the last update */
};

/* Should TC be a standing tree? */
bool standing_suits(const struct testcase *tc);

/* Makes the directory SET ("w3") in the open slot directory hold TC and the directories among
 * OPERANDS, as workdir_write does. No process works in it. 0, or -1 with errno: then nothing is
 * known to be there. */
int standing_update(struct standing *s, int slot, const char *set, const struct testcase *tc,
                    const char *const *operands, mode_t umask);

/* Empties SET, if anything is there. */
void standing_remove(struct standing *s, int slot, const char *set);

/* Forgets what is there: somebody else has emptied it. */
void standing_forget(struct standing *s);
