/* Patterns of definitions, which come from anybody and become one program: what they may not have,
 * what their groups are, and what the lexer does with a program that has it all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "support.h"
#include "lang/pattern.h"
#include "lang/tokenizer_def.h"

/* Also where a second reader of patterns could take them for a part of something else. */
static const struct {
	const char *text, *message;
} refused[] = {
	{ "identifier [a-z]+(*ACCEPT)\n", "test.tok:1:18: expected a pattern without \"(*\"" },
	{ "nested comment { } \\{(*ACCEPT)\n", "1:22: expected a pattern without \"(*\"" },
	{ "other (*MARK:200000)a(*ACCEPT)\n", "test.tok:1:7: expected a pattern without \"(*\"" },
	{ "other a(*:9)b\n", "test.tok:1:8: expected a pattern without \"(*\"" },
	{ "other (?:(?:a(*F)|b)){2}\n", "test.tok:1:14: expected a pattern without \"(*\"" },
	{ "other (*NO_JIT)a\n", "test.tok:1:7: expected a pattern without \"(*\"" },
	{ "other (*UTF)a\n", "test.tok:1:13: using UTF is disabled by the application" },
	{ "other [\\E][](*ACCEPT)\n", "test.tok:1:13: expected a pattern without \"(*\"" },
	{ "other a\\Q\\\\E(*ACCEPT)\n", "test.tok:1:13: expected a pattern without \"(*\"" },
	{ "other (?x)a#[\r(*ACCEPT)\n", "test.tok:1:15: expected a pattern without \"(*\"" },
	{ "other a(?#[)(*ACCEPT)\n", "test.tok:1:13: expected a pattern without \"(*\"" },
	{ "other (?C1)a\n", "test.tok:1:7: expected a pattern without \"(?C\"" },
	{ "other a(?C255)b\n", "test.tok:1:8: expected a pattern without \"(?C\"" },
	{ "other (?C\"x\")a\n", "test.tok:1:7: expected a pattern without \"(?C\"" },
	{ "other (?=(?1))(?(DEFINE)(ab\\K))\n", "1:28: expected a pattern without \"\\K\"" },
	{ "other (?x)a # b\nother c)\n", "test.tok:2:8: unmatched closing parenthesis" },
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		support_broken(refused[i].text, refused[i].message);
}

/* Group numbers mean the pattern's own groups, although all patterns are one program. */
static void test_groups_are_local(void **state)
{
	(void)state;
	const char *definition = "number ([0-9])([0-9])\n"
				 "string ([\"'])[^\"']*\\1\n"
				 "comment \\((?:[^()]|(?R))*\\)\n"
				 "other (a)?(?(1)b|c)\n"
				 "keyword (x|y)(?1)\\g{1}[\\1(?1)]\n";
	support_kinds(definition, "12'a'(b(c)d)abcxyx?",
	              "number:12 string:'a' comment:(b(c)d) other:ab other:c keyword:xyx?");
}

