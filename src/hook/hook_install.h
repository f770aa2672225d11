/* Puts the pre-push hook where git finds it, and takes it away again.
 *
 * Where git takes hooks from its configuration (asked, not guessed from its version) that is two
 * settings, hook.whittle.command and hook.whittle.event, beside whatever else runs. Else it is the
 * file pre-push in the directory that git names (core.hooksPath, worktrees). A hook that is there
 * stays, as pre-push.before-whittle beside it, and is run first; uninstalling makes it pre-push
 * again: the same file, not a copy. It is pre-push at every moment in between.
 */
#pragma once

struct err;
struct hook_checkouts;

enum hook_where { HOOK_NOWHERE, HOOK_IN_CONFIG, HOOK_IN_FILE, HOOK_BY_OTHER };

struct hook_installed {
	enum hook_where where;
	char *file;   /* HOOK_IN_FILE, or where the file would be */
	char *before; /* the hook that was there; NULL: none */
	/* Who runs the hooks here, in words: a program that writes the file itself, and anew, or a
	 * directory that is not this repository's alone. NULL: git, from a directory of its own. */
	const char *other;
	char *said_in; /* the file that says what runs then... */
	char *line;    /* ...and what to do to it, for whittle to run; NULL: it does */
};

/* How things are. The caller releases it also after a failure. */
int hook_installed_find(struct hook_installed *installed, struct err *err);
void hook_installed_release(struct hook_installed *installed);

/* Installs the hook, but where others run the hooks, what to do is up to the user: PROGRAM is the
 * absolute path of whittle, SHIM the file hooks/pre-push. Is it there already, nothing changes.
 * Fills *installed with how things are then. */
int hook_install(struct hook_installed *installed, const char *program, const char *shim,
                 struct err *err);

/* Removes it; a file that is not SHIM as it was installed stays, and is an error. *installed: how
 * things were. */
int hook_uninstall(struct hook_installed *installed, const char *shim, struct err *err);

/* Sets up a driver: copies its test to where no clone, checkout or pull can change it, and writes
 * its configuration. What the attribute has to say is left to the user, since it is committed. */

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
