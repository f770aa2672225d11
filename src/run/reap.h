/* Ending whatever a test left behind. The caller is a child subreaper with all signals blocked:
 * every descendant whose parents are gone is its child, so "no children" means "nothing left". */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Kills and reaps the caller's children until there are none. False when some are left: not ours to
 * kill (another user's by set-user-id), or stuck in the kernel for longer than five seconds after
 * the kill. Processes that go on forking and leaving their session are hunted until one round meets
 * none that was missed. */
bool reap_descendants(void);

/* The same for all children but LEADER and OTHER (0: nobody), which stay, with what they have not
 * left yet. */
bool reap_strays(pid_t leader, pid_t other);

/* Reaps what ended beside these two: orphans that are ours while the test still runs. There can be
 * many. */
void reap_orphans(pid_t leader, pid_t other);
