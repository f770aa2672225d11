#include "run/setup.h"

#include "run/pool.h"

struct oracle *setup_open(const struct setup *setup, struct err *err)
{
	struct oracle *pool = pool_new(setup, err);
	const char *left = pool ? pool_left_behind(pool) : NULL;
	if (left && setup->notice)
		setup->notice(setup->notice_arg, left);
	return pool;
}
