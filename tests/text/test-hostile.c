/* Inputs that make tokenizers slow or deep: a million open brackets, a megabyte on one line, what
 * never ends. Each is tokenized in two sizes by each tokenizer: the well-formedness is checked on
 * both, and the larger one (16 times) may take 80 times as long as the smaller one, no more: linear
 * is 16, quadratic is 256, and a loaded machine is in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/mem.h"
#include "support.h"

/* Of 24 KB a step of a nanosecond for each pair of bytes takes 0.3 s, four times what is allowed.
 */
enum { SMALL = 3 * 512 };
enum { LARGE = 16 * SMALL, MAX_RATIO = 80, MEASURED_AGAIN = 8 };

/* START once, UNIT as often as fits, FINISH once. */
static const struct {
	const char *start, *unit, *finish;
} shapes[] = {
	{ "", "(", "" },
	{ "", ")", "" },
	{ "", "{", "" },
	{ "", "[", "" },
	{ "", "<", "" },
	{ "", "({[", "" },
	{ "", "({[", "]})" },
	{ "", "(]", "" },
	{ "", "<a>", "" },
	{ "", "<a ", "" },
	{ "", "<a x=\"", "" },
	{ "", "</a>", "" },
	{ "", "x ", "" },
	{ "", "x", "" },
	{ "", " ", "" },
	{ "", "\n", "" },
	{ "", "\r", "" },
	{ "", "\n\t", "" },
	{ "", "a\n\tb\n", "" },
	{ "", "\"", "" },
	{ "\"", "x", "" },
	{ "\"", "\\\"", "" },
	{ "", "\" ", "" },
	{ "", "'", "" },
	{ "", "'a ", "" },
	{ "", "`", "" },
	{ "", "`${", "" },
	{ "", "\\", "" },
	{ "", "/", "" },
	{ "", "/[", "" },
	{ "", "=/[(", "" },
	{ "", "/*", "" },
	{ "/*", "*", "" },
	{ "", "/* */", "" },
	{ "", "*/", "" },
	{ "", "//", "" },
	{ "", "#|", "" },
	{ "", "#", "" },
	{ "", "#define ", "" },
	{ "", "#define x {\n", "" },
	{ "", "<!--", "" },
	{ "", "<![CDATA[", "" },
	{ "", "<!A [", "" },
	{ "", "<?", "" },
	{ "", "R\"a(", "" },
	{ "", "r#\"", "" },
	{ "", "r##", "" },
	{ "", "\"\"\"", "" },
	{ "", "'''\\", "" },
	{ "", "$a$", "" },
	{ "", "$ab", "" },
	{ "", "${", "" },
	{ "", "$((", "" },
	{ "", "<<EOF\n", "" },
	{ "", "<<A <<B ", "\n" },
	{ "", "x<y,", "" },
	{ "", "x<y<", "" },
	{ "", "template<", "" },
	{ "", "if ", "" },
	{ "", "if(", "" },
	{ "", "if (&", "" },
	{ "", "if x then\n", "" },
	{ "", "do\n", "" },
	{ "", "begin ", "" },
	{ "", "procedure x is\n", "" },
	{ "", "case x in a) ", "" },
	{ "", "end ", "" },
	{ "", "end\n", "" },
	{ "", "fi;", "" },
	{ "", "p cnf 1 1\n", "" },
	{ "", "1 ", "" },
	{ "", "1.", "" },
	{ "", "-", "" },
	{ "", ",", "" },
	{ "", ";", "" },
	{ "", ",;", "" },
	{ "", "&", "" },
	{ "", "&\n", "" },
	{ "", "# comment\n", "" },
	{ "", "x:\n\t# c\n", "" },
	{ "", "\xff", "" },
	{ "", "y<", "" },
	{ "", "s{", "" },
	{ "", "q(", "" },
	{ "", "%w(", "" },
	{ "", "~s(#{", "" },
	{ "", "\"#{", "" },
	{ "", "\"\\(", "" },
	{ "", "\"$(", "" },
	{ "", "(*", "" },
	{ "", "{-", "" },
	{ "", "#=", "" },
	{ "", "[[", "" },
	{ "", "[=[", "" },
	{ "", "<<<A\n", "" },
	{ "", "=begin\n", "" },
	{ "", "=x <a>", "" },
	{ "", "=<a ", "" },
	{ "", "def f\n", "" },
	{ "", "while x ", "" },
	{ "", "$x<", "" },
	{ "", "fun ", "" },
	{ "", ": class(", "" },
	{ "", "\\[", "" },
	{ "", "\\*[", "" },
	{ "", "${", "" },
	{ "", "$(", "" },
	{ "", "@{", "" },
	{ "", "<<", "" },
	{ "", "\\x(", "" },
};

