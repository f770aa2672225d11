#include "fence/own_limits.h"

struct own_limits own_limits(void)
{
	struct own_limits limits = { 0 };
	for (int i = 0; i < RLIM_NLIMITS; i++)
		getrlimit((__rlimit_resource_t)i, &limits.list[i]);
	return limits;
}

bool own_limits_hold(const struct own_limits *limits)
{
	struct own_limits now = own_limits();
	for (int i = 0; i < RLIM_NLIMITS; i++)
		if (now.list[i].rlim_cur != limits->list[i].rlim_cur ||
		    now.list[i].rlim_max != limits->list[i].rlim_max)
			return false;
	return true;
}
