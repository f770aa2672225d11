/* External passes: programs of others that transform the test case; whittle-passes(7) describes
 * what they are asked and answer. A program declares passes; for a test case a pass gives
 * candidates: as edits in one list, or as a number of instances, each of which is then asked for.
 *
 * What a program answers is taken to be a function of the program, the pass, the test case and the
 * instance. That is why an answer is a value here (struct external_result), remembered like a
 * verdict (external_host.h), and the reducer stays a pure machine: it asks for results as it asks
 * for verdicts.
 */
#pragma once

#include "external/external_host.h"
#include "external/external_result.h"

struct err;

/* Adds what COMMAND (words separated by blanks, the first one a path or found in PATH) declares for
 * files that TOKENIZER reads. Asks it through ASKER, whose oracle is idle, with EMPTY, an empty
 * file of the test case's name. -1 and err when it does not answer as it should; X is as before
 * then. */
int externals_add(struct externals *x, const char *command, const char *tokenizer,
                  const struct testcase *empty, const struct oracle_asker *asker, struct err *err);
void externals_release(struct externals *x);

/* "NAME VERSION HASH; ..." of the programs, the same on another machine that has them; part of the
 * settings; the caller's. Empty: none. */
char *externals_identity(const struct externals *x);

/* The commands, separated by "; ": enough to find the programs on this machine again; the caller's.
 */
char *externals_commands(const struct externals *x);

/* For programs that are used when they are installed: the command for TOKENIZER, with our side of
 * it in DIR; the caller's. NULL: nothing is there, found out by a few looks for files. */
char *externals_installed(const char *tokenizer, const char *dir);

/* Likewise for a program of ours in DIR that is built where clang's libraries are installed
 * (refs/): for FILE when its name says that it is C++. */
char *externals_built(const char *tokenizer, const char *file, const char *dir);
