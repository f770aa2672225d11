/* What a repository says about the language of its files: the attribute whittle-tokenizer, and
 * .whittle/tokenizers.
 *
 * Both may come from a stranger: a clone. A tokenizer is data, its patterns run without code of
 * their own and within limits; the attribute can name one, but no file. */
#pragma once

struct err;

/* *NAME is the value of the attribute for PATH, the caller's; NULL when PATH is in no work tree or
 * has no such attribute. -1 with err (ERR_USAGE) when the value is no name. */
int attribute_tokenizer(const char *path, char **name, struct err *err);

/* Directories with tokenizers, in the order of their precedence, NULL-terminated, with that of the
 * work tree around PATH (NULL: none) after the user's own; static storage. The first call with a
 * path decides. */
const char *const *tokenizer_dirs_for(const char *path);

/* Directories with signatures, in the same order; the first call decides. */
const char *const *signature_dirs_for(const char *path);

/* Says on standard error when the repository around PATH belongs to somebody else, and is passed
 * by. */
void attribute_warn(const char *path);
