/* Definitions: what broken ones are told, what the parts of the format mean, and how one is chosen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "support.h"

static const struct {
	const char *text, *message;
} broken[] = {
	{ "colour red\n", "test.tok:1:1: expected a directive, not \"colour\"" },
	{ "# fine\n\n  string\n", "test.tok:3:9: expected a pattern" },
	{ "string \"(abc\n", "test.tok:1:13: missing closing parenthesis" },
	{ "string  a\n\tnumber [0-9\n",
	  "test.tok:2:13: missing terminating ] for character class" },
	{ "other a**+?b{2,1}\n", "test.tok:1:9: quantifier does not follow a repeatable item" },
	{ "blank [ ]*\n", "test.tok:1:7: expected a pattern that matches at least one byte" },
	{ "separator ,\n", "test.tok:1:11: expected a strength from 1 to 7" },
	{ "terminator 8 ;\n", "test.tok:1:12: expected a strength from 1 to 7" },
	{ "bracket (\n", "test.tok:1:10: expected an opening and a closing text" },
	{ "bracket ( ) ]\n", "test.tok:1:13: expected the end of the line" },
	{ "bracket begin end\nbracket case end\n",
	  "test.tok:2:14: expected a word that is not used yet; \"end\" is" },
	{ "open\n", "test.tok:1:5: expected the name of a bracket pair" },
	{ "rewrites\n", "test.tok:1:9: expected the name of a set of rewrites" },
	{ "operand\nrewrites comparisons loops\n",
	  "test.tok:2:22: there is no set of rewrites \"loops\"" },
	{ "rewrites comparisons\n",
	  "test.tok:1:10: expected earlier \"operand\" and \"bracket\" lines that the rewrites "
	  "\"comparisons\" need" },
	{ "open if if\\b\n", "test.tok:1:6: expected a directive that closes the pair \"if\"" },
	{ "close if fi\\b\n", "test.tok:1:7: expected a directive that opens the pair \"if\"" },
	{ "end-item 1 } inside block\nbracket { }\n",
	  "test.tok:1:21: expected a directive that opens the pair \"block\"" },
	{ "open top x\n",
	  "test.tok:1:6: expected another name: \"top\" means outside of all brackets" },
	{ "tag-open t <\\w+\ntag-close t </\\w+>\n",
	  "test.tok:1:12: expected a group (...) around the name of the tag" },
	{ "here-document <<\\w+\n", "test.tok:1:15: expected a group (...) around the delimiter" },
	{ "nested red (* *)\n", "test.tok:1:8: expected a kind of token, not \"red\"" },
	{ "nested open ( )\n", "test.tok:1:8: expected a kind of token that is not a bracket" },
	{ "nested comment (*\n", "test.tok:1:18: expected an opening and a closing text" },
	{ "open-words a\n", "test.tok:1:13: expected the name of a bracket pair, and words" },
	{ "open-words a b\nclose-words a b\n",
	  "test.tok:2:15: expected a word that is not used yet; \"b\" is" },
	{ "layout 4\n", "test.tok:1:8: expected \"any\" or \"tab\"" },
	{ "when after x\nfiles *.c\n",
	  "test.tok:2:1: expected a token, bracket or keywords after \"when\", not \"files\"" },
	{ "when after x\nwhen after y\n",
	  "test.tok:2:1: expected only one \"when\" for a directive" },
	{ "blank x\nwhen after x\n", "test.tok:2:1: expected a directive after \"when\"" },
	{ "when behind x\nother y\n",
	  "test.tok:1:6: expected a condition (after, before, inside, ...), not \"behind\"" },
	{ "when after\nother y\n", "test.tok:1:11: expected a token" },
	{ "when inside\nother y\n", "test.tok:1:12: expected the name of a bracket pair" },
	{ "when before x\nother y\n", "test.tok:1:6: expected conditions on earlier tokens" },
	{ "end-item 1 inside top\n", "test.tok:1:12: expected a token before \"inside\"" },
	{ "end-item 1 @newlines\n", "test.tok:1:12: expected a kind of token, not \"newlines\"" },
	{ "simplest digit 0\n", "test.tok:1:10: expected a kind of token, not \"digit\"" },
	{ "simplest number\n", "test.tok:1:16: expected the replacement" },
	{ "stand-in mention type\n",
	  "test.tok:1:18: expected how a definition begins, and the replacement text" },
	{ "identifier %\\w+\nname-marks %\ngone $:gone -> @item x\n",
	  "test.tok:3:13: expected nothing beside \"@item\"" },
	{ "imports\n", "test.tok:1:8: expected the word that an import begins with" },
	{ "imports a b\n", "test.tok:1:11: expected the end of the line" },
	{ "rewrite\n", "test.tok:1:8: expected a pattern" },
	{ "rewrite -> a\n", "test.tok:1:9: expected a pattern" },
	{ "rewrite a b\n", "test.tok:1:12: expected \"->\" and the result" },
	{ "rewrite $a -> b\n", "test.tok:1:9: expected $NAME:CLASS" },
	{ "rewrite $a:colour -> $a\n", "test.tok:1:12: expected a kind of token, a bracket pair "
	                               "declared above, or one of group" },
	{ "rewrite $a:{ -> $a\nbracket { }\n", "test.tok:1:12: expected a kind of token" },
	{ "rewrite $a:operand -> $a\n", "test.tok:1:12: expected an earlier \"operand\" line" },
	{ "rewrite $a:run $a:run -> $a\n",
	  "test.tok:1:16: expected another name; \"$a\" exists already" },
	{ "rewrite x $:run $:each -> x\n",
	  "test.tok:1:17: expected \"$:each\" after an opening bracket" },
	{ "bracket ( )\nrewrite ( $:each -> x\n",
	  "test.tok:2:18: expected what each item begins with" },
	{ "rewrite $a:run -> $b\n",
	  "test.tok:1:19: expected a placeholder of the pattern, not \"$b\"" },
	{ "rewrite $a:run $b:run -> $b $a\n",
	  "test.tok:1:29: expected placeholders once, in the order of the pattern" },
	{ "rewrite $a:run $b:run -> $b\n",
	  "test.tok:1:9: expected \"$a\" in the result, or no name here" },
	{ "rewrite $a:string $b:run -> $a$b\n",
	  "test.tok:1:31: expected a string, which becomes one with the placeholder beside it" },
	{ "rewrite $a:string $b:string -> $b$a\n",
	  "test.tok:1:34: expected placeholders once, in the order of the pattern" },
	{ "rewrite a b c d e f g h i j k l m n o p q -> a\n",
	  "test.tok:1:41: expected at most 16 tokens and placeholders" },
	{ "when after x\nrewrite a -> b\n",
	  "test.tok:2:1: expected a token, bracket or keywords after \"when\", not \"rewrite\"" },
	{ "content x y\n", "test.tok:1:9: expected a priority from 1 to 100" },
	{ "files\n", "test.tok:1:6: expected file name patterns" },
	{ "name a/b\n", "test.tok:1:6: expected a name" },
	{ "keywords if\nignore-case\n", "test.tok:2:1: expected \"ignore-case\" before all words" },
	{ "keywords a123456789b123456789c123456789d1\n",
	  "test.tok:1:10: expected words of at most 31 bytes" },
	{ "string (?<a>x)\ncomment (?<a>y)\n",
	  "test.tok:2:9: two named subpatterns have the same name" },
};

static void test_broken(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
		support_broken(broken[i].text, broken[i].message);
}

static void test_missing_file(void **state)
{
	(void)state;
	struct err err = { 0 };
	assert_null(tokenizer_load("/nonexistent/x.tok", &err));
	assert_non_null(strstr(err.msg, "/nonexistent/x.tok"));
}

static void test_first_pattern_wins(void **state)
{
	(void)state;
	support_kinds("number \\d+\nidentifier \\w+\n", "12ab", "number:12 identifier:ab");
	support_kinds("identifier \\w+\nnumber \\d+\n", "12ab", "identifier:12ab");
}

static void test_unmatched_bytes(void **state)
{
	(void)state;
	support_kinds("identifier \\w+\n", "a+-b", "identifier:a other:+ other:- identifier:b");
	support_kinds("", "ab", "other:a other:b");
}

static void test_patterns_are_raw(void **state)
{
	(void)state;
	support_kinds("string \"(?:[^\"\\\\]|\\\\.)*\"\n", "\"a\\\"b\"c",
	              "string:\"a\\\"b\" other:c");
}

static void test_conditions(void **state)
{
	(void)state;
	const char *regex = "identifier \\w+\nwhen not-after @identifier ]\nstring /[^/]*/\n";
	support_kinds(regex, "a/b/c", "identifier:a other:/ identifier:b other:/ identifier:c");
	support_kinds(regex, "=/b/c", "other:= string:/b/ identifier:c");
	support_kinds(regex, "]/b/", "other:] other:/ identifier:b other:/");
	const char *line = "newline \\n\nblank [ ]\nwhen after @line\ncomment #.*\n";
	support_kinds(line, "#a\n #b\nx#",
	              "comment:#a newline:\n blank:  comment:#b newline:\n other:x other:#");
	const char *inside =
		"when inside <\nclose < >\nopen < <\nbracket ( )\nwhen within <\nstring s\n";
	support_kinds(
		inside, "s<s(s>)>s>",
		"other:s open:< string:s open:( string:s other:> close:) close:> other:s other:>");
}

