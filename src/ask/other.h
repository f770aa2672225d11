/* Another failure than the one that a condition asks for: what tells it from others, and the exit
 * status by which whittle-judge tells of it.
 *
 * What is wanted is given to whittle-judge as one argument: what a user has named, "any" (each
 * other signature or signal) and exit statuses, with commas between; then, each after a line end,
 * the directories of signatures.
 */
#pragma once

#include "ask/condition.h"

enum {
	OTHER_SIGNATURE = 64, /* exit statuses of whittle-judge: from here on by a hash of it, */
	OTHER_SIGNATURES = 128,
	OTHER_STATUS = 192, /* and by the exit status that was named */
	OTHER_STATUSES = 60,
};

struct other_wish {
	bool any, statuses[256];
};

/* "any,3,7". -1 when it is something else. *END (may be NULL): where it ends, a line end or NUL. */
int other_parse(struct other_wish *wish, const char *text, const char **end);

struct other {
	int status;               /* wait status of the command */
	int code;                 /* exit status that tells of it */
	char *family, *signature; /* its name and what it found, the caller's; NULL: none */
};

/* What the outcome O of a command shows that is wanted by TEXT and is no failure that C asks for.
 * OPERANDS: as for families_find. False: nothing. */
bool other_find(const struct condition *c, const struct outcome *o, char *const *operands,
                const char *text, struct other *out);
void other_release(struct other *other);

/* As text, and back: -1 when TEXT is no such text, which may be anything. */
char *other_text(const struct other *other);
int other_read(struct other *other, const char *text);
