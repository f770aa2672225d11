/* Who writes to a path: one process at a time on a machine, whatever repository it keeps its
 * snapshots in and whoever runs it. A claim is a socket with an abstract name that the directory's
 * inode and the name in it make up: it leaves nothing behind, and is gone with its process. */
#pragma once

struct err;

enum { CLAIM_NONE = -2 };

/* Claims the real path REAL, SHOWN to the user, until the descriptor is closed; CLAIM_NONE where
 * there are no such sockets. -1 and err: somebody else has claimed it, or a directory that it is
 * in. */
int claim_take(const char *real, const char *shown, struct err *err);
