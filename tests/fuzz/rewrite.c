/* Rewrites: whatever a definition declares, each match is an edit that makes the text smaller or
 * simpler. Input: lines `rewrite` and `operand`, "%%", a text. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "fuzz.h"
#include "lang/lexer.h"
#include "lang/rewrite.h"
#include "text/testcase.h"
#include "lang/tree.h"

/* A language of the usual kind. */
static const char language[] = "newline \\n\\s*\n"
			       "blank [ \\t]+\n"
			       "comment #[^\\n]*+\n"
			       "string \"[^\"\\n]*+\"?\n"
			       "number \\d+\n"
			       "identifier [a-z_]+\n"
			       "bracket { }\n"
			       "bracket ( )\n"
			       "bracket [ ]\n"
			       "separator 1 ,\n"
			       "terminator 2 ;\n"
			       "keywords if else while\n";

struct context {
	struct testcase *tc;
	bool ascii; /* in binary data the order is that of plain bytes, which no rewrite looks at */
};

static bool is_ascii(struct fuzz text)
{
	while (text.at < text.end)
		if (*text.at++ - 1u >= 0x7f)
			return false;
	return true;
}

static void check_match(void *arg, const struct rewrite_match *match)
{
	struct context *c = arg;
	struct edit edit = { match->n, match->parts };
	FUZZ_REQUIRE(match->n && match->begin <= match->end && match->end <= c->tc->size);
	FUZZ_REQUIRE(match->parts[0].begin >= match->begin);
	FUZZ_REQUIRE(match->parts[match->n - 1].end <= match->end);
	FUZZ_REQUIRE(edit_saving(edit) == match->saving);
	fuzz_check_edit(c->tc, edit);
	struct testcase *result = edit_apply(c->tc, edit);
	FUZZ_REQUIRE(match->saving ? result->size < c->tc->size
	                           : !c->ascii || testcase_compare(result, c->tc) < 0);
	testcase_unref(result);
}

static void find_all(const struct tokenizer *tok, struct testcase *tc, bool ascii)
{
	struct tokens tokens;
	struct tree tree;
	struct err err;
	struct arena arena = { 0 };
	struct context context = { tc, ascii };
	if (lexer_run(tok, tc, &tokens, &err) < 0)
		return;
	tree_build(tok, tc, &tokens, &tree);
	struct rewrite_ground *ground = rewrite_ground_new(tc, &tokens, &tree, &arena);
	rewrite_ground_operands(ground, tok, 0, tokens.n);
	for (uint32_t i = 0; i < tokenizer_n_rewrites(tok); i++)
		rewrite_find(ground, tok, tokenizer_rewrite(tok, false, i), 0, tokens.n, &arena,
		             check_match, &context);
	arena_release(&arena);
	tree_release(&tree);
	tokens_release(&tokens);
}

int target_rewrite(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size }, lines = fuzz_section(&in);
	struct buf text = { 0 };
	char path[FUZZ_PATH_SIZE];
	struct err err;
	buf_add(&text, language, sizeof language - 1);
	buf_add(&text, lines.at, fuzz_left(&lines));
	int fd = fuzz_file(text.data, text.len, path);
	struct tokenizer *tok = tokenizer_load(path, &err);
	if (tok) {
		struct testcase *tc = fuzz_testcase(in.at, fuzz_left(&in));
		find_all(tok, tc, is_ascii(in) && is_ascii(lines));
		testcase_unref(tc);
	}
	tokenizer_free(tok);
	close(fd);
	buf_release(&text);
	return 0;
}
