/* The lexer and the bracket tree over each shipped tokenizer. Input: the name of a tokenizer on a
 * line of its own (or anything: its first byte is a number), then the text. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "fuzz.h"
#include "lang/lexer.h"
#include "text/testcase.h"
#include "lang/tokenizer.h"
#include "lang/tree.h"

enum { MAX_TOKENIZERS = 256 };

struct shipped {
	unsigned n;
	char *names[MAX_TOKENIZERS];
	struct tokenizer *loaded[MAX_TOKENIZERS];
};

static int is_definition(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && !strcmp(dot, ".tok");
}

static struct shipped *all(void)
{
	static struct shipped shipped;
	const char *dir = getenv("WHITTLE_TOKENIZERS");
	struct dirent **list;
	if (shipped.n)
		return &shipped;
	int n = scandir(dir ? dir : "tokenizers", &list, is_definition, alphasort);
	FUZZ_REQUIRE(n > 0 && n <= MAX_TOKENIZERS);
	for (int i = 0; i < n; i++) {
		*strrchr(list[i]->d_name, '.') = '\0';
		shipped.names[shipped.n++] = mem_strdup(list[i]->d_name);
		free(list[i]);
	}
	free(list);
	return &shipped;
}

static const struct tokenizer *choose(struct fuzz *in)
{
	struct shipped *s = all();
	const uint8_t *line = memchr(in->at, '\n', fuzz_left(in));
	size_t len = line ? (size_t)(line - in->at) : 0;
	unsigned i = 0;
	while (i < s->n && (strlen(s->names[i]) != len || memcmp(s->names[i], in->at, len)))
		i++;
	if (i < s->n)
		in->at = line + 1;
	else
		i = fuzz_byte(in) % s->n;
	if (!s->loaded[i])
		s->loaded[i] = fuzz_tokenizer(s->names[i]);
	return s->loaded[i];
}

int target_lexer(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size };
	if (!size)
		return 0;
	const struct tokenizer *tok = choose(&in);
	struct testcase *tc = fuzz_testcase(in.at, fuzz_left(&in));
	struct tokens tokens;
	struct tree tree;
	struct err err;
	if (lexer_run(tok, tc, &tokens, &err) < 0) {
		fprintf(stderr, "%s\n", err.msg);
		abort(); /* a shipped tokenizer refuses no text */
	}
	fuzz_check_tokens(tc, &tokens);
	tree_build(tok, tc, &tokens, &tree);
	fuzz_check_tree(&tokens, &tree);
	tree_release(&tree);
	tokens_release(&tokens);
	testcase_unref(tc);
	return 0;
}
