/* tokenize FILE...: how fast the lexer and the bracket tree are, in MB/s and against memcpy. Best
 * of as many runs as 32 MB of input make; the tokenizer is chosen as usual, from
 * $WHITTLE_TOKENIZERS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "lang/lexer.h"
#include "lang/tree.h"

enum { TOTAL = 32 * 1024 * 1024 };

struct result {
	uint64_t lex, tree, copy; /* nanoseconds */
	uint32_t tokens, nodes;
};

static void keep_least(uint64_t *least, uint64_t since)
{
	uint64_t ns = io_now() - since;
	if (ns < *least)
		*least = ns ? ns : 1;
}

static int run_once(const struct tokenizer *tok, const struct testcase *tc, uint8_t *copy,
                    struct result *r, struct err *err)
{
	struct tokens tokens;
	struct tree tree;
	uint64_t start = io_now();
	memcpy(copy, tc->bytes, tc->size);
	__asm__ volatile("" : : "r"(copy) : "memory"); /* or the copy is optimised away */
	keep_least(&r->copy, start);
	start = io_now();
	if (lexer_run(tok, tc, &tokens, err))
		return -1;
	keep_least(&r->lex, start);
	start = io_now();
	tree_build(tok, tc, &tokens, &tree);
	keep_least(&r->tree, start);
	r->tokens = tokens.n;
	r->nodes = tree.n;
	tree_release(&tree);
	tokens_release(&tokens);
	return 0;
}

static int measure(const char *path, const char *const *dirs, struct err *err)
{
	struct buf text = { 0 };
	if (io_read_file(path, &text, err))
		return -1;
	if (!text.len)
		return err_set(err, ERR_USAGE, "%s: empty", path);
	struct testcase *tc = testcase_new(path, 0644, (uint8_t *)text.data, (uint32_t)text.len);
	struct tokenizer *tok = tokenizer_find(NULL, path, tc->bytes, tc->size, dirs, err);
	struct result r = { UINT64_MAX, UINT64_MAX, UINT64_MAX, 0, 0 };
	uint8_t *copy = mem_alloc(tc->size);
	int rc = tok ? 0 : -1;
	for (uint32_t i = 0; i <= TOTAL / tc->size && !rc; i++)
		rc = run_once(tok, tc, copy, &r, err);
	if (!rc) {
		const char *base = strrchr(path, '/');
		double bytes = tc->size, lex = (double)r.lex, tree = (double)r.tree;
		printf("%-24s %-10s %9u B %8u tokens %7u nodes  lex %6.1f MB/s  tree %7.1f MB/s  "
		       "both %6.1f MB/s; memcpy: %4.0f times\n",
		       base ? base + 1 : path, tokenizer_name(tok), tc->size, r.tokens, r.nodes,
		       bytes * 1e3 / lex, bytes * 1e3 / tree, bytes * 1e3 / (lex + tree),
		       (lex + tree) / (double)r.copy);
	}
	free(copy);
	tokenizer_free(tok);
	testcase_unref(tc);
	return rc;
}

int main(int argc, char **argv)
{
	const char *dir = getenv("WHITTLE_TOKENIZERS");
	const char *dirs[] = { dir ? dir : "tokenizers", NULL };
	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE...\n", argv[0]);
		return ERR_USAGE;
	}
	for (int i = 1; i < argc; i++) {
		struct err err;
		if (measure(argv[i], dirs, &err)) {
			fprintf(stderr, "%s: %s\n", argv[0], err.msg);
			return (int)err.code;
		}
	}
	return 0;
}
