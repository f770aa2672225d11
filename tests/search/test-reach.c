/* What declarations reach: small sources, what must stay of them, and what the search leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "cxx/reach_prune.h"
#include "cxx/reach_search.h"
#include "support.h"

/* Enough that what is in question does not stand in the last quarter. */
#define FILL4(x) \
	"int " x "_1(int a, int b);\nint " x "_2(int);\nint " x "_3(int);\nint " x "_4(int);\n"
#define FILL16(x) FILL4(x "_a") FILL4(x "_b") FILL4(x "_c") FILL4(x "_d")
#define FILLER FILL16("unused_1") FILL16("unused_2") FILL16("unused_3")

/* Does the candidate hold each of the texts that stand between bars? */
static bool holds_all(const struct testcase *candidate, const void *arg)
{
	const char *at = arg;
	while (*at) {
		size_t len = strcspn(at, "|");
		if (!memmem(candidate->bytes, candidate->size, at, len))
			return false;
		at += len + (at[len] == '|');
	}
	return true;
}

/* Without white space. */
static char *packed(const uint8_t *bytes, size_t size)
{
	char *out = mem_alloc(size + 1);
	size_t n = 0;
	for (size_t i = 0; i < size; i++)
		if (!memchr(" \t\n", bytes[i], 3))
			out[n++] = (char)bytes[i];
	out[n] = '\0';
	return out;
}

static char *with_end(const char *text, const char *end)
{
	return mem_printf("%s" FILL16("unused_4") "int last() {\n%s\n}\n", text, end);
}

static void check(const char *text, const char *end, const char *needed, const char *expected)
{
	char *whole = with_end(text, end);
	struct view *view = support_view("c", whole);
	struct predicate p = { holds_all, needed };
	struct trace trace = support_run(reach_search_new(view, REACH_FULLY), view->tc, &p);
	char *left = packed(trace.result->bytes, trace.result->size);
	assert_string_equal(left, expected);
	free(left);
	struct rng rng = { 7 };
	struct trace again = support_run_scrambled(reach_search_new(view, REACH_FULLY), view->tc,
	                                           &p, 3, true, &rng);
	assert_true(trace_equal(&trace, &again));
	trace_release(&again);
	trace_release(&trace);
	view_unref(view);
	free(whole);
}

static void test_unmentioned_goes(void **state)
{
	(void)state;
	check(FILLER "struct t { int a; };\ntypedef struct t u;\nstruct v { int b; };\n", "u x;",
	      "u x;|typedef struct t u;|struct t {",
	      "structt{inta;};typedefstructtu;intlast(){ux;}");
}

static void test_bodies_become_declarations(void **state)
{
	(void)state;
	check(FILLER "int g(int a) {\n return a + 1;\n}\nint f(int a) {\n return g(a);\n}\n",
	      "f(1);", "f(1);|int f(int a)", "intf(inta);intlast(){f(1);}");
}

/* But for those that are asked for more than that they are there. */
static void test_values_keep_bodies(void **state)
{
	(void)state;
	check(FILLER "constexpr int f(int a) {\n return a;\n}\n", "int a[f(1)];",
	      "f(1)|constexpr int f", "constexprintf(inta){returna;}intlast(){inta[f(1)];}");
}

/* An assignment and a friend need only be declared. */
static void test_assignments_and_friends_become_declarations(void **state)
{
	(void)state;
	check(FILLER "class t {\nt &operator=(int a) {\n return *this;\n}\n"
	             "friend bool operator<(t a, t b) {\n return true;\n}\n};\n",
	      "t x;\nx = 1 < x;", "x = 1 < x;|operator=(int a)|operator<(t a, t b)",
	      "classt{t&operator=(inta);friendbooloperator<(ta,tb);};intlast(){tx;x=1<x;}");
}

/* But for a friend that is constrained; and what is required in braces is no body. */
static void test_constraints_are_no_bodies(void **state)
{
	(void)state;
	check(FILLER "class t {\nfriend int f(t a) requires true {\n return 1;\n}\n};\n"
	             "template <class T> int g(T a) requires requires { a + 1; };\n",
	      "t x;\nf(x) + g(x);", "f(x) + g(x)|friend int f|int g(",
	      "classt{friendintf(ta)requirestrue{return1;}};"
	      "template<classT>intg(Ta)requiresrequires{a+1;};intlast(){tx;f(x)+g(x);}");
}

static void test_assertions_are_no_functions(void **state)
{
	(void)state;
	check(FILLER "class t {\nint a;\nstatic_assert(sizeof(int) > 1);\n};\n",
	      "t x;\nstatic_assert(1);", "t x;|class t|static_assert(1)",
	      "classt{inta;};intlast(){tx;static_assert(1);}");
}

