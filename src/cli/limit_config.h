/* The limits of tests: --file-limit, --memory-limit and --process-limit, else git's configuration
 * (whittle.fileLimit, whittle.memoryLimit, whittle.processLimit) as it holds where FILE is, else
 * what session.h says. */
#ifndef WHITTLE_CLI_LIMIT_CONFIG_H
#define WHITTLE_CLI_LIMIT_CONFIG_H

#include <stdint.h>

#include "reduce/session.h"

#define LIMIT_NOT_GIVEN UINT64_MAX

/* Sets those limits of O that are LIMIT_NOT_GIVEN. 0, or -1 and err when the configuration has a
 * value that is no number. One that cannot be read at all is somebody else's to report. */
int limit_config(struct session_options *o, const char *file, struct err *err);

#endif
