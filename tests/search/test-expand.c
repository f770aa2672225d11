/* Expanding functions: what a call becomes, whatever else their names stand for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "edits/strategies.h"
#include "support.h"

/* Whether one of the edits of TEXT gives WANTED. */
static bool leads_to(const char *tokenizer, const char *text, const char *wanted)
{
	struct view *view = support_view(tokenizer, text);
	struct edit_sites *p =
		edit_sites_new(&strategy_expand, view, 0, &(struct strategy_options){ 0 });
	bool found = false;
	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t j = 0; j < strategy_expand.ends(p, i); j++) {
			struct arena arena = { 0 };
			struct edit edit;
			if (strategy_expand.edit(p, i, j, &arena, &edit)) {
				struct testcase *now = edit_apply(view->tc, edit);
				found |= !strcmp((char *)now->bytes, wanted);
				testcase_unref(now);
			}
			arena_release(&arena);
		}
	edit_sites_unref(p);
	view_unref(view);
	return found;
}

static void parameters_become_arguments(void **state)
{
	(void)state;
	assert_true(leads_to("c", "int twice(int b){return b+b;}main(){return twice(7)+twice(x);}",
	                     "main(){return (7+7)+(x+x);}"));
	assert_true(leads_to("c", "void say(int a,int b){puts(a);put(b,a);}main(){say(1,f(2));}",
	                     "main(){{puts(1);put(f(2),1);};}"));
	assert_true(leads_to("rust", "fn g(a:T){h(a)}fn main(){g(5)}", "fn main(){{h(5)}}"));
}

/* Fewer arguments than parameters, and none. */
static void what_has_no_argument_stays(void **state)
{
	(void)state;
	assert_true(leads_to("c", "int f(a,b){return a+b;}main(){return f(1);}",
	                     "main(){return (1+b);}"));
	assert_true(leads_to("c", "int f(){return a;}main(){return f(1);}", "main(){return (a);}"));
}

/* What a name is assigned to takes its place. */
static void targets_of_assignments(void **state)
{
	(void)state;
	assert_true(leads_to("c", "f(){int b;get(&b);*a()=b;}", "f(){int *a();get(&*a());}"));
	assert_true(
		leads_to("c", "b(){}f(){int b;get(&b);*a()=b;}", "b(){}f(){int *a();get(&*a());}"));
	assert_false(leads_to("c", "f(){int b;get(&b);*a()=b+1;}", "f(){int *a();get(&*a());}"));
}

/* A definition in brackets, a binding among others. */
static void ends_of_lists(void **state)
{
	(void)state;
	assert_true(leads_to("lisp", "(define-fun f () Int (+ a 1))\n(assert (> f 2))\n",
	                     "\n(assert (> (+ a 1) 2))\n"));
	assert_true(leads_to("lisp", "(let ((b 1) (x (g 7))) (h x))", "(let ((b 1) ) (h (g 7)))"));
	assert_true(leads_to("lisp", "(setq x 5)\n(h x)\n", "\n(h 5)\n"));
}

/* A parameter with its value. */
static void values_in_lists(void **state)
{
	(void)state;
	assert_true(leads_to("verilog", "module m#(parameter W=4)(input[W-1:0]a);\nendmodule\n",
	                     "module m#()(input[4-1:0]a);\nendmodule\n"));
	assert_true(leads_to("c", "enum{A,B=7,C};f(){return B;}", "enum{A,C};f(){return 7;}"));
}

static void only_calls_are_replaced(void **state)
{
	(void)state;
	assert_true(leads_to("javascript", "function a(b){return b}function b(c){log(c)}b(a(1))",
	                     "function a(b){return b}{log(a(1))}"));
	assert_false(leads_to("c", "int f(int n){return f(n);}main(){return f(1);}",
	                      "main(){return (f(1));}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_become_arguments),
		cmocka_unit_test(what_has_no_argument_stays),
		cmocka_unit_test(targets_of_assignments),
		cmocka_unit_test(ends_of_lists),
		cmocka_unit_test(values_in_lists),
		cmocka_unit_test(only_calls_are_replaced),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
