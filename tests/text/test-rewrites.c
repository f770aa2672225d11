/* Rewrites: what each element of a pattern takes, what becomes of the text around it, that each
 * match is an improvement, and that finding them takes time in proportion to the size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../rounds.h"
#include "base/mem.h"
#include "support.h"
#include "lang/rewrite.h"

#define LANGUAGE                                                                                 \
	"newline \\n\nblank [ ]+\nstring '[^']*'\nnumber \\d+\nidentifier [a-z]\\w*\nbracket { " \
	"}\nbracket ( )\nbracket [ ]\n"                                                          \
	"bracket < >\nseparator 1 ,\nterminator 2 ;\nother ->|=>|::|[-+*/=?:.!&]\nkeywords if "  \
	"else case this\n"                                                                       \
	"begin-item 3 case inside {\nend-item 4 @newline inside top\noperand ( [ . :: this\n"

/* The matches of all rewrites, as texts that the whole input becomes, one per line. */
struct found {
	const struct testcase *tc;
	struct buf text;
	uint32_t n;
};

static void add_found(void *arg, const struct rewrite_match *match)
{
	struct found *f = arg;
	uint32_t at = 0;
	for (uint32_t i = 0; i < match->n; i++) {
		buf_add(&f->text, f->tc->bytes + at, match->parts[i].begin - at);
		buf_add(&f->text, match->parts[i].text, match->parts[i].len);
		at = match->parts[i].end;
	}
	buf_add(&f->text, f->tc->bytes + at, f->tc->size - at);
	buf_addch(&f->text, '\n');
}

static void find_all(const struct tokenizer *tok, const struct testcase *tc,
                     void (*found)(void *arg, const struct rewrite_match *match), void *arg)
{
	struct err err = { 0 };
	struct tokens tokens;
	struct tree tree;
	struct arena arena = { 0 };
	if (lexer_run(tok, tc, &tokens, &err))
		fail_msg("%s", err.msg);
	tree_build(tok, tc, &tokens, &tree);
	struct rewrite_ground *ground = rewrite_ground_new(tc, &tokens, &tree, &arena);
	rewrite_ground_operands(ground, tok, 0, tokens.n);
	for (uint32_t i = 0; i < tokenizer_n_rewrites(tok); i++)
		rewrite_find(ground, tok, tokenizer_rewrite(tok, false, i), 0, tokens.n, &arena,
		             found, arg);
	arena_release(&arena);
	tree_release(&tree);
	tokens_release(&tokens);
}

static const struct {
	const char *rewrite, *input, *results;
} cases[] = {
	{ "rewrite a b ->", "x a /b a b c", "x a /b c\n" },
	{ "rewrite - $a:number -> $a", "x-1 -y -  2", "x 1 -y -  2\nx-1 -y 2\n" },
	{ "rewrite $:identifier -> 0", "ab(c)", "0(c)\nab(0)\n" },
	{ "rewrite if $g:group -> $g", "if (a) if {b}", "(a) if {b}\nif (a) {b}\n" },
	{ "rewrite if $g:{ -> $g", "if (a) if {b}", "if (a) {b}\n" },
	{ "rewrite f ( $a:rest ) -> $a", "f( a, b ) f() xf(a)",
	  "a, b f() xf(a)\nf( a, b )  xf(a)\n" },
	{ "rewrite ( $:each $a:item $:rest ) -> $a", "(a b, c) ()", "a b ()\nc ()\n" },
	{ "rewrite { $:each $a:item $:rest } -> $a", "{a, b; c}", "a, b\na\nb\nc\n" },
	{ "rewrite { $:each $:run => $b:run $:rest } -> $b", "{a => b c, d, e => f}", "b c\nf\n" },
	{ "rewrite ? $a:run : $:run -> $a", "(x ? a + b : c d, ? e)", "(x a + b, ? e)\n" },
	{ "rewrite $:run = $b:run -> $b", "(a, b c = d e)", "(a, d e)\n" },
	{ "rewrite if $:list = $b:list -> $b", "if a, b = c, d; e", "c, d; e\n" },
	{ "rewrite if $:run = $b:run -> $b", "if a, b = c", "" },
	{ "rewrite if $:lines else $b:run -> $b", "{if a; b; else c, d}", "{c, d}\n" },
	{ "rewrite if $:run else $b:run -> $b", "{if a; b; else c}", "" },
	{ "rewrite if $b:run -> $b", "if a b\nc", "a b\nc\n" },
	{ "rewrite $a:operand + $:operand -> $a", "a.b(c)[d] + - this :: e + f",
	  "a.b(c)[d] + f\na.b(c)[d] + - this :: e\n" },
	{ "rewrite $:operand -> 0", "- ! a (b)", "0\n- ! a (0)\n" },
	{ "rewrite $:operand -> 0", "a - b", "0 - b\na - 0\n" },
	{ "rewrite $:operand -> 0", "a\nb", "0\nb\na\n0\n" },
	{ "rewrite $:operand -> 0", "0", "" },
	{ "rewrite $:operand -> zzz", "abc", "" },
	{ "rewrite $f:callee ( $:rest ) -> $f", "a.b(c)(d), (e)", "a.b(c), (e)\n" },
	{ "rewrite $a:identifier :: $b:identifier -> $a x $b", "aaaa::bbbb", "" },
	{ "rewrite $a:identifier :: $b:identifier = -> $a , $b", "a  ::  b  =  c", "a,b  c\n" },
	{ "rewrite case $:run -> 0", "{case a b, case c}", "{0, case c}\n{case a b, 0}\n" },
	{ "rewrite @word:-> $:identifier ->", "a -> b c", "a c\n" },
	{ "rewrite - ( ->", "a - (b)", "a b)\n" },
	{ "rewrite ( $:rest ->", "(a b)", ")\n" },
	{ "rewrite ) ->", "(a)", "" },
	{ "rewrite $:open $b:rest $:close -> $b", "(a b)", "a b\n" },
	{ "rewrite $a:string + $b:string -> $a$b", "'a' + '' + 'c'", "'a' + 'c'\n'a' + 'c'\n" },
	{ "rewrite $a:string , $b:string ; $c:string -> x $a$b$c", "'a', 'b'; 'c'", "x'abc'\n" },
};

/* A block of indented lines in the place of its head. */
static const char *const out_of_block[][2] = {
	{ "if a:\n  b(\n    c)\n  if d:\n      e\n  f\ng",
	  "b(\n  c)\nif d:\n    e\nf\ng\nif a:\n  b(\n    c)\n  e\n  f\ng\n" },
	{ "x if a:\n  b", "" },
	{ "if a:\n\n  b\n   c", "b\n c\n" },
};

static void test_layout(void **state)
{
	(void)state;
	struct err err = { 0 };
	struct tokenizer *tok = support_define(
		"newline \\n\\s*\nblank [ ]+\nidentifier \\w+\nbracket ( )\nlayout any\nkeywords "
		"if\n"
		"end-item 1 @newline inside top layout\nrewrite if $:run : $b:layout -> $b\n",
		&err);
	if (!tok)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < sizeof out_of_block / sizeof *out_of_block; i++) {
		struct found f = { .tc = support_testcase(out_of_block[i][0],
			                                  strlen(out_of_block[i][0])) };
		find_all(tok, f.tc, add_found, &f);
		assert_string_equal(f.text.data ? f.text.data : "", out_of_block[i][1]);
		buf_release(&f.text);
		testcase_unref((struct testcase *)(uintptr_t)f.tc);
	}
	tokenizer_free(tok);
}

static void test_patterns(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = { 0 };
		char *definition = mem_printf(LANGUAGE "%s\n", cases[i].rewrite);
		struct tokenizer *tok = support_define(definition, &err);
		if (!tok)
			fail_msg("%s: %s", cases[i].rewrite, err.msg);
		struct found f = { .tc = support_testcase(cases[i].input, strlen(cases[i].input)) };
		find_all(tok, f.tc, add_found, &f);
		const char *got = f.text.data ? f.text.data : "";
		if (strcmp(got, cases[i].results))
			fail_msg("%s\non %s\ngives\n%snot\n%s", cases[i].rewrite, cases[i].input,
			         got, cases[i].results);
		buf_release(&f.text);
		testcase_unref((struct testcase *)(uintptr_t)f.tc);
		tokenizer_free(tok);
		free(definition);
	}
}

/* Its parts are in order and inside of it, and what it makes comes before the input in the total
 * order. */
static void check_match(void *arg, const struct rewrite_match *match)
{
	struct found *f = arg;
	uint32_t at = match->begin;
	assert_true(match->n > 0);
	for (uint32_t i = 0; i < match->n; i++) {
		assert_true(match->parts[i].begin >= at &&
		            match->parts[i].end >= match->parts[i].begin);
		at = match->parts[i].end;
	}
	assert_true(at <= match->end && match->end <= f->tc->size);
	struct arena arena = { 0 };
	struct edit edit;
	struct edit_part *parts = arena_alloc(&arena, match->n * sizeof *parts);
	memcpy(parts, match->parts, match->n * sizeof *parts);
	assert_true(edit_make(&arena, parts, match->n, &edit));
	struct testcase *smaller = edit_apply(f->tc, edit);
	assert_true(testcase_compare(smaller, f->tc) < 0);
	assert_int_equal(f->tc->size - smaller->size, match->saving);
	testcase_unref(smaller);
	arena_release(&arena);
	f->n++;
}

/* Words and marks that the shipped rewrites mention, at random. */
static struct testcase *random_text(uint32_t *seed)
{
	static const char *const words[] = {
		"a",           "b",           "1",     "f(",     ")",       "{",        "}",
		"[",           "]",           "<",     ">",      "<a",      "</a>",     "'s'",
		"\"t\"",       "if",          "else",  "then",   "case",    "when",     "end",
		"select",      "from",        "match", "=>",     "->",      "=",        "?",
		":",           "+",           "-",     "!",      ".",       "::",       ",",
		";",           "\n",          "\n  ",  " ",      "fn",      "function", "return",
		"for",         "in",          "do",    "done",   "fi",      "lambda",   "let",
		"|",           "\xc3\xa9",    "def",   "begin",  "is",      "type(",    "/>",
		"map",         "$(",          "\\a",   "\\a{",   "when",    "(",        "proc",
		"set",         "getline",     "print", "forall", "as",      "reduce",   ":-",
		"ifelse(",     "catch",       "expr",  "s/a/b/", "string",  "`",        "\"\"\"\"",
		"OpLoopMerge", "OpBranch %a", "Proof", "Qed.",   "discard",
	};
	struct buf text = { 0 };
	for (int i = 0; i < 60; i++) {
		*seed = *seed * 1664525u + 1013904223u;
		const char *word = words[(*seed >> 8) % (sizeof words / sizeof *words)];
		buf_add(&text, word, strlen(word));
		buf_addch(&text, ' ');
	}
	struct testcase *tc = support_testcase(text.data, text.len);
	buf_release(&text);
	return tc;
}

static void test_shipped(void **state)
{
	(void)state;
	unsigned languages = 0;
	for (const char *const *name = support_tokenizers; *name; name++) {
		struct tokenizer *tok = support_tokenizer(*name);
		uint32_t seed = 1, n = 0;
		for (int i = 0; i < 60; i++) {
			struct found f = { .tc = random_text(&seed) };
			find_all(tok, f.tc, check_match, &f);
			n += f.n;
			testcase_unref((struct testcase *)(uintptr_t)f.tc);
		}
		if (tokenizer_n_rewrites(tok)) {
			languages++;
			assert_true(n > 0);
		}
		tokenizer_free(tok);
	}
	assert_true(languages >= 43);
}

static void count_match(void *arg, const struct rewrite_match *match)
{
	(void)match;
	++*(uint32_t *)arg;
}

static double seconds(const struct tokenizer *tok, const char *unit, size_t times)
{
	struct buf text = { 0 };
	for (size_t i = 0; i < times; i++)
		buf_add(&text, unit, strlen(unit));
	struct testcase *tc = support_testcase(text.data, text.len);
	struct timespec from, to;
	uint32_t n = 0;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	find_all(tok, tc, count_match, &n);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	testcase_unref(tc);
	buf_release(&text);
	return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

/* Sixteen times the input may take eighty times as long at most: linear is 16, quadratic 256. */
static void test_linear(void **state)
{
	(void)state;
	static const char *const units[] = { "a.",   "a ? ",  "f(",      "(a)",  "if ",
		                             "a = ", "case ", "{ a => ", "a + ", "-",
		                             "a , ", "<a ",   "a ->" };
	static const char *const names[] = { "c", "rust", "javascript", "sql", "xml", "fortran" };
	enum { SMALL = 1000, FACTOR = 16, MOST = 80, AGAIN = 8 };
	for (size_t l = 0; l < rounds(sizeof names / sizeof *names); l++) {
		struct tokenizer *tok = support_tokenizer(names[l]);
		for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
			double ratio = MOST + 1;
			for (int k = 0; k < AGAIN && ratio > MOST; k++)
				ratio = seconds(tok, units[i], (size_t)FACTOR * SMALL) /
				        (seconds(tok, units[i], SMALL) + 1e-4);
			if (ratio > MOST)
				fail_msg("%s: \"%s\" repeated: %d times as long takes %.0f times "
				         "as much",
				         names[l], units[i], FACTOR, ratio);
		}
		tokenizer_free(tok);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_shipped),
		cmocka_unit_test(test_linear),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
