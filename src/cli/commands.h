/* The subcommands: each is a file cmd_*.c and a row in main.c. argv[0] is the subcommand's name.
 * Each prints its own errors ("whittle: ...") and returns the exit code (base/err.h). */
#pragma once

#include <stddef.h>

struct err;

int cmd_reduce(int argc, char **argv);
int cmd_resume(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_tokens(int argc, char **argv);
int cmd_bisect(int argc, char **argv);
int cmd_hook(int argc, char **argv);
int cmd_completion(int argc, char **argv);

/* The name of the I-th command, and in *help (may be NULL) what it does; NULL: there are no more.
 */
const char *command_name(size_t i, const char **help);
int cmd_signature(int argc, char **argv);
int cmd_worker(int argc, char **argv);

/* Answers --version. */
int command_version(void);

/* Prints "whittle: MESSAGE" and returns the exit code. */
int command_fail(const struct err *err);
