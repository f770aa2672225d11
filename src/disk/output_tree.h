/* One target of a result: a file, or a directory that is made anew of what of the test case goes
 * there. */
#ifndef WHITTLE_DISK_OUTPUT_TREE_H
#define WHITTLE_DISK_OUTPUT_TREE_H

#include <stdbool.h>

#include "disk/output_def.h"
#include "text/testcase.h"

/* What of F's path is below the target; NULL when F does not go there. */
const char *output_below(const struct output_target *t, const struct testcase_file *f);

/* The entry that a target of a single file is; NULL: it is a directory. */
const struct testcase_file *output_file(const struct output_target *t, const struct testcase *tc);

/* Makes what of TC belongs to the target as the new file or directory TEMP, and brings it to the
 * disk. In place it has what is there besides content (io_form); what holds the same has the same
 * times, and what had several names in a directory and still is one has them again. */
int output_make(const struct output *o, const struct output_target *t, const struct testcase *tc,
                const char *temp);

/* All directories that TC has in TEMP, which output_make made, have the times of those in place: of
 * a tree that has not changed. */
void output_keep_times(const struct output_target *t, const struct testcase *tc, const char *temp);

/* Does PATH hold what F is? FOLLOW: also where it is a link to that. */
bool output_holds(const char *path, bool follow, const struct testcase_file *f);

#endif
