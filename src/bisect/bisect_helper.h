/* `git bisect run whittle bisect TEST FILE...`: judges the revision that is checked out. */
#ifndef WHITTLE_BISECT_BISECT_HELPER_H
#define WHITTLE_BISECT_BISECT_HELPER_H

#include "bisect/bisect.h"

/* Prints one line, and returns the exit status: one of enum bisect_answer, whatever happens. */
int bisect_helper(const struct bisect_options *options);

#endif
