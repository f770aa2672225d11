/* What the hook would look at: which files of HEAD have a driver, which are checked when they are
 * pushed, which are not and why. Nothing is judged. */
#ifndef WHITTLE_HOOK_HOOK_OVERVIEW_H
#define WHITTLE_HOOK_HOOK_OVERVIEW_H

#include "hook/hook_say.h"

struct err;
struct hook_config;
struct hook_checkouts;

/* Tells it line by line. -1 and err. Leaves for the top of the work tree. */
int hook_overview(const struct hook_config *config, const struct hook_checkouts *checkouts,
                  hook_say_fn *say, struct err *err);

#endif
