/* The result made readable: --format=COMMAND. What a formatter makes of the result is written in
 * its place when the test finds it interesting too. It is larger than the result, so it is no
 * snapshot and nothing is certified about it. */
#ifndef WHITTLE_REDUCE_FORMAT_H
#define WHITTLE_REDUCE_FORMAT_H

#include "run/oracle.h"

struct err;
struct tokenizer;

/* The first formatter that TOK names and that is installed; NULL: there is none. */
const char *format_command(const struct tokenizer *tok);

/* Runs COMMAND, for the shell, with the path of TC (one file) as a last argument; its standard
 * output is the formatted file. The oracle is idle. 1: *out is that, the caller's reference. 0:
 * *why says why there is none. -1 and err when the system refuses. */
int format_run(const char *command, const struct testcase *tc, const struct oracle_asker *asker,
               struct testcase **out, const char **why, struct err *err);

#endif
