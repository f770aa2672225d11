/* What a repository says about the language of its files: the attribute whittle-tokenizer, and
 * .whittle/tokenizers.
 *
 * Both may come from a stranger: a clone. A tokenizer is data, its patterns run without code of
 * their own and within limits; the attribute can name one, but no file. */
#ifndef WHITTLE_CLI_ATTRIBUTES_H
#define WHITTLE_CLI_ATTRIBUTES_H

struct err;

/* *NAME is the value of the attribute for PATH, the caller's; NULL when PATH is in no work tree or
 * has no such attribute. -1 with err (ERR_USAGE) when the value is no name. */
int attribute_tokenizer(const char *path, char **name, struct err *err);

/* .whittle/LEAF of the work tree around PATH, the caller's; NULL when there is none. */
char *attribute_data_dir(const char *path, const char *leaf);

/* Says on standard error when the repository around PATH belongs to somebody else, and is passed
 * by. */
void attribute_warn(const char *path);

#endif
