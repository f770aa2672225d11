/* --also: other failures than the one that is reduced, kept on the way (reduce/session_also.h). */
#pragma once

#include <stdbool.h>

#include "ask/other.h"

struct err;
struct option_row;
struct session;
struct session_options;

struct others {
	const char *text; /* as the user gave it; NULL: none are wanted */
	struct other_wish wish;
	char *args[2];      /* for whittle-judge */
	bool statuses[256]; /* of the test */
	bool is_condition;  /* the test is one */
};

/* Setter; the member at the row's offset is a struct others. */
int others_set(void *target, const struct option_row *row, const char *text, struct err *err);

/* Lets the session look for them. -1 and err when that cannot be. */
int others_begin(struct others *others, struct session_options *session, struct err *err);

/* Behind the reduction: finds out what was seen, keeps it, and says so on standard error unless
 * QUIET. FINISHED: nobody else will, and what was met is forgotten once it is kept. */
struct others_end {
	bool quiet, finished;
};
void others_end(const struct others *others, struct session *s, struct others_end end);