static void test_words(void **state)
{
	(void)state;
	support_kinds("identifier \\w+\nblank [ ]\nbracket do od\nkeywords if\n",
	              "do doo od if iff",
	              "open:do blank:  identifier:doo blank:  close:od blank:  keyword:if blank:  "
	              "identifier:iff");
	support_kinds("ignore-case\nidentifier \\w+\nblank [ ]\nbracket Begin END\n", "BEGIN x end",
	              "open:BEGIN blank:  identifier:x blank:  close:end");
}

static void test_here_documents(void **state)
{
	(void)state;
	const char *definition = "newline \\n\nhere-document <<(\\w+)\nidentifier \\w+\n";
	support_kinds(definition, "<<A<<B\na\nA\nb\nB\nc",
	              "other:<<A other:<<B string:\na\nA\nb\nB newline:\n identifier:c");
	support_kinds(definition, "<<A\nb\nc", "other:<<A string:\nb\nc");
	support_kinds(definition, "<<A", "other:<<A");
}

static void test_nested(void **state)
{
	(void)state;
	const char *definition =
		"nested comment (* *)\nnested string { } q\\{\nidentifier \\w+\nblank [ ]\n";
	support_kinds(definition, "a(*(**)(*x(**)*)*)*)b",
	              "identifier:a comment:(*(**)(*x(**)*)*) other:* other:) identifier:b");
	support_kinds(definition, "q{a{}\\}}b", "string:q{a{}\\}} identifier:b");
	support_kinds(definition, "(*(**) ", "comment:(*(**) ");
	support_kinds(definition, "q{\\", "string:q{\\");
	support_kinds("nested string [ ]\nidentifier \\w\n", "[[a]b]c",
	              "string:[[a]b] identifier:c");
}

