#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/io.h"
#include "base/mem.h"

const char *const support_tokenizers[] = {
	"ada",
	"ar",
	"asm",
	"avro",
	"awk",
	"bencode",
	"bison",
	"blif",
	"bmp",
	"bplist",
	"bson",
	"bytes",
	"c",
	"cbor",
	"class",
	"cmake",
	"cobol",
	"coff",
	"cpio",
	"csharp",
	"css",
	"csv",
	"d",
	"dart",
	"dbf",
	"diff",
	"dimacs",
	"dockerfile",
	"dot",
	"dts",
	"elf",
	"elixir",
	"emacs-lisp",
	"email",
	"erlang",
	"ext2",
	"fish",
	"flac",
	"fortran",
	"generic",
	"gettext",
	"gguf",
	"gif",
	"git-index",
	"git-pack",
	"glb",
	"go",
	"graphql",
	"groovy",
	"haskell",
	"hcl",
	"hdf5",
	"ini",
	"iso9660",
	"java",
	"javascript",
	"jpeg",
	"jq",
	"json",
	"julia",
	"kotlin",
	"latex",
	"lisp",
	"llvm",
	"log",
	"lua",
	"luac",
	"m4",
	"macho",
	"make",
	"markdown",
	"marshal",
	"mathprog",
	"mp3",
	"mp4",
	"msgpack",
	"nim",
	"ninja",
	"nix",
	"ocaml",
	"ogg",
	"openpgp",
	"pascal",
	"pcap",
	"pdf",
	"pe",
	"perl",
	"php",
	"php-serialize",
	"pickle",
	"pnm",
	"po",
	"postscript",
	"powershell",
	"prolog",
	"protobuf",
	"protobuf-data",
	"python",
	"r",
	"regex",
	"riff",
	"rocq",
	"roff",
	"ruby",
	"rust",
	"safetensors",
	"scala",
	"sed",
	"server",
	"sfnt",
	"shell",
	"shp",
	"smt",
	"spirv",
	"sql",
	"sqlite",
	"svn-dump",
	"swift",
	"tcl",
	"text",
	"tga",
	"tiff",
	"toml",
	"typescript",
	"verilog",
	"vhdl",
	"vim",
	"wasm",
	"wat",
	"xml",
	"yaml",
	NULL,
};

struct tokenizer *support_tokenizer(const char *name)
{
	struct err err;
	const char *dir = getenv("WHITTLE_TOKENIZERS");
	const char *dirs[] = { dir ? dir : "tokenizers", NULL };
	struct tokenizer *tok = tokenizer_find(name, NULL, (const uint8_t *)"", 0, dirs, &err);
	if (!tok)
		fail_msg("%s", err.msg);
	return tok;
}

struct tokenizer *support_define(const char *text, struct err *err)
{
	char *dir = io_temporary_name("tokenizer");
	assert_non_null(mkdtemp(dir));
	char *path = mem_printf("%s/test.tok", dir);
	struct err write_err;
	assert_int_equal(io_replace_file(path, text, strlen(text), 0600, &write_err), 0);
	struct tokenizer *tok = tokenizer_load(path, err);
	if (!tok && !strncmp(err->msg, dir, strlen(dir)))
		memmove(err->msg, err->msg + strlen(dir) + 1, strlen(err->msg) - strlen(dir));
	unlink(path);
	rmdir(dir);
	free(path);
	free(dir);
	return tok;
}

struct testcase *support_testcase(const void *bytes, size_t size)
{
	uint8_t *copy = mem_alloc(size + 1);
	if (size)
		memcpy(copy, bytes, size);
	copy[size] = 0;
	return testcase_new("input", 0644, copy, (uint32_t)size);
}

static void check_tokens(const struct testcase *tc, const struct tokens *tokens)
{
	assert_int_equal(tokens_begin(tokens, tokens->n), tc->size);
	if (tokens->n)
		assert_int_equal(tokens_begin(tokens, 0), 0);
	for (uint32_t i = 0; i < tokens->n; i++) {
		const struct token *t = &tokens->list[i];
		uint32_t begin = tokens_begin(tokens, i), end = tokens_end(tokens, i);
		bool empty = begin == end;
		if (begin > end || t->kind >= TOKEN_N_KINDS || t->strength > TOKEN_STRENGTH_FILE)
			fail_msg("token %u is out of order or range", i);
		if (empty && t->kind != TOKEN_OPEN && t->kind != TOKEN_CLOSE &&
		    t->kind != TOKEN_TERMINATOR)
			fail_msg("token %u, a %s, has no bytes", i,
			         token_kind_name((enum token_kind)t->kind));
		bool head = t->kind == TOKEN_TERMINATOR && t->bracket == TOKEN_HEAD;
		if ((t->kind == TOKEN_OPEN || t->kind == TOKEN_CLOSE || head) != (t->bracket != 0))
			fail_msg("token %u, a %s, has bracket number %u", i,
			         token_kind_name((enum token_kind)t->kind), t->bracket);
	}
}

/* The parents of all nodes are what is open where they begin. */
static void check_parents(const struct tree *tree)
{
	uint32_t *open = NULL, n = 0, cap = 0;
	for (uint32_t i = 0; i < tree->n; i++) {
		while (n && tree_end(tree, open[n - 1]) <= tree->nodes[i].first)
			n--;
		assert_int_equal(tree_parent(tree, i), n ? open[n - 1] : TREE_NONE);
		MEM_PUSH(open, n, cap, i);
	}
	free(open);
}

