/* What goes with a definition: values, branches, sections, choices, numbers. LLVM's tokenizer is
 * the language; each edit cuts texts, or replaces one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "support.h"
#include "text/edit.h"
#include "lang/references.h"
#include "../rounds.h"

struct ground {
	struct tokenizer *tok;
	struct testcase *tc;
	struct tokens tokens;
	struct tree tree;
	struct references *references;
};

/* LANGUAGE: a definition; NULL: LLVM's. */
static void ground_open(struct ground *g, const char *language, const char *text)
{
	struct err err = { 0 };
	g->tok = language ? support_define(language, &err) : support_tokenizer("llvm");
	if (!g->tok)
		fail_msg("%s", err.msg);
	g->tc = support_testcase(text, strlen(text));
	if (lexer_run(g->tok, g->tc, &g->tokens, &err))
		fail_msg("%s", err.msg);
	tree_build(g->tok, g->tc, &g->tokens, &g->tree);
	g->references = references_new(g->tok, g->tc, &g->tokens, &g->tree);
	assert_non_null(g->references);
}

static void ground_close(struct ground *g)
{
	references_free(g->references);
	tree_release(&g->tree);
	tokens_release(&g->tokens);
	testcase_unref(g->tc);
	tokenizer_free(g->tok);
}

/* Replaces FROM, which is in the text once, by TO; the result is EXPECTED. */
static void check_with(const char *language, const char *text, const char *from, const char *to,
                       const char *expected)
{
	struct ground g = { 0 };
	struct arena arena = { 0 };
	const char *at = strstr(text, from);
	assert_non_null(at);
	assert_null(strstr(at + 1, from));
	ground_open(&g, language, text);
	uint32_t begin = (uint32_t)(at - text), len = (uint32_t)strlen(to);
	struct edit plain = edit_replace(&arena, begin, begin + (uint32_t)strlen(from),
	                                 len ? (const uint8_t *)to : NULL, len);
	struct testcase *result = edit_apply(g.tc, references_edit(g.references, plain, &arena));
	testcase_flat(result);
	assert_string_equal((const char *)result->bytes, expected);
	testcase_unref(result);
	arena_release(&arena);
	ground_close(&g);
}

static void check(const char *text, const char *from, const char *to, const char *expected)
{
	check_with(NULL, text, from, to, expected);
}

#define DIAMOND                                   \
	"define i32 @f(i1 %c, i32 %x) {\n"        \
	"entry:\n"                                \
	"  br i1 %c, label %left, label %right\n" \
	"left:\n"                                 \
	"  %a = add i32 %x, 1\n"                  \
	"  br label %join\n"

#define JOIN                                             \
	"join:\n"                                        \
	"  %r = phi i32 [ %a, %left ], [ %b, %right ]\n" \
	"  ret i32 %r\n"                                 \
	"}\n"

static void test_value(void **state)
{
	(void)state;
	check("define i32 @f(i32 %x) {\n  %a = add i32 %x, 1\n  %b = mul i32 %a, %a\n"
	      "  ret i32 %b\n}\ndefine i32 @g(i32 %a) {\n  ret i32 %a\n}\n",
	      "  %a = add i32 %x, 1\n", "",
	      "define i32 @f(i32 %x) {\n  %b = mul i32 undef, undef\n"
	      "  ret i32 %b\n}\ndefine i32 @g(i32 %a) {\n  ret i32 %a\n}\n");
	check("!0 = !{!1}\n!1 = !{}\n!2 = !{i32 1, !1, i32 2}\n", "!1 = !{}\n", "",
	      "!0 = !{null}\n!2 = !{i32 1, null, i32 2}\n");
}

static void test_section(void **state)
{
	(void)state;
	check(DIAMOND "right:\n  %b = sub i32 %x, 1\n  br label %join\n" JOIN,
	      "right:\n  %b = sub i32 %x, 1\n  br label %join\n", "",
	      "define i32 @f(i1 %c, i32 %x) {\nentry:\n  br label %left\nleft:\n"
	      "  %a = add i32 %x, 1\n  br label %join\njoin:\n"
	      "  %r = phi i32 [ %a, %left ]\n  ret i32 %r\n}\n");
	check(DIAMOND "right:\n  %b = sub i32 %x, 1\n  br label %join\n" JOIN,
	      "left:\n  %a = add i32 %x, 1\n  br label %join\n", "",
	      "define i32 @f(i1 %c, i32 %x) {\nentry:\n  br label %right\nright:\n"
	      "  %b = sub i32 %x, 1\n  br label %join\njoin:\n"
	      "  %r = phi i32 [ %b, %right ]\n  ret i32 %r\n}\n");
	check(DIAMOND "right:\n  %b = sub i32 %x, 1\n  br label %join\n" JOIN,
	      "join:\n  %r = phi i32 [ %a, %left ], [ %b, %right ]\n  ret i32 %r\n", "",
	      "define i32 @f(i1 %c, i32 %x) {\nentry:\n"
	      "  br i1 %c, label %left, label %right\nleft:\n  %a = add i32 %x, 1\n"
	      "  unreachable\nright:\n  %b = sub i32 %x, 1\n  unreachable\n}\n");
}

