/* How a test case is read: the tokenizer of a file, those of the files of a tree, and the structure
 * that the user knows. */
#ifndef WHITTLE_REDUCE_LANGUAGE_H
#define WHITTLE_REDUCE_LANGUAGE_H

struct err;
struct spans;
struct testcase;
struct tokenizer;
struct tokenizers;

struct language {
	struct tokenizer *tokenizer;   /* of a single file */
	struct tokenizers *tokenizers; /* of a tree */
	struct spans *spans;           /* of a single file; NULL: none */
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

#endif
