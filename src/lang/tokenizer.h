/* Tokenizers: a language's tokens, brackets, separators as data (tokenizers/NAME.tok, format in
 * whittle-tokenizer(5)).
 *
 * A tokenizer is loaded once, compiled into one PCRE2 program with JIT, and only read afterwards.
 * lexer.h turns bytes into tokens with it, tree.h tokens into bracket groups and items.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lang/token.h"

struct err;
struct schema;
struct tokenizer;

/* Finds the tokenizer for a file: explicit NAME_OR_FILE (a name, or a path when it contains '/' or
 * ends in .tok), else by PATH's name, else by the "#!" line, else by content; "bytes" when nothing
 * fits. Searches, in this order, DIRS (NULL-terminated). The caller frees the result with
 * tokenizer_free. NULL and err on a broken definition, with file:line:column and what was expected.
 */
struct tokenizer *tokenizer_find(const char *name_or_file, const char *path, const uint8_t *bytes,
                                 size_t size, const char *const *dirs, struct err *err);

/* The same for several questions about DIRS, which are looked through once. What is found belongs
 * to the shelf, unless it is TAKEN when that is freed (NULL: nothing is). */
struct shelf;
struct shelf *shelf_new(const char *const *dirs);
struct tokenizer *shelf_find(struct shelf *shelf, const char *name_or_file, const char *path,
                             const uint8_t *bytes, size_t size, struct err *err);
void shelf_free(struct shelf *shelf, const struct tokenizer *taken);

/* Calls EACH for all tokenizers that DIRS define, in the order of names: their patterns for names
 * of files, separated by blanks, and the file that defines them. -1 and err when one is broken. */
typedef void tokenizers_list_fn(void *arg, const char *name, const char *globs, const char *file);
int tokenizers_list(const char *const *dirs, tokenizers_list_fn *each, void *arg, struct err *err);

/* Is it a path? */
bool tokenizer_is_file(const char *name_or_file);

/* Loads one definition file. */
struct tokenizer *tokenizer_load(const char *file, struct err *err);

void tokenizer_free(struct tokenizer *tok);
const char *tokenizer_name(const struct tokenizer *tok);

/* The tokenizer of what is packed in a file of TOK: of those that it holds the one whose content
 * patterns say so, the last one for other text, TOK itself where it holds none or it is no text. */
const struct tokenizer *tokenizer_held(const struct tokenizer *tok, const uint8_t *bytes,
                                       size_t size);
/* Those that it holds, from 0 on; NULL: there are no more. */
const struct tokenizer *tokenizer_held_at(const struct tokenizer *tok, size_t i);

/* What its `record` lines say (schema.h); NULL: it has none. */
const struct schema *tokenizer_schema(const struct tokenizer *tok);

/* The simplest replacement that the definition declares for tokens of KIND ("0", "\"\"", ...); NULL
 * when none. */
const char *tokenizer_simplest(const struct tokenizer *tok, enum token_kind kind);

/* The sign in front of numbers that are names and end an item ("": none); NULL: numbers are no
 * names. */
const char *tokenizer_numeric_sign(const struct tokenizer *tok);

/* The number of the pair whose brackets are heads with two counts of lines, 0: none is; *SIGNS:
 * what is in front of them, one byte each, and of the lines that only one of them counts. */
int tokenizer_tally(const struct tokenizer *tok, const char **signs);

/* The I-th command that formats a file named by its last argument; NULL: there is none. */
const char *tokenizer_formatter(const struct tokenizer *tok, size_t i);

/* The word that an import begins with which has to go with what it is for; NULL: none is said. */
const char *tokenizer_import_word(const struct tokenizer *tok);

/* Are names that one file declares known in all others, as in the packages of Go? So it is where
 * imports are paths. */
bool tokenizer_shares_names(const struct tokenizer *tok);

/* From all of an identifier's token, at BYTES [*begin, *end), to the name in it, without marks. */
void tokenizer_name_part(const struct tokenizer *tok, const uint8_t *bytes, uint32_t *begin,
                         uint32_t *end);

/* Is the identifier with LEN bytes at TEXT a label, with a mark behind its name? */
bool tokenizer_is_label(const struct tokenizer *tok, const uint8_t *text, uint32_t len);

/* The I-th text that may stand in for a whole item of a list, a bracket group, an identifier or the
 * body of a function; NULL when there is none. */
const char *tokenizer_stand_in(const struct tokenizer *tok, enum stand_in what, uint32_t i);

/* Do the LEN bytes at TEXT say WHAT about a declaration? */
bool tokenizer_declares(const struct tokenizer *tok, enum declares what, const uint8_t *text,
                        uint32_t len);

/* Does the definition say how declarations begin? */
bool tokenizer_has_declarations(const struct tokenizer *tok);

/* A hash of a name: the same for all names that are one to TOK, which may be NULL. */
uint64_t tokenizer_hash(const struct tokenizer *tok, const void *name, uint32_t len, uint64_t seed);
