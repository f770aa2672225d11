/* The line that runs a test by hand as whittle does: advice after an error message (teach.h). */
#ifndef WHITTLE_FIRST_TEACH_HAND_H
#define WHITTLE_FIRST_TEACH_HAND_H

struct session_options;

/* Commands of a shell that run TEST, an absolute path of a script with this TEXT, on what the
 * operands hold, in a directory of their own; the caller's. NULL: that takes more than a line. */
char *teach_hand(const struct session_options *o, const char *test, const char *text);

#endif
