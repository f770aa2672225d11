/* What a test uses while it runs, as its supervisor can see it: bytes in its directories,
 * processes. */
#pragma once

#include <stdint.h>

enum { LIMITS_USAGE_ENTRY = 4096 }; /* what an entry counts at least, however small it is */

/* The bytes that are in the directory NAME below the open one and in all below that; counting
 * ends when they are more than MOST. Each entry counts as whole blocks of LIMITS_USAGE_ENTRY bytes,
 * at least one, so that the sum is the same on all file systems; a file with several names counts
 * its share for each. Only what is on the file system of NAME counts, and nothing after a path of
 * more than PATH_MAX bytes. */
uint64_t limits_usage_bytes(int dir, const char *name, uint64_t most);

/* How many descendants the caller has, as far as /proc tells; counting ends when they are more than
 * MOST. Those that were forked by other threads than the first of a process are not seen while that
 * lives. */
unsigned limits_usage_processes(unsigned most);
