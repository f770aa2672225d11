/* What holds for any bytes under any tokenizer: tokens cover the input, the tree is well formed.
 * Checked on random soup of bytes and of the words that definitions care about, from fixed seeds.
 */
#include <glob.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support.h"

static void add_random_bytes(struct rng *rng, struct buf *out)
{
	for (uint64_t n = rng_below(rng, 40); n > 0; n--)
		buf_addch(out, (char)rng_below(rng, 256));
}

/* Pieces of all languages: what opens, closes, quotes, ends lines. */
static const char *const words[] = {
	"(",
	")",
	"[",
	"]",
	"{",
	"}",
	"<",
	">",
	",",
	";",
	":",
	"\n",
	"\n\t",
	"\n    ",
	"\n  ",
	"\r\n",
	" ",
	"\t",
	"#",
	"#!",
	"\\",
	"\\\n",
	"\"",
	"'",
	"`",
	"\"\"\"",
	"'''",
	"//",
	"/*",
	"*/",
	"--",
	"<!--",
	"-->",
	"<a",
	"</a>",
	"<b/>",
	">",
	"/>",
	"<![CDATA[",
	"]]>",
	"<!DOCTYPE x [",
	"]>",
	"R\"(",
	")\"",
	"r#\"",
	"\"#",
	"${",
	"$(",
	"$((",
	"))",
	"<<EOF",
	"EOF",
	"if",
	"fi",
	"then",
	"else",
	"elif",
	"do",
	"done",
	"case",
	"esac",
	"in",
	";;",
	"begin",
	"end",
	"end if",
	"is",
	"loop",
	"end loop",
	"select",
	"when",
	"function",
	"subroutine",
	"end subroutine",
	"type",
	"program",
	"contains",
	"define",
	"endef",
	"ifeq",
	"endif",
	"#define",
	"#if",
	"template",
	"class",
	"struct",
	"x",
	"y",
	"foo",
	"0",
	"1.5e-3",
	"'a",
	"=>",
	"=",
	"+",
	"-",
	"*",
	"/",
	"|",
	"#|",
	"|#",
	"p cnf 1 2",
	"c",
	"&",
	"&amp;",
	"$$",
	"%",
	"def f():",
	"@",
	"\f",
	"\\Q",
};

static void add_random_word(struct rng *rng, struct buf *out)
{
	const char *word = words[rng_below(rng, sizeof words / sizeof *words)];
	buf_add(out, word, strlen(word));
	if (rng_below(rng, 3) == 0)
		buf_addch(out, ' ');
}

static void soup(const char *name, void (*add)(struct rng *rng, struct buf *out), uint64_t seed)
{
	struct tokenizer *tok = support_tokenizer(name);
	struct rng rng = { seed };
	for (uint32_t round = rounds(100); round > 0; round--) {
		struct buf text = { 0 };
		for (uint64_t n = rng_below(&rng, 120); n > 0; n--)
			add(&rng, &text);
		struct testcase *tc = support_testcase(text.data, text.len);
		support_check(tok, tc);
		testcase_unref(tc);
		buf_release(&text);
	}
	tokenizer_free(tok);
}

static void test_random_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; support_tokenizers[i]; i++)
		soup(support_tokenizers[i], add_random_bytes, 1);
}

static void test_random_words(void **state)
{
	(void)state;
	for (size_t i = 0; support_tokenizers[i]; i++)
		soup(support_tokenizers[i], add_random_word, 2);
}

