/* What a first command line or a test got wrong, and what works: advice after an error message, and
 * of `check`. */
#pragma once

#include <stdbool.h>

struct err;
struct session_options;
struct session_probe;

/* Prints on standard error, one line for each, the mistakes that can be seen in the operands and in
 * the test's script now that ERR has been reported. PROBE: what the test did, if it was run; TYPED:
 * the command line, "whittle" first. */
void teach(const struct session_options *options, const struct session_probe *probe,
           const char *const *typed, const struct err *err);

/* Prints on standard error what makes a test that can be used slow, or its answer depend on what is
 * no part of the candidate, one line for each. */
void teach_usable(const struct session_options *options, const struct session_probe *probe);

/* The line that works for a command line whose N operands (OPERANDS) are too few; the caller's. */
char *teach_operands(char *const *operands, int n);

/* Prints the line that works for WORDS, "whittle" and what was typed behind it, of which one is no
 * option of ours, when it is one of a command that lacks its "--"; false: it is none. */
bool teach_typed(const char *const *words);

/* Commands of a shell that run TEST, an absolute path of a script with this TEXT, on what the
 * operands hold, in a directory of their own; the caller's. NULL: that takes more than a line. */
char *teach_hand(const struct session_options *options, const char *test, const char *text);
