/* How a test case is read: the tokenizer of a file, those of the files of a tree, and the structure
 * that the user knows. */
#pragma once

#include <stdint.h>

struct err;
struct shelf;
struct spans;
struct testcase;
struct tokenizer;
struct tokenizers;

struct language {
	struct tokenizer *tokenizer;   /* of a single file */
	struct tokenizers *tokenizers; /* of a tree */
	struct spans *spans;           /* of a single file; NULL: none */
	struct shelf *shelf; /* where that of a single file is looked for; NULL: nowhere yet, or no
	                        more */
};

/* What is asked for. */
struct language_options {
	const char *file;      /* name of a single file; NULL: a tree */
	const char *tokenizer; /* name or file; NULL: by name and content */
	const char *spans;     /* file; NULL: none */
	const char *const *dirs;
};

/* Fills *l, and gives each entry of the tree ORIGINAL its own. 0, or -1 and err; language_release
 * either way. */
int language_find(struct language *l, const struct language_options *options,
                  struct testcase *original, struct err *err);
void language_release(struct language *l);

/* Of the tokenizer of a single file, or of the first file of a tree. */
const char *language_name(const struct language *l);

/* *identity: of the definitions of all tokenizers, by their content; neither 0 nor UINT64_MAX.
 * Reads their files again. 0, or -1 and err. */
int language_identity(const struct language *l, uint64_t *identity, struct err *err);
