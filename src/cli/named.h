/* All files that a command line names: those that it reads, also as words of the commands in it,
 * and those that it writes. What is written must be none of the others, and must not lie where the
 * result goes or in a directory that is reduced: those are replaced as a whole. */
#pragma once

#include <stdbool.h>

struct ask_options;
struct err;
struct reduction;
struct session_options;

/* Refuses each option that names a place to write to which something else in the options names,
 * too. EVENTS: of --events, NULL: not given. To be called when the operands are known, and before
 * anything is written. (Of directories, output_check sees more.) */
int named_check(const struct session_options *s, const struct ask_options *ask, const char *events,
                struct err *err);

/* Refuses PATH, to which --output of a command about the reduction R writes, if it is what R reads,
 * or with RESULT what R reduced, what it is written to, or in one of these. What this machine does
 * not know is not looked at. */
int named_check_reduction(struct reduction *r, const char *path, bool result, struct err *err);
