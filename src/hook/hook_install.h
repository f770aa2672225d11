/* Puts the pre-push hook where git finds it, and takes it away again.
 *
 * Where git takes hooks from its configuration (asked, not guessed from its version) that is two
 * settings, hook.whittle.command and hook.whittle.event, beside whatever else runs. Else it is the
 * file pre-push in the directory that git names (core.hooksPath, worktrees). A hook that is there
 * stays, as pre-push.before-whittle beside it, and is run first; uninstalling makes it pre-push
 * again: the same file, not a copy. It is pre-push at every moment in between.
 */
#ifndef WHITTLE_HOOK_HOOK_INSTALL_H
#define WHITTLE_HOOK_HOOK_INSTALL_H

#include <stdbool.h>

struct err;

enum hook_where { HOOK_NOWHERE, HOOK_IN_CONFIG, HOOK_IN_FILE };

struct hook_installed {
	enum hook_where where;
	char *file;   /* HOOK_IN_FILE, or where the file would be */
	char *before; /* the hook that was there; NULL: none */
};

/* How things are. The caller releases it also after a failure. */
int hook_installed_find(struct hook_installed *installed, struct err *err);
void hook_installed_release(struct hook_installed *installed);

/* Installs the hook: PROGRAM is the absolute path of whittle, SHIM the file hooks/pre-push. Is it
 * there already, nothing changes. Fills *installed with how things are then. */
int hook_install(struct hook_installed *installed, const char *program, const char *shim,
                 struct err *err);

/* Removes it; a file that is not SHIM as it was installed stays, and is an error. *installed: how
 * things were. */
int hook_uninstall(struct hook_installed *installed, const char *shim, struct err *err);

#endif