/* Cuts a valid text into files at random places: tokens and nodes never cross a border. */
static void test_file_borders(void **state)
{
	(void)state;
	static const char text[] =
		"int f(int a, int b) {\n\treturn g(\"x\", /* y */ 1);\n}\n\nstruct s { int x; };\n";
	const uint32_t size = sizeof text - 1;
	char names[] = "part";
	struct tokenizer *tok = support_tokenizer("c");
	struct rng rng = { 3 };
	for (uint32_t round = rounds(200); round > 0; round--) {
		uint32_t ends[3] = { (uint32_t)rng_below(&rng, size - 2), 0, size - 1 };
		ends[1] = ends[0] + 1 + (uint32_t)rng_below(&rng, size - 2 - ends[0]);
		struct testcase_file files[3] = {
			{ .path = names, .end = ends[0] },
			{ .path = names, .begin = ends[0] + 1, .end = ends[1] },
			{ .path = names, .begin = ends[1] + 1, .end = ends[2] }
		};
		struct testcase *tc = testcase_tree(files, 3, mem_dup(text, sizeof text));
		support_check(tok, tc);
		struct tokens tokens;
		struct tree tree;
		struct err err;
		assert_int_equal(lexer_run(tok, tc, &tokens, &err), 0);
		tree_build(tok, tc, &tokens, &tree);
		for (int f = 0; f < 2; f++) {
			bool found = false;
			for (uint32_t i = 0; i <= tokens.n; i++)
				found |= tokens_begin(&tokens, i) == ends[f];
			assert_true(found);
			for (uint32_t i = 1; i < tree.n; i++) {
				uint32_t begin = tokens_begin(&tokens, tree.nodes[i].first),
					 end = tokens_begin(&tokens, tree_end(&tree, i));
				assert_false(
					begin < ends[f] &&
					end > ends[f] + 1); /* an item may end with the frame */
			}
		}
		tree_release(&tree);
		tokens_release(&tokens);
		testcase_unref(tc);
	}
	tokenizer_free(tok);
}

/* The fixtures, whole and with random pieces cut out: what a reduction asks for. */
static void test_cut_fixtures(void **state)
{
	(void)state;
	const char *top = getenv("top_srcdir"), *dir = getenv("WHITTLE_TOKENIZERS");
	const char *dirs[] = { dir ? dir : "tokenizers", NULL };
	char *pattern = mem_printf("%s/tests/text/fixtures/*/[iM]*", top ? top : ".");
	struct rng rng = { 4 };
	struct err err;
	glob_t found;
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct buf text = { 0 };
		assert_int_equal(io_read_file(found.gl_pathv[i], &text, &err), 0);
		struct tokenizer *tok = tokenizer_find(
			NULL, found.gl_pathv[i], (const uint8_t *)text.data, text.len, dirs, &err);
		assert_non_null(tok);
		for (uint32_t round = rounds(60); round > 0; round--) {
			struct testcase *tc = support_testcase(text.data, text.len);
			support_check(tok, tc);
			testcase_unref(tc);
			size_t begin = rng_below(&rng, text.len + 1),
			       len = rng_below(&rng, (text.len - begin) / 8 + 1);
			memmove(text.data + begin, text.data + begin + len, text.len - begin - len);
			text.len -= len;
		}
		tokenizer_free(tok);
		buf_release(&text);
	}
	globfree(&found);
	free(pattern);
}

/* Small groups and items are one token with their neighbours, large ones keep what is in them. */
static void test_coarse(void **state)
{
	(void)state;
	static const struct {
		uint32_t grain;
		const char *text;
	} cases[] = {
		{ 1, "[ 1 , 2 , 3 , [ 4 , 5 ] , { \"aaaa\" : [ 66666666 , 77777777 ] } , 8 ]" },
		{ 8, "[ 1,2,3 , [4,5] , { \"aaaa\": [ 66666666 , 77777777 ] } , 8 ]" },
		{ 20, "[ 1,2,3,[4,5] , { \"aaaa\": [66666666,77777777] } , 8 ]" },
	};
	struct tokenizer *tok = support_tokenizer("json");
	const char *list = "[1,2,3,[4,5],{\"aaaa\":[66666666,77777777]},8]";
	struct testcase *tc = support_testcase(list, strlen(list));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tokens tokens;
		struct err err;
		struct buf text = { 0 };
		assert_int_equal(lexer_run_on(tok, tc, cases[i].grain, &tokens, &err), 0);
		for (uint32_t t = 0; t < tokens.n; t++)
			buf_addf(&text, "%s%.*s", t ? " " : "",
			         (int)(tokens_end(&tokens, t) - tokens_begin(&tokens, t)),
			         (const char *)tc->bytes + tokens_begin(&tokens, t));
		assert_string_equal(text.data, cases[i].text);
		buf_release(&text);
		tokens_release(&tokens);
	}
	testcase_unref(tc);
	tokenizer_free(tok);
}