static void test_members_go_one_by_one(void **state)
{
	(void)state;
	check(FILLER "class t : public s {\npublic:\n int used();\n int other();\n t();\n};\n"
	             "class s { };\n",
	      "t x;\nx.used();", "x.used();|int used();|class t",
	      "classt:publics{public:intused();t();};classs{};intlast(){tx;x.used();}");
}

/* What nothing mentions and is needed all the same is found. */
static void test_what_is_missing_is_found(void **state)
{
	(void)state;
	check(FILLER "int hidden_a;\nint hidden_b;\nint hidden_c;\nint hidden_d;\n", "return 0;",
	      "hidden_b|return 0;", "inthidden_b;intlast(){return0;}");
}

static void test_markers_stay_with_what_follows(void **state)
{
	(void)state;
	check("# 1 \"a.h\"\n" FILLER "# 1 \"b.h\"\nint f(\n# 2 \"b.h\"\nint a);\n# 1 \"c.c\"\n",
	      "f(1);", "f(1)|int f(", "#1\"b.h\"intf(#2\"b.h\"inta);#1\"c.c\"intlast(){f(1);}");
}

/* A marker that comes back to a file keeps the one that left it. */
static void test_markers_are_paired(void **state)
{
	(void)state;
	check("# 1 \"a.h\" 1\n" FILLER "# 1 \"b.h\" 1\n" FILLER "# 3 \"a.h\" 2\nint f(int a);\n"
	      "# 2 \"c.c\" 2\n",
	      "f(1);", "f(1)|int f(",
	      "#1\"a.h\"1#1\"b.h\"1#3\"a.h\"2intf(inta);#2\"c.c\"2intlast(){f(1);}");
}

static void test_names_are_looked_for_where_they_belong(void **state)
{
	(void)state;
	check(FILLER "namespace a {\nint x;\nint y;\n}\nnamespace b {\nint x;\nint y;\n}\n"
	             "namespace a {\ninline int *f() {\n return &y;\n}\nint *g = &y;\n}\n",
	      "a::g;", "a::g|int *g|int y",
	      "namespacea{inty;}namespacea{int*g=&y;}intlast(){a::g;}");
}

/* Of what stands at the end only what is needed stays, statement by statement. */
static void test_the_end_itself(void **state)
{
	(void)state;
	check(FILLER "int f(int a, int b, int c);\nint g(int a, int b, int c);\n",
	      "int v = 1;\nint w = 2;\ng(1, 2, 3);\nf(w, 2, 3);\ng(v, 2, 3);",
	      "f(w, 2, 3);|int w|int f", "intf(inta,intb,intc);intlast(){intw=2;f(w,2,3);}");
}

/* What a language means by a word is needed where the word stands. */
static void test_words_imply_names(void **state)
{
	(void)state;
	check(FILLER "namespace std {\nclass type_info {\n};\n}\n", "typeid(1);",
	      "typeid(1);|class type_info", "namespacestd{classtype_info{};}intlast(){typeid(1);}");
}

enum manner { END, TRIM, PRUNE, DEFINITIONS };

static struct search *search_in(struct view *view, enum manner manner)
{
	switch (manner) {
	case END:
		return reach_end_new(view);
	case TRIM:
		return reach_prune_new(view, PRUNE_END);
	case PRUNE:
		return reach_prune_new(view, PRUNE_FRONT);
	case DEFINITIONS:
		break;
	}
	return reach_search_new(view, REACH_DEFINITIONS);
}

/* What is left of TEXT. */
static void check_left(const char *text, enum manner manner, const char *needed,
                       const char *expected)
{
	struct view *view = support_view("c", text);
	struct predicate p = { holds_all, needed };
	struct trace trace = support_run(search_in(view, manner), view->tc, &p);
	char *left = packed(trace.result->bytes, trace.result->size);
	assert_string_equal(left, expected);
	free(left);
	struct rng rng = { 7 };
	struct trace again =
		support_run_scrambled(search_in(view, manner), view->tc, &p, 3, true, &rng);
	assert_true(trace_equal(&trace, &again));
	trace_release(&again);
	trace_release(&trace);
	view_unref(view);
}

/* What is declared in front of it is not what the front mentions. */
static void test_trim_leaves_the_front(void **state)
{
	(void)state;
	check_left("namespace lib {\nint value(int a, int b, int c);\nint f(void) { value(1, 2, "
	           "3); }\n"
	           "}\nstruct node { int value, left, right; };\nint last(void) { lib::f(); }\n",
	           TRIM, "value(1|lib::f()",
	           "namespacelib{intvalue(inta,intb,intc);intf(void){value(1,2,3);}}"
	           "intlast(void){lib::f();}");
}

