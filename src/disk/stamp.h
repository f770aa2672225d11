/* What tells one thing under a name from another one, or from itself after a change: of a file or a
 * link its inode, size and time of change; of a directory that of all that is in it. Nothing is
 * read. A repository or an archive cannot bring a thing with a given stamp. */
#pragma once

#include <stdbool.h>

#include "base/hash.h"

/* The stamp of PATH; zero: there is nothing, or nothing that can be looked at. Half a directory is
 * not taken for a whole one. */
struct hash stamp_of(const char *path);

bool stamp_is_none(struct hash stamp);
