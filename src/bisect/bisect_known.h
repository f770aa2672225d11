/* What is known about revisions: which test case showed the bug where. Kept in a file, so that a
 * bisection that was interrupted asks nothing twice. One line each: hash of the test case, commit,
 * answer. */
#ifndef WHITTLE_BISECT_BISECT_KNOWN_H
#define WHITTLE_BISECT_BISECT_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "bisect/bisect.h"

struct err;

struct bisect_fact {
	struct hash tc;
	char id[BISECT_ID_SIZE];
	enum bisect_answer answer;
};

struct bisect_known { /* zero-initialise */
	char *path;
	struct bisect_fact *list;
	size_t n, cap;
};

/* Reads the file, which need not be there. A torn last line is dropped. */
int bisect_known_open(struct bisect_known *known, const char *path, struct err *err);
void bisect_known_release(struct bisect_known *known);

/* Reads it again, as another process has added to it. */
int bisect_known_again(struct bisect_known *known, struct err *err);

/* Is the answer known? */
bool bisect_known_get(const struct bisect_known *known, struct hash tc, const char *id,
                      enum bisect_answer *answer);

/* Keeps it. */
int bisect_known_put(struct bisect_known *known, struct hash tc, const char *id,
                     enum bisect_answer answer, struct err *err);

#endif
