/* What a file is imported by, and mentioned as. */
#ifndef WHITTLE_EDITS_IMPORTS_H
#define WHITTLE_EDITS_IMPORTS_H

#include <stdint.h>

#include "search/view.h"

/* The name by which the path in the string at TOKEN is mentioned, as in Go: its last part, but for
 * a version ("math/rand/v2", "yaml.v3"). Not ended, part of the view's text; LEN bytes, 0: there is
 * none. */
const uint8_t *imports_name(const struct view *v, uint32_t token, uint32_t *len);

#endif
