/* measure-tokenizers [-v] LABEL TOKENIZER: reads paths from standard input, tokenizes each file,
 * and prints one row of the table of bench/tokenizers: files, bytes, share of files whose brackets
 * all have partners, share of bytes that no pattern matched, share of files for which TOKENIZER is
 * chosen without being named, MB/s of tokens and tree. -v also names the files that do not balance,
 * and the place of the first bracket without a partner. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "lang/lexer.h"
#include "lang/tree.h"

struct totals {
	uint64_t files, balanced, chosen, bytes, unmatched, ns;
};

/* The first bracket of the tokens that has no partner; its number, or tokens->n. */
static uint32_t first_loose(const struct tokens *tokens, const struct tree *tree)
{
	bool *paired = mem_zero((size_t)tokens->n + 1, sizeof *paired);
	for (uint32_t i = 1; i < tree->n; i++) {
		const struct tree_node *node = &tree->nodes[i];
		if (node->kind == TREE_GROUP)
			paired[node->first] = paired[tree_end(tree, i) - 1] = true;
	}
	uint32_t i = 0;
	while (i < tokens->n && (paired[i] || (tokens->list[i].kind != TOKEN_OPEN &&
	                                       tokens->list[i].kind != TOKEN_CLOSE)))
		i++;
	free(paired);
	return i;
}

/* That the tokens lie end to end from the first byte to the last, which is what makes them the file
 * again. */
static int check_whole(const struct tokens *tokens, const struct testcase *tc, const char *path,
                       struct err *err)
{
	bool whole = tokens_begin(tokens, tokens->n) == tc->size &&
	             (!tokens->n || !tokens_begin(tokens, 0));
	for (uint32_t i = 0; i < tokens->n; i++)
		whole = whole && tokens_begin(tokens, i) <= tokens_end(tokens, i);
	return whole ? 0
	             : err_set(err, ERR_SYSTEM, "%s: the tokens concatenated are not the file",
	                       path);
}

static void tell_place(const struct testcase *tc, const char *path, const struct tokens *tokens,
                       uint32_t token)
{
	uint32_t begin = tokens_begin(tokens, token), end = tokens_end(tokens, token);
	uint32_t line = 1, start = 0;
	for (uint32_t i = 0; i < begin; i++) {
		if (tc->bytes[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	fprintf(stderr, "%s:%u:%u: \"%.*s\" has no partner\n", path, line, begin - start + 1,
	        (int)(end - begin), (const char *)tc->bytes + begin);
}

static int measure(const struct tokenizer *tok, struct testcase *tc, const char *path, bool verbose,
                   struct totals *t, struct err *err)
{
	struct tokens tokens;
	struct tree tree;
	uint64_t start = io_now();
	if (lexer_run(tok, tc, &tokens, err))
		return -1;
	tree_build(tok, tc, &tokens, &tree);
	t->ns += io_now() - start;
	uint32_t loose = first_loose(&tokens, &tree);
	int rc = check_whole(&tokens, tc, path, err);
	t->files++;
	t->bytes += tc->size;
	t->unmatched += tokens.unmatched;
	t->balanced += loose == tokens.n;
	if (verbose && loose < tokens.n)
		tell_place(tc, path, &tokens, loose);
	if (verbose && tokens.unmatched * 200.0 > tc->size)
		fprintf(stderr, "%s: %u of %u bytes match no pattern\n", path, tokens.unmatched,
		        tc->size);
	tree_release(&tree);
	tokens_release(&tokens);
	return rc;
}

static int measure_file(const struct tokenizer *tok, const char *path, const char *const *dirs,
                        bool verbose, struct totals *t, struct err *err)
{
	struct buf text = { 0 };
	if (io_read_file(path, &text, err))
		return -1;
	struct testcase *tc = testcase_new(path, 0644, (uint8_t *)text.data, (uint32_t)text.len);
	struct tokenizer *chosen = tokenizer_find(NULL, path, tc->bytes, tc->size, dirs, err);
	int rc = chosen ? measure(tok, tc, path, verbose, t, err) : -1;
	if (chosen)
		t->chosen += !strcmp(tokenizer_name(chosen), tokenizer_name(tok));
	tokenizer_free(chosen);
	testcase_unref(tc);
	return rc;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

int main(int argc, char **argv)
{
	bool verbose = argc > 1 && !strcmp(argv[1], "-v");
	const char *dir = getenv("WHITTLE_TOKENIZERS"),
		   *dirs[] = { dir ? dir : "tokenizers", NULL };
	char path[4096];
	struct totals t = { 0 };
	struct err err;
	if (argc - verbose != 3) {
		fprintf(stderr, "usage: %s [-v] LABEL TOKENIZER <PATHS\n", argv[0]);
		return ERR_USAGE;
	}
	struct tokenizer *tok =
		tokenizer_find(argv[2 + verbose], NULL, (const uint8_t *)"", 0, dirs, &err);
	int rc = tok ? 0 : -1;
	while (!rc && fgets(path, sizeof path, stdin)) {
		path[strcspn(path, "\n")] = '\0';
		rc = measure_file(tok, path, dirs, verbose, &t, &err);
	}
	if (rc)
		fprintf(stderr, "%s: %s\n", argv[0], err.msg);
	else
		printf("| %s | %s | %llu | %llu | %.2f | %.3f | %.1f | %.0f |\n", argv[1 + verbose],
		       argv[2 + verbose], (unsigned long long)t.files, (unsigned long long)t.bytes,
		       percent(t.balanced, t.files), percent(t.unmatched, t.bytes),
		       percent(t.chosen, t.files), t.ns ? (double)t.bytes * 1e3 / (double)t.ns : 0);
	tokenizer_free(tok);
	return rc ? (int)err.code : 0;
}