/* Several words to one pair; a word that is a bracket only where its conditions hold is a keyword
 * elsewhere. */
static void test_bracket_words(void **state)
{
	(void)state;
	const char *definition =
		"identifier \\w+\nnewline \\n\nblank [ ]\nopen-words block def do\n"
		"when after @line\nopen-words block if\nclose-words block end\nkeywords if then\n";
	support_kinds(definition, "if x if\ndef",
	              "open:if blank:  identifier:x blank:  keyword:if newline:\n open:def");
	support_kinds(definition, "do end then", "open:do blank:  close:end blank:  keyword:then");
}

/* A pattern that scans the rest of the file at each place and finds nothing, and one that tries
 * 2^22 ways at each: what all matches may cost together is limited, too. */
static void test_budget(void **state)
{
	(void)state;
	static const struct {
		const char *definition, *unit, *message;
	} slow[] = {
		{ "number 1\nstring a[^z]*z\n", "ab",
		  "test.tok:2:8: the pattern of this string gives up at offset " },
		{ "comment (?:a+)+b\n", "aaaaaaaaaaaaaaaaaaaaaac",
		  "test.tok:1:9: the pattern of this comment gives up at offset " },
		{ "comment (?=(?:.*,)*z).\n", "a,b,",
		  "test.tok:1:9: the pattern of this comment gives up at offset " },
	};
	enum { SIZE = 1000000 };
	char *text = mem_alloc(SIZE);
	for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
		for (size_t at = 0, len = strlen(slow[i].unit); at < SIZE; at++)
			text[at] = slow[i].unit[at % len];
		struct err err = { 0 };
		struct tokenizer *tok = support_define(slow[i].definition, &err);
		assert_non_null(tok);
		struct testcase *tc = support_testcase(text, SIZE);
		struct tokens tokens;
		assert_int_equal(lexer_run(tok, tc, &tokens, &err), -1);
		if (!strstr(err.msg, slow[i].message))
			fail_msg("%s", err.msg);
		testcase_unref(tc);
		tokenizer_free(tok);
	}
	free(text);
}

/* The message names the pattern, neither one that only reads far nor the last one. With or without
 * tokens, that is a failure; what there is has all bytes. */
static void test_limits_are_errors(void **state)
{
	(void)state;
	struct err err = { 0 };
	struct tokenizer *tok =
		support_define("blank [ ]\ncomment a[^z]*z\nstring (?:a+)+b\nother a\n", &err);
	assert_non_null(tok);
	char text[3000];
	memset(text, 'a', sizeof text);
	text[0] = ' ';
	struct testcase *tc = support_testcase(text, sizeof text);
	struct tokens tokens;
	assert_int_equal(lexer_run(tok, tc, &tokens, &err), -1);
	const char *message =
		"test.tok:3:8: the pattern of this string gives up at offset 1 of input: ";
	if (!strstr(err.msg, message))
		fail_msg("%s", err.msg);
	assert_null(tokens.list);
	assert_int_equal(lexer_run_on(tok, tc, 0, &tokens, &err), -1);
	assert_non_null(strstr(err.msg, message));
	assert_int_equal(tokens.n, sizeof text);
	assert_int_equal(tokens.unmatched, sizeof text - 1);
	assert_int_equal(tokens_begin(&tokens, tokens.n), sizeof text);
	tokens_release(&tokens);
	testcase_unref(tc);
	tokenizer_free(tok);
}

