/* Settings from git's configuration, for what the command line does not say. */
#ifndef WHITTLE_CLI_FENCE_CONFIG_H
#define WHITTLE_CLI_FENCE_CONFIG_H

struct err;
struct fence_options;
struct option_row;

/* whittle.fence, unless the level was given, and whittle.allowWrite (may be repeated; ~/ is the
 * home directory), as the repository around FILE says, or the user's own configuration. 0, or -1
 * and err. */
int fence_config(const char *file, struct fence_options *fence, struct err *err);

/* Setters of options; at the row's offset is a struct fence_options. */
int fence_set_level(void *target, const struct option_row *row, const char *text, struct err *err);
int fence_add_place(void *target, const struct option_row *row, const char *text, struct err *err);

#endif
