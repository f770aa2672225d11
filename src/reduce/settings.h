/* The settings of a reduction: those of its options that its result depends on, besides input and
 * test. As text, sorted lines KEY=VALUE, they are kept with the original: they decide whether a
 * reduction is the same one, and are enough to go on with it elsewhere. */
#ifndef WHITTLE_REDUCE_SETTINGS_H
#define WHITTLE_REDUCE_SETTINGS_H

#include <stdbool.h>

#define SETTINGS_FILE "file:"

struct err;
struct session_options;

/* The settings of OPTIONS as text; the caller's. NULL and err when the file of a tokenizer cannot
 * be read: it is known by a hash of its content, for its path means nothing elsewhere. */
char *settings_text(const struct session_options *options, struct err *err);

/* The reverse: sets in OPTIONS what TEXT says, and nothing else. TEXT is changed, and OPTIONS point
 * into it afterwards. A tokenizer that was a file becomes SETTINGS_FILE and a hash, which names
 * none: the caller has to find it. -1 and err when it was written by another version. */
int settings_parse(struct session_options *options, char *text, struct err *err);

/* Do the verdicts of a reduction with the settings A hold for one with the settings B, when both
 * have the same test? */
bool settings_share_verdicts(const struct session_options *a, const struct session_options *b);

#endif
