/* What is wrong with a shell script that says no to the input, or yes to an empty file, as its
 * lines show it: advice after an error message (teach.h). */
#ifndef WHITTLE_FIRST_TEACH_LINES_H
#define WHITTLE_FIRST_TEACH_LINES_H

#include <stdbool.h>

struct teach_lines {
	const char *text;   /* of the script */
	const char *file;   /* the candidate, as the user named it */
	const char *output; /* of the test on the input; NULL: none */
	bool trivial;       /* it says yes to an empty file, else no to the input */
};

/* Prints at most three hints, one line each, on standard error; how many. */
unsigned teach_lines(const struct teach_lines *about);

/* LINE, of a script, with '_' in place of what stands in quotes and is no path or variable:
 * patterns and messages are no commands. As long as LINE; the caller's. */
char *teach_unquoted(const char *line);

/* Is there a program NAME, a path or in a directory of $PATH? */
bool teach_is_command(const char *name);

#endif
