/* The tokenizers of a tree: one for each language in it, loaded when first met.
 *
 * Each entry is given its language once, by its name, its "#!" line or its content as it then is,
 * and keeps it while its content changes.
 */
#pragma once

#include "text/testcase.h"
#include "lang/tokenizer.h"

struct err;
struct tokenizers;

/* NAME_OR_FILE (NULL: each entry its own) and DIRS as for tokenizer_find; both outlive the result.
 * NULL and err when a definition is broken. */
struct tokenizers *tokenizers_new(const char *name_or_file, const char *const *dirs,
                                  struct err *err);
void tokenizers_free(struct tokenizers *toks); /* NULL is fine */

/* Gives a language to each entry of TC that has none. To be called for the original: what is
 * derived from it keeps them. 0, or -1 and err. */
int tokenizers_assign(struct tokenizers *toks, struct testcase *tc, struct err *err);

/* The tokenizer of a LANGUAGE from 1 to the count. */
const struct tokenizer *tokenizers_get(const struct tokenizers *toks, uint16_t language);
unsigned tokenizers_count(const struct tokenizers *toks);
/* Do the files of one of the languages know each other's names (tokenizer_shares_names)? */
bool tokenizers_share_names(const struct tokenizers *toks);
