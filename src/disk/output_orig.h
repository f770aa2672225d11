/* The originals beside the results (output.h). */
#pragma once

#include "disk/output_tree.h"
#include "text/testcase.h"

struct err;

/* Keeps the originals as NAME.orig when results go in place, unless they are kept already; where
 * that is something else as NAME.orig.1, NAME.orig.2..., with a notice. */
int output_keep_original(const struct output *output, const struct testcase *original,
                         struct err *err);
