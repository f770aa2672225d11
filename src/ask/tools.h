/* The tools that a test runs, as far as its text tells, and their versions here and now.
 *
 * The test may come from anybody: run are programs of a fixed list alone, which answer --version
 * and do nothing then, as they are found in PATH; with TRUSTED those that the text names by an
 * absolute path, too. */
#pragma once

#include <stdbool.h>

enum { TOOLS_MOST = 16 };           /* that are found in one text */
#define TOOLS_ANSWER_NS 3000000000u /* that a program has to say its version */

/* NAME as the test has it; VERSION: the first line of what it says. */
typedef void tools_fn(void *ctx, const char *name, const char *version);

/* Calls FN for each tool in TEXT, in order, each once. They have three seconds each. */
void tools_find(const char *text, bool trusted, tools_fn *fn, void *ctx);

/* Is this a program of the list, by its name or a path? */
bool tools_is_known(const char *program);

/* "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64"; the caller's. */
char *tools_system(void);
