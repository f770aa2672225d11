/* What the fuzz targets share. A target is a file of this folder with one function,
 * target_NAME. All are in one program, for which $FUZZ_TARGET names one. libFuzzer calls it with
 * inputs of its own making (`make fuzz`), replay.c with the files of the kept corpus (`make check`,
 * any compiler).
 *
 * A target ends the process when a property does not hold; what the sanitizers find ends it as
 * well. It keeps nothing from one input to the next but what is constant (tokenizers, directories).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct testcase;
struct tokenizer;
struct edit;
struct records;
struct arena;
struct tokens;
struct tree;

/* clang-format off */
#define FUZZ_TARGETS(X) \
	X(coded) X(definition) X(dialog) X(edit) X(external) X(far) X(hook) X(journal) X(layers) \
	X(lexer) X(records) X(replacement) X(rewrite) X(schema) X(signature) X(snapshot) X(spans) \
	X(strategies) X(wire)
/* clang-format on */
#define X(name) int target_##name(const uint8_t *data, size_t size);
FUZZ_TARGETS(X)
#undef X

/* The target that is named. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is left of an input. Reading behind its end gives zeros and empty pieces. */
struct fuzz {
	const uint8_t *at, *end;
};

uint8_t fuzz_byte(struct fuzz *in);
uint32_t fuzz_below(struct fuzz *in, uint32_t n); /* two bytes of input; 0 when N is 0 */

/* A piece of the input up to a line "%%", which is taken too, or to the end. */
struct fuzz fuzz_section(struct fuzz *in);
static inline size_t fuzz_left(const struct fuzz *in)
{
	return (size_t)(in->end - in->at);
}
char *fuzz_string(struct fuzz in); /* a copy with a NUL behind it; the caller's */

/* Reports the line and aborts when CONDITION does not hold. */
#define FUZZ_REQUIRE(condition) fuzz_require((condition), #condition, __FILE__, __LINE__)
void fuzz_require(bool holds, const char *what, const char *file, int line);

/* A file in memory with these bytes, whose name goes to PATH; its descriptor, for the caller to
 * close. */
enum { FUZZ_PATH_SIZE = 32 };
int fuzz_file(const void *bytes, size_t len, char path[FUZZ_PATH_SIZE]);

/* This process's directory for files, made when first asked for and removed at its end. */
const char *fuzz_directory(void);

/* A test case of one file. */
struct testcase *fuzz_testcase(const void *bytes, size_t len);

/* An edit of the input's making for a test case of SIZE bytes. */
struct edit fuzz_edit(struct fuzz *in, uint32_t size, struct arena *arena);

/* A shipped tokenizer. */
struct tokenizer *fuzz_tokenizer(const char *name);

/* What must hold of any tokens and any tree of TC. */
void fuzz_check_tokens(const struct testcase *tc, const struct tokens *tokens);
void fuzz_check_tree(const struct tokens *tokens, const struct tree *tree);

/* What must hold of an edit for TC: sorted, disjoint, within it; and it can be applied. */
void fuzz_check_edit(struct testcase *tc, struct edit edit);

/* Of records of TC: they lie in it, and their fields say what is so. */
void fuzz_check_records(const struct records *r, const struct testcase *tc);
