/* Is a program still the one that it was? A test that somebody edits while it is in use gives
 * answers that are not those of the test that a reduction began with. */
#ifndef WHITTLE_RUN_SAME_PROGRAM_H
#define WHITTLE_RUN_SAME_PROGRAM_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/hash.h"

struct same_program {
	const char *path;    /* not owned */
	struct stat seen;    /* when it was last found to be the same */
	struct hash content; /* of no bytes where it cannot be read */
	bool known;          /* false: there was nothing to look at */
};

/* Takes note of the program at PATH, which must live as long as *same. */
void same_program_note(struct same_program *same, const char *path);

/* Whether it has the same bytes. They are read only where what the system says of the file (which
 * it is, its size and times) has changed. Of a program that cannot be read any change counts. True
 * where nothing was known. */
bool same_program_is(struct same_program *same);

#endif