static struct testcase *make(size_t shape, size_t size)
{
	struct buf text = { 0 };
	size_t unit = strlen(shapes[shape].unit);
	buf_add(&text, shapes[shape].start, strlen(shapes[shape].start));
	size_t n = size / (strlen(shapes[shape].finish) ? 2 * unit : unit);
	for (size_t i = 0; i < n; i++)
		buf_add(&text, shapes[shape].unit, unit);
	for (size_t i = 0; *shapes[shape].finish && i < n; i++)
		buf_add(&text, shapes[shape].finish, strlen(shapes[shape].finish));
	struct testcase *tc = support_testcase(text.data, text.len);
	buf_release(&text);
	return tc;
}

/* Processor seconds, at least a millisecond, so that noise does not make a ratio. */
static double seconds(const struct tokenizer *tok, const struct testcase *tc)
{
	struct timespec a, b;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	support_check(tok, tc);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	double s = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
	return s < 0.001 ? 0.001 : s;
}

static void test_linear(void **state)
{
	const char *name = *state;
	struct tokenizer *tok = support_tokenizer(name);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		struct testcase *small = make(i, SMALL), *large = make(i, LARGE);
		double before = seconds(tok, small), after = seconds(tok, large);
		/* On a busy machine one measurement may be far off; growth that is real stays in
		 * all of them. */
		for (int more = 0; more < MEASURED_AGAIN && after > MAX_RATIO * before; more++) {
			double again = seconds(tok, large);
			after = again < after ? again : after;
		}
		if (after > MAX_RATIO * before)
			fail_msg("%s on \"%s%s...%s\": %d times the size takes %.0f times as long",
			         name, shapes[i].start, shapes[i].unit, shapes[i].finish,
			         LARGE / SMALL, after / before);
		testcase_unref(small);
		testcase_unref(large);
	}
	tokenizer_free(tok);
}

/* A million nested brackets that match: as deep as it says. */
static void test_deep(void **state)
{
	(void)state;
	enum { DEPTH = 1000000 };
	char *text = mem_alloc(2 * DEPTH);
	memset(text, '(', DEPTH);
	memset(text + DEPTH, ')', DEPTH);
	struct tokenizer *tok = support_tokenizer("c");
	struct testcase *tc = support_testcase(text, 2 * DEPTH);
	struct tokens tokens;
	struct tree tree;
	struct err err;
	assert_int_equal(lexer_run(tok, tc, &tokens, &err), 0);
	tree_build(tok, tc, &tokens, &tree);
	support_check_shape(tc, &tokens, &tree);
	uint32_t depth = 0;
	for (uint32_t node = tree.n - 1; node != TREE_NONE && node; node = tree_parent(&tree, node))
		depth += tree.nodes[node].kind == TREE_GROUP;
	assert_int_equal(depth, DEPTH);
	assert_int_equal(tree.n, 2 * DEPTH + 1);
	tree_release(&tree);
	tokens_release(&tokens);
	testcase_unref(tc);
	tokenizer_free(tok);
	free(text);
}

static void test_empty(void **state)
{
	(void)state;
	for (size_t i = 0; support_tokenizers[i]; i++) {
		struct tokenizer *tok = support_tokenizer(support_tokenizers[i]);
		struct testcase *tc = support_testcase("", 0);
		support_check(tok, tc);
		testcase_unref(tc);
		tokenizer_free(tok);
	}
}

int main(void)
{
	struct CMUnitTest tests[256] = { cmocka_unit_test(test_deep),
		                         cmocka_unit_test(test_empty) };
	size_t n = 2;
	for (; support_tokenizers[n - 2]; n++)
		tests[n] =
			(struct CMUnitTest){ .name = support_tokenizers[n - 2],
			                     .test_func = test_linear,
			                     .initial_state =
			                             (void *)(uintptr_t)support_tokenizers[n - 2] };
	return _cmocka_run_group_tests("text: hostile", tests, n, NULL, NULL);
}
