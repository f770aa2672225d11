/* One target of a result: a file, or a directory that is made anew of what of the test case goes
 * there. */
#ifndef WHITTLE_DISK_OUTPUT_TREE_H
#define WHITTLE_DISK_OUTPUT_TREE_H

#include "disk/output_def.h"
#include "text/testcase.h"

/* What of F's path is below the target; NULL when F does not go there. */
const char *output_below(const struct output_target *t, const struct testcase_file *f);

/* The entry that a target of a single file is; NULL: it is a directory. */
const struct testcase_file *output_file(const struct output_target *t, const struct testcase *tc);

/* Makes what of TC belongs to the target as the new file or directory TEMP, and brings it to the
 * disk. */
int output_make(const struct output *o, const struct output_target *t, const struct testcase *tc,
                const char *temp);

#endif