static void check_node(const struct tokens *tokens, const struct tree *tree, uint32_t i)
{
	uint32_t up = tree_parent(tree, i), end = tree_end(tree, i);
	const struct tree_node *node = &tree->nodes[i], *parent = &tree->nodes[up];
	bool item = node->kind == TREE_ITEM;
	assert_true(up < i);
	assert_true(node->first <= end && node->first >= parent->first &&
	            end <= tree_end(tree, up));
	if (!item) {
		assert_int_equal(parent->kind, TREE_ITEM);
		assert_int_equal(tokens->list[node->first].kind, TOKEN_OPEN);
		assert_int_equal(tokens->list[end - 1].kind, TOKEN_CLOSE);
		assert_int_equal(tokens->list[node->first].bracket, tokens->list[end - 1].bracket);
	} else if (parent->kind == TREE_ITEM) {
		assert_true(node->strength < parent->strength && node->strength > 0);
	}
	uint32_t behind = tree_behind(tree, tokens->list, i);
	if (item && node->has_sep)
		assert_true(behind > end && behind <= tree_end(tree, up));
	if (item && node->first == end)
		assert_true(node->has_sep);
	uint32_t next = tree_next(tree, i);
	if (next != TREE_NONE) {
		assert_true(next > i && tree_parent(tree, next) == up &&
		            tree->nodes[next].kind == node->kind);
		assert_true(tree->nodes[next].first >= behind);
		assert_int_equal(tree->nodes[next].strength, node->strength);
	}
	if (node->has_child)
		assert_int_equal(tree_parent(tree, i + 1), i);
}

void support_check_shape(const struct testcase *tc, const struct tokens *tokens,
                         const struct tree *tree)
{
	check_tokens(tc, tokens);
	assert_true(tree->n >= 1);
	const struct tree_node *root = &tree->nodes[0];
	assert_true(root->first == 0 && tree_end(tree, 0) == tokens->n &&
	            tree_parent(tree, 0) == TREE_NONE && tree_next(tree, 0) == TREE_NONE);
	assert_int_equal(root->kind, TREE_GROUP);
	check_parents(tree);
	uint32_t linked = 1;
	for (uint32_t i = 0; i < tree->n; i++) {
		if (i)
			check_node(tokens, tree, i);
		for (uint32_t c = tree_child(tree->nodes, i); c != TREE_NONE;
		     c = tree_next(tree, c))
			linked++;
	}
	assert_int_equal(linked, tree->n);
}

/* Coarse tokens begin where ALL have tokens, and have a tree as well; files stay apart. */
static void check_coarse(const struct tokenizer *tok, const struct testcase *tc,
                         const struct tokens *all, uint32_t grain)
{
	struct tokens tokens;
	struct tree tree;
	struct err err;
	uint32_t at = 0, frames = 0;
	assert_int_equal(lexer_run_on(tok, tc, grain, &tokens, &err), 0);
	assert_int_equal(tokens.unmatched, all->unmatched);
	for (uint32_t i = 0; i < tokens.n; i++) {
		while (at < all->n && tokens_begin(all, at) < tokens_begin(&tokens, i))
			at++;
		assert_int_equal(tokens_begin(all, at), tokens_begin(&tokens, i));
		assert_true(tokens_first(&tokens, tokens_begin(&tokens, i)) <= i);
		frames += tokens.list[i].strength == TOKEN_STRENGTH_FILE;
	}
	assert_int_equal(frames, tc->is_tree ? tc->n_files : 0);
	tree_build(tok, tc, &tokens, &tree);
	support_check_shape(tc, &tokens, &tree);
	tree_release(&tree);
	tokens_release(&tokens);
}

void support_check(const struct tokenizer *tok, const struct testcase *tc)
{
	struct tokens tokens;
	struct tree tree;
	struct err err;
	if (lexer_run(tok, tc, &tokens, &err))
		fail_msg("%s: %s", tokenizer_name(tok), err.msg);
	tree_build(tok, tc, &tokens, &tree);
	support_check_shape(tc, &tokens, &tree);
	for (uint32_t grain = 2; grain < 100; grain *= 7)
		check_coarse(tok, tc, &tokens, grain);
	tree_release(&tree);
	tokens_release(&tokens);
}

void support_broken(const char *definition, const char *message)
{
	struct err err = { 0 };
	struct tokenizer *tok = support_define(definition, &err);
	if (tok || !strstr(err.msg, message))
		fail_msg("for\n%sexpected: %s\ngot: %s", definition, message,
		         tok ? "(loaded)" : err.msg);
	assert_int_equal(err.code, ERR_USAGE);
}

void support_kinds(const char *definition, const char *input, const char *kinds)
{
	struct err err = { 0 };
	struct tokenizer *tok = support_define(definition, &err);
	if (!tok)
		fail_msg("%s", err.msg);
	struct testcase *tc = support_testcase(input, strlen(input));
	struct tokens tokens;
	struct buf got = { 0 };
	if (lexer_run(tok, tc, &tokens, &err))
		fail_msg("%s", err.msg);
	for (uint32_t i = 0; i < tokens.n; i++)
		buf_addf(&got, "%s%s:%.*s", i ? " " : "",
		         token_kind_name((enum token_kind)tokens.list[i].kind),
		         (int)(tokens_end(&tokens, i) - tokens_begin(&tokens, i)),
		         input + tokens_begin(&tokens, i));
	if (strcmp(got.data ? got.data : "", kinds) != 0)
		fail_msg("for\n%sexpected: %s\ngot: %s", definition, kinds, got.data);
	buf_release(&got);
	tokens_release(&tokens);
	testcase_unref(tc);
	tokenizer_free(tok);
}
