/* What a first command line got wrong, and the line that works: advice after an error message. */
#ifndef WHITTLE_FIRST_TEACH_H
#define WHITTLE_FIRST_TEACH_H

#include <stdbool.h>

struct err;
struct session_options;
struct session_probe;

/* Prints on standard error, one line for each, the mistakes that can be seen in the operands and in
 * the test's script now that ERR has been reported. PROBE: what the test did, if it was run. */
void teach(const struct session_options *options, const struct session_probe *probe,
           const struct err *err);

/* Does this word of a script stand for something that is another thing in each run: date, $RANDOM?
 */
bool teach_varies(const char *word);

/* The line that works for a command line whose N operands (OPERANDS) are too few; the caller's. */
char *teach_operands(char *const *operands, int n);

#endif
