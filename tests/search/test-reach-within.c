/* What lies within declarations: a module that is a function, entries of tables, bodies of
 * languages that do not know declarations without them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cxx/reach_prune.h"
#include "support.h"

enum { UNREACHED = 60 };

static bool has(const struct testcase *tc, const char *text)
{
	return memmem(tc->bytes, tc->size, text, strlen(text)) != NULL;
}

/* A library and who uses it: the texts of NEEDED are there (NULL at the end), and no name is
 * mentioned that is not declared. */
static bool is_whole(const struct testcase *candidate, const void *arg)
{
	const char *const *needed = arg;
	for (; *needed; needed++)
		if (!has(candidate, *needed))
			return false;
	for (int i = 0; i < UNREACHED; i++) {
		char declared[32], entry[32], call[32], set[32];
		snprintf(declared, sizeof declared, "function u%d(", i);
		snprintf(entry, sizeof entry, "u%d: u%d", i, i);
		snprintf(call, sizeof call, "+ u%d(", i);
		snprintf(set, sizeof set, "= u%d;", i);
		if ((has(candidate, entry) || has(candidate, call) || has(candidate, set)) &&
		    !has(candidate, declared))
			return false;
	}
	return true;
}

/* What is left; the caller's. */
static char *pruned(const char *language, char *text, const char *const *needed)
{
	struct view *view = support_view(language, text);
	struct predicate p = { is_whole, needed };
	assert_true(is_whole(view->tc, needed));
	struct trace trace = support_run(reach_prune_new(view, PRUNE_FRONT), view->tc, &p);
	char *left = mem_printf("%.*s", (int)trace.result->size, (const char *)trace.result->bytes);
	struct rng rng = { 3 };
	struct trace again = support_run_scrambled(reach_prune_new(view, PRUNE_FRONT), view->tc, &p,
	                                           3, true, &rng);
	assert_true(trace_equal(&trace, &again));
	trace_release(&again);
	trace_release(&trace);
	view_unref(view);
	free(text);
	return left;
}

/* Each function is mentioned by a table, most by one that stands in front of it, and a member is no
 * declaration of its name. */
static void test_module(void **state)
{
	(void)state;
	static const char *const needed[] = { "function kept(a) { return helper(a) + 1; }",
		                              "function helper(b) { return b; }",
		                              "kept: kept",
		                              "return all;",
		                              "console.log(lib.kept(1))",
		                              NULL };
	struct buf b = { 0 };
	buf_addf(&b, "(function (root, make) { root.lib = make(); }(this, function () {\n");
	for (int i = 0; i < UNREACHED; i++)
		buf_addf(&b, "function u%d(a) { return 'some text %d' + u%d(a); }\n", i, i,
		         i + 1 < UNREACHED ? i + 1 : 0);
	buf_addf(&b, "function kept(a) { return helper(a) + 1; }\n"
	             "function helper(b) { return b; }\n"
	             "var all = {\n");
	for (int i = 0; i < UNREACHED; i++)
		buf_addf(&b, "u%d: u%d,\n", i, i);
	buf_addf(&b, "kept: kept\n};\n");
	for (int i = 0; i < UNREACHED; i++)
		buf_addf(&b, "all.u%d = u%d;\n", i, i);
	buf_addf(&b, "return all;\n}));\nconsole.log(lib.kept(1));\n");
	char *left = pruned("javascript", b.data, needed);
	assert_string_equal(left,
	                    "(function (root, make) { root.lib = make(); }(this, function () {\n"
	                    "function kept(a) { return helper(a) + 1; }\n"
	                    "function helper(b) { return b; }\n"
	                    "var all = {\nkept: kept\n};\nreturn all;\n}));\n"
	                    "console.log(lib.kept(1));\n");
	free(left);
}

/* A body becomes what the language takes for one. */
static void test_bodies(void **state)
{
	(void)state;
	static const struct {
		const char *language, *head, *body;
	} rows[] = { { "javascript", "function needed(a)", "{}" },
		     { "rust", "fn needed(a: u8) -> u8", "{loop{}}" },
		     { "java", "static int needed(int a)", "{throw null;}" },
		     { "typescript", "function needed(a: number): string", "{throw 0}" },
		     { "c", "int needed(int a)", ";" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf b = { 0 };
		const char *needed[] = { rows[i].head, "last()", NULL };
		buf_addf(&b, "%s { return some_text_that_is_long(a) + another_text(a); }\n",
		         rows[i].head);
		for (int k = 0; k < 4 * UNREACHED; k++)
			buf_addf(&b, "int unused%d(int a, int b);\n", k);
		buf_addf(&b, "int last() { return 0; }\n");
		char *left = pruned(rows[i].language, b.data, needed);
		char *expected = mem_printf("%s %s\n", rows[i].head, rows[i].body);
		if (strncmp(left, expected, strlen(expected)) != 0)
			fail_msg("%s: %.100s instead of %s", rows[i].language, left, expected);
		free(expected);
		free(left);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_module),
		                            cmocka_unit_test(test_bodies) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
