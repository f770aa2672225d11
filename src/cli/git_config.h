/* Settings from git's configuration, for what the command line does not say: as the repository
 * around FILE has it, or the user. A configuration that cannot be read is somebody else's to
 * report. */
#pragma once

#include <stdint.h>

struct err;
struct fence_options;
struct option_row;
struct session_options;

/* whittle.fence, unless the level was given, and whittle.allowWrite (may be repeated; ~/ is the
 * home directory). 0, or -1 and err. */
int fence_config(const char *file, struct fence_options *fence, struct err *err);

#define LIMIT_NOT_GIVEN UINT64_MAX

/* Sets those limits of O that are LIMIT_NOT_GIVEN: whittle.fileLimit, whittle.memoryLimit,
 * whittle.processLimit, else what session.h says. 0, or -1 and err for a value that is no number.
 */
int limit_config(struct session_options *o, const char *file, struct err *err);

/* Setters of options; at the row's offset is a struct fence_options. */
int fence_set_level(void *target, const struct option_row *row, const char *text, struct err *err);
int fence_add_place(void *target, const struct option_row *row, const char *text, struct err *err);
