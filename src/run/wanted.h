/* Which endings of a test are interesting. */
#ifndef WHITTLE_RUN_WANTED_H
#define WHITTLE_RUN_WANTED_H

#include <stdbool.h>

struct setup;

/* STATUS: of the test's leader as from waitpid, or of what a fork server has started. */
bool wanted_status(const struct setup *setup, int status);

#endif
