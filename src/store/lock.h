/* The lock of a reduction: one writer at a time.
 *
 * A POSIX record lock on a file. The kernel drops it with its owner, however that one died, so a
 * lock is never stale; unlike flock(2)'s it is not inherited by the tests and helpers an owner
 * forks, and it tells its owner's process id. The rule that comes with it: a process that holds the
 * lock must not open and close the file a second time.
 */
#pragma once

#include <sys/types.h>

struct err;
struct faults;

/* Takes the lock on PATH, which is created. The descriptor that holds it, to be closed in order to
 * release it. -1 and err; *owner (may be NULL) is the process that has it, 0 when the failure is
 * another one. */
int lock_take(const char *path, pid_t *owner, struct faults *faults, struct err *err);

/* The process that holds the lock on PATH, 0 when nobody does. Not for the holder (see above). */
pid_t lock_owner(const char *path);
