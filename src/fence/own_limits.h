/* The limits of a supervisor itself. A test may lower those of its parent (prlimit), behind the
 * fence too; a supervisor that cannot open or start anything any more would end the reduction. */
#ifndef WHITTLE_FENCE_OWN_LIMITS_H
#define WHITTLE_FENCE_OWN_LIMITS_H

#include <stdbool.h>
#include <sys/resource.h>

struct own_limits {
	struct rlimit list[RLIM_NLIMITS];
};

/* The limits of this process. */
struct own_limits own_limits(void);

/* Are they still those? */
bool own_limits_hold(const struct own_limits *limits);

#endif