static void test_trim_takes_statements(void **state)
{
	(void)state;
	check_left("struct big { int x; };\nint f(struct big b);\nint g(int a);\n"
	           "int h(void) {\n struct big b;\n f(b);\n g(1);\n}\n",
	           TRIM, "g(1)|int g(", "intg(inta);inth(void){g(1);}");
}

/* Those of blocks and lambdas, too. */
static void test_trim_looks_into_blocks(void **state)
{
	(void)state;
	check_left("struct big { int x; };\nint f(struct big b);\nint g(int a);\n"
	           "int h(int n) {\n struct big b;\n if (n) {\n f(b);\n go([]() { f(b); g(1); "
	           "});\n }\n}\n",
	           TRIM, "g(1)|int g(", "intg(inta);inth(intn){if(n){go([](){g(1);});}}");
}

#define PRUNED(front, end) FILLER "namespace lib {\n" front "}\nint last() {\n" end "\n}\n"

/* A member goes with the statements that use it, not with another type's of its name. */
static void test_prune_knows_members(void **state)
{
	(void)state;
	check_left(PRUNED("struct a {\nint x;\nint f();\n};\nstruct b {\nint x;\nint g() { "
	                  "return x; }\n};\n",
	                  "lib::b v;"),
	           PRUNE, "int g() { return x|lib::b v",
	           "namespacelib{structb{intx;intg(){returnx;}};}intlast(){lib::bv;}");
}

/* What specializes a template, instantiates it or defines its members goes with it. */
static void test_prune_takes_what_completes_a_template(void **state)
{
	(void)state;
	check_left(PRUNED("template <class T> struct t;\ntemplate <class T> struct t {\nint f();\n"
	                  "static int n;\n};\ntemplate <> struct t<int> { };\n"
	                  "template <class T> int t<T>::f() { return 1; }\n"
	                  "template <class T> int t<T>::n;\nextern template struct t<char>;\n"
	                  "int kept;\n",
	                  "lib::kept;"),
	           PRUNE, "int kept;|lib::kept", "namespacelib{intkept;}intlast(){lib::kept;}");
}

/* What another namespace declares is another thing, but for who is in it. */
static void test_prune_knows_namespaces(void **state)
{
	(void)state;
	check_left(PRUNED("struct big { int x; };\nnamespace deep {\nstruct big { int y; };\n"
	                  "big used;\n}\nbig other;\nint kept;\n",
	                  "lib::kept;"),
	           PRUNE, "int kept;|lib::kept|big used;|struct big { int y; }",
	           "namespacelib{namespacedeep{structbig{inty;};bigused;}intkept;}"
	           "intlast(){lib::kept;}");
}

/* Behind the part that says inline the others need not. */
static void test_prune_keeps_what_says_inline(void **state)
{
	(void)state;
	check_left(PRUNED("inline namespace v1 {\nint gone;\n}\nnamespace v1 {\nint used;\n}\n"
	                  "int kept;\n",
	                  "lib::kept;"),
	           PRUNE, "int kept;|lib::kept|inline namespace v1 {|int used",
	           "namespacelib{inlinenamespacev1{}namespacev1{intused;}intkept;}"
	           "intlast(){lib::kept;}");
	check_left(PRUNED("inline namespace v1 {\nint gone;\n}\nnamespace v1 {\nint used;\n}\n"
	                  "int kept;\n",
	                  "lib::kept;"),
	           PRUNE, "int kept;|lib::kept", "namespacelib{intkept;}intlast(){lib::kept;}");
}

/* `friend name;` declares nothing. */
static void test_prune_takes_friends(void **state)
{
	(void)state;
	check_left(PRUNED("struct gone { };\nstruct t {\nfriend gone;\nint x;\n};\n",
	                  "lib::t v;\nv.x;"),
	           PRUNE, "struct t {|int x|v.x",
	           "namespacelib{structt{intx;};}intlast(){lib::tv;v.x;}");
}

/* An instance of a function declares nothing: the template does. */
static void test_prune_knows_instances_of_functions(void **state)
{
	(void)state;
	check_left(PRUNED("template <class T> int f(T a);\nextern template int f(int a);\n"
	                  "extern template int f(char a);\nint kept;\n",
	                  "lib::kept;"),
	           PRUNE, "int kept;|lib::kept", "namespacelib{intkept;}intlast(){lib::kept;}");
}

/* `using ::f` needs f. */
static void test_prune_knows_what_is_borrowed(void **state)
{
	(void)state;
	check_left(
		"int f(int a);\nint g(int a);\n" PRUNED("using ::f;\nusing ::g;\n", "lib::f(1);"),
		PRUNE, "using ::f;|lib::f(1)|int f(",
		"intf(inta);namespacelib{using::f;}intlast(){lib::f(1);}");
}

