/* Sets up a driver: copies its test to where no clone, checkout or pull can change it, and writes
 * its configuration. What the attribute has to say is left to the user, since it is committed. */
#ifndef WHITTLE_HOOK_HOOK_SETUP_H
#define WHITTLE_HOOK_HOOK_SETUP_H

#include <stdbool.h>

struct err;
struct hook_checkouts;

struct hook_setup {
	char *name;          /* of the driver: letters, digits, "-" and "_" */
	const char *pattern; /* of the files, as in .gitattributes; NULL: not said */
	const char *test;    /* an executable file */
	/* Settings as git config has them; NULL: as they are. */
	const char *tokenizer, *budget, *slack, *unchecked;
};

/* What was done, and what is left to do. */
struct hook_set_up {
	char *test;      /* the copy, absolute */
	char *attribute; /* line for .gitattributes; NULL: not needed, the attribute is there */
};

/* Takes "NAME" or "NAME=PATTERN" apart into SETUP, whose name is the caller's. */
int hook_setup_parse(struct hook_setup *setup, const char *text, struct err *err);

/* Does it, in the repository around. -1 and err: nothing was changed, unless the configuration
 * cannot be written. The caller releases *done. */
int hook_set_up(const struct hook_setup *setup, const struct hook_checkouts *checkouts,
                struct hook_set_up *done, struct err *err);
void hook_set_up_release(struct hook_set_up *done);

#endif
