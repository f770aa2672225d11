/* What goes together with how a test is asked: --persistent, --forkserver, --verdicts. */
#ifndef WHITTLE_CLI_PERSISTENT_H
#define WHITTLE_CLI_PERSISTENT_H

#include <stdbool.h>

struct err;
struct session_options;

/* FORKS: --forkserver was given. 0, or -1 and err when S asks for what makes no sense with it.
 * COMMAND: the test is a command. */
int persistent_check(const struct session_options *s, bool command, bool forks, struct err *err);

#endif