#define TABLE "{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24}"

/* Of bodies those stay that are needed, of declarations all. */
static void test_definitions(void **state)
{
	(void)state;
	check_left("namespace lib {\nint a(int n) {\nreturn 1;\n}\nint b(int n) {\nreturn 2;\n}\n"
	           "int c(int n) {\n"
	           "return 3;\n}\n}\nint t[] = " TABLE ";\nint u[] = " TABLE
	           ";\nint last() {\nb(1);\n}\n",
	           DEFINITIONS, "return 2;|b(1)|int a(int n)|int c(int n)|int t|int u",
	           "namespacelib{inta(intn);intb(intn){return2;}intc(intn);}intt[]=" TABLE
	           ";intu[]=" TABLE ";intlast(){b(1);}");
}

/* Members need one another. */
static bool has_whole_classes(const struct testcase *candidate, const void *arg)
{
	(void)arg;
	return holds_all(candidate, "int a") &&
	       holds_all(candidate, "class t") == holds_all(candidate, "int c");
}

/* All behind what matters goes, in whatever it stands but a class. Where the tail matters it costs
 * a question. */
static void test_the_end_that_matters(void **state)
{
	(void)state;
	check_left("namespace lib {\nint a;\nclass t {\nint b;\nint c;\n};\n" FILLER "}\n" FILLER
	           "int last() {\n}\n",
	           END, "int b", "namespacelib{inta;classt{intb;intc;};}");
	struct view *view = support_view("c", "int a;\n" FILLER "int last() {\n}\n");
	struct predicate p = { holds_all, "int last" };
	struct trace trace = support_run(reach_end_new(view), view->tc, &p);
	assert_int_equal(trace.questions, 1);
	assert_int_equal(trace.n_accepted, 0);
	trace_release(&trace);
	view_unref(view);
}

static void test_no_end_is_in_a_class(void **state)
{
	(void)state;
	struct view *view = support_view("c", "namespace lib {\nint a;\nclass t {\nint b;\n" FILLER
	                                      "int c;\n};\nint d;\n}\nint last() {\n}\n");
	struct predicate p = { has_whole_classes, NULL };
	struct trace trace = support_run(reach_end_new(view), view->tc, &p);
	char *left = packed(trace.result->bytes, trace.result->size);
	assert_string_equal(left, "namespacelib{inta;}");
	free(left);
	trace_release(&trace);
	view_unref(view);
}

/* What a cut leaves may declare nothing at all. */
static void test_nothing_is_declared(void **state)
{
	(void)state;
	static const char *const texts[] = { "", "(1, 2, 3)\n", "{\n\tint a;\n\tf(a);\n",
		                             "}\n}\n" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		for (enum manner manner = END; manner <= DEFINITIONS; manner++) {
			struct view *view = support_view("c", texts[i]);
			struct predicate p = { holds_all, texts[i] };
			struct trace trace = support_run(search_in(view, manner), view->tc, &p);
			assert_int_equal(trace.n_accepted, 0);
			trace_release(&trace);
			view_unref(view);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_declared),
		cmocka_unit_test(test_unmentioned_goes),
		cmocka_unit_test(test_bodies_become_declarations),
		cmocka_unit_test(test_values_keep_bodies),
		cmocka_unit_test(test_assignments_and_friends_become_declarations),
		cmocka_unit_test(test_constraints_are_no_bodies),
		cmocka_unit_test(test_assertions_are_no_functions),
		cmocka_unit_test(test_members_go_one_by_one),
		cmocka_unit_test(test_what_is_missing_is_found),
		cmocka_unit_test(test_markers_stay_with_what_follows),
		cmocka_unit_test(test_markers_are_paired),
		cmocka_unit_test(test_names_are_looked_for_where_they_belong),
		cmocka_unit_test(test_the_end_itself),
		cmocka_unit_test(test_words_imply_names),
		cmocka_unit_test(test_trim_leaves_the_front),
		cmocka_unit_test(test_trim_takes_statements),
		cmocka_unit_test(test_trim_looks_into_blocks),
		cmocka_unit_test(test_prune_knows_members),
		cmocka_unit_test(test_prune_takes_what_completes_a_template),
		cmocka_unit_test(test_prune_knows_instances_of_functions),
		cmocka_unit_test(test_prune_knows_namespaces),
		cmocka_unit_test(test_prune_keeps_what_says_inline),
		cmocka_unit_test(test_prune_takes_friends),
		cmocka_unit_test(test_prune_knows_what_is_borrowed),
		cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_the_end_that_matters),
		cmocka_unit_test(test_no_end_is_in_a_class),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
