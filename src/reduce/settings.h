/* The settings of a reduction: those of its options that its result depends on, besides input and test. As text, sorted
 * lines KEY=VALUE, they are kept with the original: they decide whether a reduction is the same one, and are enough to go
 * on with it elsewhere. */
#ifndef WHITTLE_REDUCE_SETTINGS_H
#define WHITTLE_REDUCE_SETTINGS_H

#include <stdbool.h>

struct err;
struct session_options;

/* The settings of OPTIONS as text; the caller's. */
char *settings_text(const struct session_options *options);

/* The reverse: sets in OPTIONS what TEXT says, and nothing else. TEXT is changed, and OPTIONS point into it afterwards.
 * -1 and err when it was written by another version. */
int settings_parse(struct session_options *options, char *text, struct err *err);

/* Do the verdicts of a reduction with the settings A hold for one with the settings B, when both have the same test? */
bool settings_share_verdicts(const struct session_options *a, const struct session_options *b);

#endif