/* A function that goes leaves nothing, and one without its body an end of it. */
static void test_function(void **state)
{
	(void)state;
#define KEPT "define void @g() {\n  ret void\n}\n"
#define GOING                                                 \
	"define i32 @f(i32 %0) {\n  %2 = icmp eq i32 %0, 0\n" \
	"  br i1 %2, label %3, label %4\n3:\n  br label %4\n" \
	"4:\n  %5 = phi i32 [ 1, %1 ], [ 2, %3 ]\n  ret i32 %5\n}\n"
	check(GOING KEPT, GOING, "", KEPT);
	check(KEPT GOING, GOING, "", KEPT);
	check(GOING "define i32 @g() {\n  %r = call i32 @f(i32 1)\n  ret i32 %r\n}\n", GOING, "",
	      "define i32 @g() {\n  %r = call i32 undef(i32 1)\n  ret i32 %r\n}\n");
	check(GOING,
	      "\n  %2 = icmp eq i32 %0, 0\n  br i1 %2, label %3, label %4\n3:\n  br label %4\n"
	      "4:\n  %5 = phi i32 [ 1, %1 ], [ 2, %3 ]\n  ret i32 %5\n",
	      "", "define i32 @f(i32 %0) {unreachable\n}\n");
	check(GOING,
	      "define i32 @f(i32 %0) {\n  %2 = icmp eq i32 %0, 0\n"
	      "  br i1 %2, label %3, label %4\n3:\n  br label %4\n"
	      "4:\n  %5 = phi i32 [ 1, %1 ], [ 2, %3 ]\n  ret i32 %5\n}",
	      "declare i32 @f(i32)", "declare i32 @f(i32)\n");
}

/* What goes by the fields of a type that goes, goes with it; elsewhere a simpler type will do. */
static void test_type(void **state)
{
	(void)state;
	check("%t = type { i32 }\n%u = type { %t, %t* }\ndefine i32 @f(%t* %0) {\n  %2 = alloca "
	      "%t\n"
	      "  %3 = getelementptr inbounds %t, %t* %0, i64 0, i32 0\n  %4 = load i32, i32* %3\n"
	      "  ret i32 %4\n}\n",
	      "%t = type { i32 }\n", "",
	      "%u = type { i8, i8* }\ndefine i32 @f(i8* %0) {\n  %2 = alloca i8\n"
	      "  %3 = load i32, i32* undef\n  ret i32 %3\n}\n");
}

/* An edge that goes takes along what only it led to, and its choices. */
static void test_edge(void **state)
{
	(void)state;
	check(DIAMOND
	      "right:\n  %b = sub i32 %x, 1\n  br label %more\nmore:\n  br label %join\n"
	      "join:\n  %r = phi i32 [ %a, %left ], [ %b, %more ]\n  %q = phi i32 [ %b, %more ]\n"
	      "  ret i32 %q\n}\n",
	      "br i1 %c, label %left, label %right", "br label %left",
	      "define i32 @f(i1 %c, i32 %x) {\nentry:\n  br label %left\nleft:\n"
	      "  %a = add i32 %x, 1\n  br label %join\njoin:\n"
	      "  %r = phi i32 [ %a, %left ]\n  ret i32 undef\n}\n");
}

/* One of two edges between the same sections. */
static void test_double_edge(void **state)
{
	(void)state;
	check("define i32 @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %a\na:\n"
	      "  %p = phi i32 [ 1, %entry ], [ 1, %entry ]\n  ret i32 %p\n}\n",
	      "i1 %c, label %a, ", "",
	      "define i32 @f(i1 %c) {\nentry:\n  br label %a\na:\n"
	      "  %p = phi i32 [ 1, %entry ]\n  ret i32 %p\n}\n");
}

static void test_ends(void **state)
{
	(void)state;
	check("define void @f() {\nentry:\n  call void @g()\n  ret void\n}\n", "  ret void\n", "",
	      "define void @f() {\nentry:\n  call void @g()\nunreachable\n}\n");
	check("define void @f() {\nentry:\n  call void @g()\n  br label %a\na:\n  ret void\n}\n",
	      "entry:\n  call void @g()\n  br label %a\na:\n  ret void\n", "",
	      "define void @f() {\nunreachable\n}\n");
}

/* A cut from within one section into another makes one of them. */
static void test_joined(void **state)
{
	(void)state;
	check("define i32 @f(i1 %c) {\nentry:\n  call void @g()\n  br i1 %c, label %a, label %b\n"
	      "a:\n  call void @h()\n  br label %b\nb:\n"
	      "  %p = phi i32 [ 1, %entry ], [ 2, %a ]\n  ret i32 %p\n}\n",
	      "  br i1 %c, label %a, label %b\na:\n", "",
	      "define i32 @f(i1 %c) {\nentry:\n  call void @g()\n  call void @h()\n"
	      "  br label %b\nb:\n  %p = phi i32 [ 2, %entry ]\n  ret i32 %p\n}\n");
}