static void test_same_twice(void **state)
{
	(void)state;
	static const char text[] =
		"a = [1, 2]\ndef f(x):\n    if x:\n        return 1\n    return 2\n";
	struct tokenizer *tok = support_tokenizer("python");
	struct testcase *tc = support_testcase(text, sizeof text - 1);
	struct tokens a, b;
	struct err err;
	assert_int_equal(lexer_run(tok, tc, &a, &err), 0);
	assert_int_equal(lexer_run(tok, tc, &b, &err), 0);
	assert_int_equal(a.n, b.n);
	for (uint32_t i = 0; i <= a.n; i++) {
		assert_int_equal(tokens_begin(&a, i), tokens_begin(&b, i));
		assert_int_equal(a.list[i].kind, b.list[i].kind);
		assert_int_equal(a.list[i].strength, b.list[i].strength);
	}
	tokens_release(&a);
	tokens_release(&b);
	testcase_unref(tc);
	tokenizer_free(tok);
}

/* Lists and nesting of so much that ends and parents of nodes are not told by the nodes alone. */
static void test_large_trees(void **state)
{
	(void)state;
	enum { N = 8000, BLOCK = 700 };
	struct tokenizer *tok = support_tokenizer("json");
	for (unsigned deep = 0; deep < 2; deep++) {
		struct buf text = { 0 };
		for (uint32_t i = 0; i < N; i++)
			buf_addf(&text, "%s",
			         !deep       ? "[1,{\"a\":2}],"
			         : i < N / 2 ? "[1,["
			                     : "]],");
		for (uint32_t i = 0; i < 4 * N; i++)
			buf_addf(&text, "%s",
			         i % BLOCK == BLOCK / 2 ? "[[]"
			         : i % BLOCK == 0       ? "],"
			                                : "1,");
		struct testcase *tc = support_testcase(text.data, text.len);
		struct tokens tokens;
		struct tree tree;
		struct err err;
		assert_int_equal(lexer_run(tok, tc, &tokens, &err), 0);
		tree_build(tok, tc, &tokens, &tree);
		assert_true(tree.n_longs > 0);
		support_check_shape(tc, &tokens, &tree);
		tree_release(&tree);
		tokens_release(&tokens);
		testcase_unref(tc);
		buf_release(&text);
	}
	tokenizer_free(tok);
}

/* Where tokens begin is told in rows of few bytes; in those of many in another way. */
static void test_beginnings(void **state)
{
	(void)state;
	enum { N = 5000 };
	MEM_SCOPED uint32_t *begin = mem_alloc((N + 1) * sizeof *begin);
	struct tokens tokens = { 0 };
	struct rng rng = { 5 };
	uint32_t at = 0;
	for (uint32_t i = 0; i <= N; i++) {
		begin[i] = at;
		if (i < N)
			tokens_push(&tokens, (struct token){ .bracket = i & 255u }, at);
		at += (uint32_t)rng_below(&rng, 1u << rng_below(&rng, i / 100 % 3 ? 5 : 12));
	}
	tokens_finish(&tokens, begin[N]);
	assert_int_equal(tokens.n, N);
	assert_true(tokens.n_far > 0 && tokens.n_far < N);
	for (uint32_t i = 0; i <= N; i++) {
		assert_int_equal(tokens_begin(&tokens, i), begin[i]);
		assert_int_equal(tokens.list[i].bracket, i < N ? i & 255u : 0);
		uint32_t first = tokens_first(&tokens, begin[i]);
		assert_true(first <= i && begin[first] == begin[i]);
		assert_true(!first || begin[first - 1] < begin[i]);
	}
	tokens_release(&tokens);
}

int main(void)
{
	/* What a round frees the next one needs: given back to the system it is most of the time.
	 */
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_bytes), cmocka_unit_test(test_random_words),
		cmocka_unit_test(test_file_borders), cmocka_unit_test(test_cut_fixtures),
		cmocka_unit_test(test_coarse),       cmocka_unit_test(test_same_twice),
		cmocka_unit_test(test_beginnings),   cmocka_unit_test(test_large_trees),
	};
	return cmocka_run_group_tests_name("text: properties", tests, NULL, NULL);
}
