/* Common to the tests of src/text: test cases from strings, tokenizers by name, checks of what
 * always holds. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "lang/lexer.h"
#include "text/testcase.h"
#include "lang/tokenizer.h"
#include "lang/tree.h"

/* The names of all tokenizers that are shipped, NULL-terminated. */
extern const char *const support_tokenizers[];

/* The shipped tokenizer NAME; the test fails when it cannot be loaded. */
struct tokenizer *support_tokenizer(const char *name);

/* A tokenizer whose definition is TEXT, written to a file called "test.tok" in a directory of its
 * own that is gone again on return; NULL with err when it is broken. In messages the directory is
 * left out. */
struct tokenizer *support_define(const char *text, struct err *err);

/* Fails the test unless this definition is refused, with MESSAGE in what is said. */
void support_broken(const char *definition, const char *message);

/* Fails the test unless these are the tokens of INPUT under this definition, as "KIND:TEXT ...". */
void support_kinds(const char *definition, const char *input, const char *kinds);

/* A test case of one file with these bytes. */
struct testcase *support_testcase(const void *bytes, size_t size);

/* Fails the test unless the tokens cover the test case in order, and the tree is well formed:
 * parents span their children, siblings are in order and disjoint, nodes in document order, depths
 * right. */
void support_check_shape(const struct testcase *tc, const struct tokens *tokens,
                         const struct tree *tree);

/* Tokenizes, builds the tree, checks both, and releases them; likewise with coarse tokens. */
void support_check(const struct tokenizer *tok, const struct testcase *tc);
