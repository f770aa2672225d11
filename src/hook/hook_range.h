/* The trees that decide what is pushed: tips that have something new, and the commits the remote
 * has that they build on. */
#ifndef WHITTLE_HOOK_HOOK_RANGE_H
#define WHITTLE_HOOK_HOOK_RANGE_H

#include <stddef.h>

struct err;
struct hook_updates;

struct hook_tip {
	char *commit;    /* NULL: the ref has no commit (a tag of a tree), or no new one */
	const char *ref; /* points into the updates */
};

struct hook_range {
	struct hook_tip *tips;
	size_t n;     /* as many as updates */
	char **bases; /* commits that the remote has; none: all of the tips is new */
	size_t n_bases, cap_bases;
};

int hook_range_find(struct hook_range *range, const struct hook_updates *updates,
                    const char *remote, struct err *err);
void hook_range_release(struct hook_range *range);

#endif