static void test_simplest(void **state)
{
	(void)state;
	struct err err = { 0 };
	struct tokenizer *tok = support_define("simplest string \"\"\nsimplest number 0\n", &err);
	assert_non_null(tok);
	assert_string_equal(tokenizer_name(tok), "test");
	assert_string_equal(tokenizer_simplest(tok, TOKEN_STRING), "\"\"");
	assert_string_equal(tokenizer_simplest(tok, TOKEN_NUMBER), "0");
	assert_null(tokenizer_simplest(tok, TOKEN_OTHER));
	tokenizer_free(tok);
}

static const struct {
	const char *path, *content, *name;
} choices[] = {
	{ "x.exe",
	  "\x7f"
	  "ELF",
	  "elf" }, /* a name that says "binary" says less than this */
	{ "x.bin", "select a from b;", "bytes" },
	{ "a/b.c", "", "c" },
	{ "x.cpp", "#!/bin/sh\n", "c" },
	{ "Makefile", "", "make" },
	{ "package.json", "", "json" },
	{ "x.unknown", "#!/bin/sh\necho\n", "shell" },
	{ "x", "#! /usr/bin/env python3\n", "python" },
	{ "x", "#!/usr/bin/node\n", "javascript" },
	{ "x", "{\"a\": 1}", "json" },
	{ "x", "<?xml version='1.0'?><a/>", "xml" },
	{ "x", "c comment\np cnf 1 1\n1 0\n", "dimacs" },
	{ "x", "#include <stdio.h>\nint main(void) {}\n", "c" },
	{ "x", "(set-logic QF_BV)\n", "smt" },
	{ "x", "CREATE TABLE t(a);\n", "sql" },
	{ "x", "some words\nand more\n", "text" },
	{ "x", "GIF89a, true, BM, OTTO\nSQLite format 3\n", "gif" },
	{ "x", "some words\ntrue or OTTO or GIF89a\n", "text" },
	{ "x", "{\n a;\n}\n{\n b;\n}\n", "generic" },
	{ "x", "a\001\002b", "bytes" },
	{ "x", "\033LuaT", "luac" },
	{ "x", "SQLite format 3", "sqlite" },
	{ "a.class", "", "class" },
	{ "a.pyc", "", "marshal" },
	{ "a.pl", "", "perl" },
	{ "a.pl", "package A;\nuse strict;\n", "perl" },
	{ "a.pl", "% a\n:- module(a, [b/1]).\nb(X) :- c(X).\n", "prolog" },
	{ NULL, "", "text" },
};

static void test_choice(void **state)
{
	(void)state;
	const char *dir = getenv("WHITTLE_TOKENIZERS");
	const char *dirs[] = { "/nonexistent", dir ? dir : "tokenizers", NULL };
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		struct err err;
		const char *content = choices[i].content;
		struct tokenizer *tok =
			tokenizer_find(NULL, choices[i].path, (const uint8_t *)content,
		                       strlen(content), dirs, &err);
		if (!tok)
			fail_msg("%s", err.msg);
		if (strcmp(tokenizer_name(tok), choices[i].name))
			fail_msg("%s with \"%s\": expected %s, got %s", choices[i].path, content,
			         choices[i].name, tokenizer_name(tok));
		tokenizer_free(tok);
	}
}

static void test_unknown_name(void **state)
{
	(void)state;
	const char *dirs[] = { "/nonexistent", NULL };
	struct err err = { 0 };
	assert_null(tokenizer_find("klingon", "x", (const uint8_t *)"", 0, dirs, &err));
	assert_string_equal(err.msg,
	                    "there is no tokenizer named \"klingon\" (searched: /nonexistent)");
	assert_int_equal(err.code, ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_missing_file),
		cmocka_unit_test(test_first_pattern_wins),
		cmocka_unit_test(test_unmatched_bytes),
		cmocka_unit_test(test_patterns_are_raw),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_here_documents),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_bracket_words),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_limits_are_errors),
		cmocka_unit_test(test_simplest),
		cmocka_unit_test(test_choice),
		cmocka_unit_test(test_unknown_name),
	};
	return cmocka_run_group_tests_name("text: definitions", tests, NULL, NULL);
}