static void test_numbers(void **state)
{
	(void)state;
	check("define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  %3 = add i32 %2, 1\n"
	      "  %4 = add i32 %3, %2\n  ret i32 %4\n}\n",
	      "  %3 = add i32 %2, 1\n", "",
	      "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  %3 = add i32 undef, %2\n"
	      "  ret i32 %3\n}\n");
	/* A section without a name has a number. */
	check("define i32 @f(i1 %0) {\n  br i1 %0, label %2, label %3\n2:\n  br label %3\n3:\n"
	      "  %4 = phi i32 [ 1, %2 ], [ 2, %1 ]\n  ret i32 %4\n}\n",
	      "2:\n  br label %3\n", "",
	      "define i32 @f(i1 %0) {\n  br label %2\n2:\n  %3 = phi i32 [ 2, %1 ]\n  ret i32 "
	      "%3\n}\n");
	check("define i32 @f(i1 %0) {\n  br label %2\n2:\n  br label %3\n3:\n"
	      "  %4 = phi i32 [ 1, %2 ]\n  ret i32 %4\n}\n",
	      "  br label %2\n2:\n", "",
	      "define i32 @f(i1 %0) {\n  br label %2\n2:\n"
	      "  %3 = phi i32 [ 1, %1 ]\n  ret i32 %3\n}\n");
	/* Sections without labels have numbers, whatever they begin with. */
	check("define i32 @f(i1 %0) {\n  br i1 %0, label %2, label %3\n  br label %3\n"
	      "  %4 = phi i32 [ 1, %2 ]\n  %5 = phi i32 [ 1, %2 ], [ 2, %1 ]\n"
	      "  %6 = add i32 %4, %5\n  ret i32 %6\n}\n",
	      "  br label %3\n", "",
	      "define i32 @f(i1 %0) {\n  br label %2\n%3 = phi i32 [ 2, %1 ]\n"
	      "  %4 = add i32 undef, %3\n  ret i32 %4\n}\n");
	/* One that gets a name is no number any more. */
	check("define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  %3 = add i32 %0, 1\n"
	      "  ret i32 %3\n}\n",
	      "2 =", "a =",
	      "define i32 @f(i32 %0) {\n  %a = add i32 %0, 1\n  %2 = add i32 %0, 1\n"
	      "  ret i32 %2\n}\n");
}

/* In a language in which nothing stands for what is gone, what mentions it goes. */
static void test_items(void **state)
{
	(void)state;
	static const char language[] =
		"newline \\n\nblank [ ]+\nidentifier %\\w+\nidentifier \\w+\n"
		"bracket { }\nother =\nend-item 1 @newline inside top {\n"
		"name-marks %\ngone-items\n";
	const char *text =
		"%t = type\n%u = ptr %t\nfn {\n%a = new %u\n%b = get %a\nput %b\nend\n}\n";
	check_with(language, text, "%t = type\n", "", "fn {\nend\n}\n");
	check_with(language, text, "%b = get %a\n", "",
	           "%t = type\n%u = ptr %t\nfn {\n%a = new %u\nend\n}\n");
}

/* Texts that are none of the language, at any cut, in time in proportion to their size. */
static void test_hostile(void **state)
{
	(void)state;
	static const char *const pieces[] = { "%1 =", "1:\n", "define @f(%0) {\n", "}\n", "[",
		                              "]",    "phi",  "label %1",          ",",   "\n",
		                              "br",   "a:\n" };
	enum { PIECES = sizeof pieces / sizeof *pieces, LENGTH = 60, ROUNDS = 300 };
	uint32_t seed = 1;
	for (int round = 0; round < ROUNDS / (int)rounds_stride(); round++) {
		struct buf text = { 0 };
		struct arena arena = { 0 };
		struct ground g = { 0 };
		for (int i = 0; i < LENGTH; i++) {
			seed = seed * 1664525 + 1013904223;
			const char *piece = pieces[(seed >> 16) % PIECES];
			buf_add(&text, piece, strlen(piece));
		}
		buf_addch(&text, '\0');
		ground_open(&g, NULL, text.data);
		for (uint32_t at = 0; at + 5 < g.tc->size; at += 3) {
			struct edit e =
				references_edit(g.references, edit_cut(&arena, at, at + 5), &arena);
			testcase_unref(edit_apply(g.tc, e));
		}
		arena_release(&arena);
		buf_release(&text);
		ground_close(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_value),    cmocka_unit_test(test_section),
		cmocka_unit_test(test_function), cmocka_unit_test(test_type),
		cmocka_unit_test(test_edge),     cmocka_unit_test(test_double_edge),
		cmocka_unit_test(test_ends),     cmocka_unit_test(test_joined),
		cmocka_unit_test(test_numbers),  cmocka_unit_test(test_items),
		cmocka_unit_test(test_hostile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
