/* What the hook remembers between pushes, in COMMON/whittle/.hook, COMMON being the git directory
 * that all worktrees share: which files were found to be good, and smaller versions that wait for
 * the user to commit them. All of it may be removed at any time; nothing is lost by that but time.
 *
 *     checked         a line per good file: the key, 32 hexadecimal digits
 *     small/ID/NAME   a smaller version of a blob, NAME may be another one; removed two weeks later
 */
#ifndef WHITTLE_HOOK_HOOK_SEEN_H
#define WHITTLE_HOOK_HOOK_SEEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/hash_set.h"

struct err;

struct hook_seen {
	char *dir; /* COMMON/whittle/.hook */
	struct buf checked;
	struct hash_set keys;
};

/* Reads what is remembered; makes no directory. -1 and err when it is there and cannot be read.
 * Release in any case. */
int hook_seen_open(struct hook_seen *seen, const char *common, struct err *err);
void hook_seen_release(struct hook_seen *seen);

bool hook_seen_has(const struct hook_seen *seen, struct hash key);

/* Remembers KEY, beside what other pushes remember at the same time. */
int hook_seen_add(struct hook_seen *seen, struct hash key, struct err *err);

/* Keeps the bytes as a smaller version of the blob ID, under the base NAME. Its path, the caller's;
 * NULL and err. */
char *hook_seen_keep(const struct hook_seen *seen, const char *id, const char *name,
                     const void *bytes, size_t len, struct err *err);

#endif
