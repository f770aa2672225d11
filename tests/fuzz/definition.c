/* Definitions of tokenizers: any file is a definition or an error that names a line, and what a
 * definition says of any text has the form of tokens and a tree. Input: the definition, "%%", a
 * text. */
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "fuzz.h"
#include "lang/lexer.h"
#include "text/testcase.h"
#include "lang/tokenizer.h"
#include "lang/tokenizer_check.h"
#include "lang/tree.h"

enum { CHECKED = 300 }; /* bytes of definitions that are looked at for slow patterns too */

static void note(void *data, unsigned line, unsigned column, const char *message)
{
	(void)data;
	FUZZ_REQUIRE(line && column && *message);
}

static void tokenize(const struct tokenizer *tok, struct fuzz text)
{
	struct testcase *tc = fuzz_testcase(text.at, fuzz_left(&text));
	struct tokens tokens;
	struct tree tree;
	struct err err;
	if (lexer_run(tok, tc, &tokens, &err) == 0) {
		fuzz_check_tokens(tc, &tokens);
		tree_build(tok, tc, &tokens, &tree);
		fuzz_check_tree(&tokens, &tree);
		tree_release(&tree);
		tokens_release(&tokens);
	} else {
		FUZZ_REQUIRE(strstr(err.msg, "pattern"));
	}
	testcase_unref(tc);
}

int target_definition(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size }, definition = fuzz_section(&in);
	char path[FUZZ_PATH_SIZE];
	struct err err;
	int fd = fuzz_file(definition.at, fuzz_left(&definition), path);
	struct tokenizer *tok = tokenizer_load(path, &err);
	close(fd);
	if (tok) {
		tokenize(tok, in);
		if (fuzz_left(&definition) <= CHECKED)
			tokenizer_check(tok, note, NULL);
	} else {
		FUZZ_REQUIRE(strstr(err.msg, ":"));
	}
	tokenizer_free(tok);
	return 0;
}