/* All ways to name a group, behind another pattern's groups. */
static void test_groups_all_forms(void **state)
{
	(void)state;
	static const char *const patterns[] = {
		"(t)(a)\\g<1>ic",
		"(t)(a)\\g'1'ic",
		"(t)(a)(?1)ic",
		"(t)(a)\\g1ic",
		"(t)(a)\\g{1}ic",
		"(t)(a)\\1ic",
		"(t)(a)\\g{-2}ic",
		"(t)(a)\\g-2ic",
		"(t)(a)\\g<-2>ic",
		"(t)(a)(?-2)ic",
		"(?+1)(?<x>t|a)(?+1)(i|t)c",
		"\\g<+1>(?<x>t|a)(?1)ic",
		"(?<x>t)(a)\\k<x>ic",
		"(?<x>t)(a)\\k'x'ic",
		"(?<x>t)(a)\\k{x}ic",
		"(?<x>t)(a)(?P=x)ic",
		"(?<x>t)(a)(?&x)ic",
		"(?<x>t)(a)(?P>x)\\x69c",
		"(?<R1x>t)(?(R1x)a|a)tic",
		"(?|(t)|(s))(a)(?(1)t|x)ic",
		"(?<x>t)(?(<x>)a|x)tic",
		"(t)(?(-1)a|x)tic",
		"((t)|(?(R1)a|x)|i)(?1)(?2)(?1)?(?1)?c|(t)at(i)c",
		"t(?:a|t|i|(?0))*c",
		"t(?:a|t|i|\\g<0>)*c",
		"(((((((((((t)))))))))))a\\11ic",
		"(?x) (t)(a)\\1ic # comment ( [",
		"(?x: (t)(a)\\1 )ic\\Q",
	};
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		char *definition = mem_printf("other ((((((((((((s))))))))))))\n"
		                              "identifier %s\nnumber 1\n",
		                              patterns[i]);
		support_kinds(definition, "static1", "other:s identifier:tatic number:1");
		free(definition);
	}
	/* bytes in octal, and what only looks like a group or a verb */
	support_kinds("other ((((((((((((s))))))))))))\nnumber (1)\\11\\0618\n"
	              "comment [(*\\1(?1)]\\(*\\Q(*\\1\\E(?#\\1(*F)\n",
	              "s1\t18((((*\\1", "other:s number:1\t18 comment:((((*\\1");
}

/* A pattern whose groups are repeated often is not too large to be read. */
static void test_repeated(void **state)
{
	(void)state;
	support_kinds(
		"other (s)\nidentifier (?:(t|a)|\\((?:[^()]|\\([^()]*+\\))*+\\)){0,400}(i)\\2\n",
		"sta(t)ii", "other:s identifier:ta(t)ii");
	support_kinds("blank [\\x{0a}-\\x{20}]{2,20}\nnumber [{12}x{3}\\o{60}-\\o{71}]++\n",
	              "\n 3{x}", "blank:\n  number:3{x}");
}

/* The lexer has a second look at what the program says. */
static void test_impossible_program(void **state)
{
	(void)state;
	static const struct {
		const char *program, *message;
	} programs[] = {
		{ "a(*ACCEPT)", "test.tok: the patterns make no token at offset 1 of input" },
		{ "a(*:2)", "test.tok: the patterns make no token at offset 1 of input" },
		{ "a(*:x)", "test.tok: the patterns make no token at offset 1 of input" },
		{ "a(*:99999999999999999999)", "test.tok: the patterns make no token at offset 1" },
		{ "(?=(?1))(?(DEFINE)(a\\K))(*:0)", "make no token at offset 1 of input" },
		{ "(?C1)a(*:0)",
		  "test.tok:3:12: the pattern of this identifier gives up at offset 1" },
		{ "(?C\"x\")a(*:0)",
		  "the pattern of this identifier gives up at offset 1 of input" },
	};
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		struct err err = { 0 };
		struct tokenizer *tok =
			support_define("blank [ ]\nwhen after x\nidentifier a(?!b)\n", &err);
		assert_non_null(tok);
		struct testcase *tc = support_testcase(" a", 2);
		struct tokens tokens;
		int code;
		size_t offset;
		pcre2_code_free(tok->program);
		tok->program = pcre2_compile((PCRE2_SPTR)programs[i].program, PCRE2_ZERO_TERMINATED,
		                             PCRE2_ANCHORED, &code, &offset, NULL);
		tok->jit = tokenizer_jit(tok->program);
		tok->first['a'].type = DISPATCH_PROGRAM;
		assert_int_equal(lexer_run(tok, tc, &tokens, &err), -1);
		if (!strstr(err.msg, programs[i].message))
			fail_msg("%s: %s", programs[i].program, err.msg);
		testcase_unref(tc);
		tokenizer_free(tok);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_groups_are_local),
		cmocka_unit_test(test_groups_all_forms),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_impossible_program),
	};
	return cmocka_run_group_tests_name("text: patterns", tests, NULL, NULL);
}
