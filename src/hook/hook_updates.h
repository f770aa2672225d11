/* What is being pushed: the lines that git gives a pre-push hook on standard input, or what the
 * pre-commit framework, which reads them itself, says in the environment. */
#ifndef WHITTLE_HOOK_HOOK_UPDATES_H
#define WHITTLE_HOOK_HOOK_UPDATES_H

#include <stddef.h>

struct err;

struct hook_update {
	char *ref;   /* the local one, as git names it */
	char *tip;   /* object or revision to be pushed */
	char *there; /* what the remote has; NULL: nothing yet */
};

struct hook_updates {
	struct hook_update *list;
	size_t n, cap;
};

/* Reads FD to its end, whatever is there, so that git does not write to a pipe that nobody
 * reads. Deletions and refs of kept reductions are left out. -1 and err for what is not a pre-push
 * hook's input. The caller releases the list also after a failure. */
int hook_updates_read(struct hook_updates *updates, int fd, struct err *err);
void hook_updates_release(struct hook_updates *updates);

#endif
