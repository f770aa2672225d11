/* Items of lists go with their separators: JSON stays JSON, and is reduced to the way to what is
 * needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "edits/strategies.h"
#include "support.h"

/* JSON, as strict as the standard but for numbers and escapes. */
static const char *skip_value(const char *s, int depth);

static const char *skip_blank(const char *s)
{
	return s + strspn(s, " \n\t\r");
}

static const char *skip_string(const char *s)
{
	if (!s || *s != '"')
		return NULL;
	const char *end = strchr(s + 1, '"');
	return end ? end + 1 : NULL;
}

static const char *skip_member(const char *s, bool named, int depth)
{
	if (named) {
		s = skip_string(s);
		s = s ? skip_blank(s) : NULL;
		if (!s || *s != ':')
			return NULL;
		s = skip_blank(s + 1);
	}
	return skip_value(s, depth);
}

static const char *skip_list(const char *s, char close, int depth)
{
	s = skip_blank(s + 1);
	if (*s == close)
		return s + 1;
	for (;;) {
		s = skip_member(s, close == '}', depth + 1);
		s = s ? skip_blank(s) : NULL;
		if (!s || (*s != ',' && *s != close))
			return NULL;
		if (*s == close)
			return s + 1;
		s = skip_blank(s + 1);
	}
}

static const char *skip_value(const char *s, int depth)
{
	static const char *const words[] = { "true", "false", "null" };
	if (depth > 100)
		return NULL;
	if (*s == '{' || *s == '[')
		return skip_list(s, *s == '{' ? '}' : ']', depth);
	if (*s == '"')
		return skip_string(s);
	for (size_t i = 0; i < 3; i++)
		if (!strncmp(s, words[i], strlen(words[i])))
			return s + strlen(words[i]);
	size_t digits = strspn(s, "-0123456789");
	return digits ? s + digits : NULL;
}

static bool is_json(const char *text)
{
	const char *end = skip_value(skip_blank(text), 0);
	return end && !*skip_blank(end);
}

struct json_check {
	uint32_t *asked, *broken;
};

static bool holds_needle(const struct testcase *tc, const void *arg)
{
	const struct json_check *check = arg;
	++*check->asked;
	if (!is_json((const char *)tc->bytes)) {
		*check->broken += *skip_blank((const char *)tc->bytes) != 0;
		return false;
	}
	return strstr((const char *)tc->bytes, "\"needle\"");
}

static void add_blank(struct rng *rng, struct buf *out)
{
	static const char *const blanks[] = { "", " ", "\n", "\n  " };
	const char *blank = blanks[rng_below(rng, 4)];
	buf_add(out, blank, strlen(blank));
}

/* A random value; with NEEDLE it holds the string "needle" somewhere. */
static void add_json(struct rng *rng, struct buf *out, int depth, bool needle)
{
	uint64_t what = depth ? rng_below(rng, 6) : 0, n = 1 + rng_below(rng, 6),
		 at = rng_below(rng, n);
	if (depth == 0 || what > 3) {
		static const char *const atoms[] = {
			"1", "-20", "true", "null", "\"a, b\"", "\"]\""
		};
		const char *atom = needle ? "\"needle\"" : atoms[rng_below(rng, 6)];
		buf_add(out, atom, strlen(atom));
		return;
	}
	bool named = what % 2;
	buf_addch(out, named ? '{' : '[');
	for (uint64_t i = 0; i < n; i++) {
		add_blank(rng, out);
		if (named)
			buf_addf(out, "\"k%d\":", (int)rng_below(rng, 100));
		add_json(rng, out, depth - 1, needle && i == at);
		add_blank(rng, out);
		if (i + 1 < n)
			buf_addch(out, ',');
	}
	add_blank(rng, out);
	buf_addch(out, named ? '}' : ']');
}

/* Level by level, each as often as it gives something. */
static struct view *reduce_items(struct view *view, const struct predicate *p)
{
	for (uint32_t level = 0; level < strategy_items.levels(view);) {
		struct hunt_options options = { .order = HUNT_BLOCKS };
		struct search *s = support_hunt(&strategy_items, view, level, &options);
		struct trace t = support_run(s, view->tc, p);
		view_unref(view);
		view = support_view("json", (const char *)t.result->bytes);
		level += !t.n_accepted;
		trace_release(&t);
	}
	return view;
}

static void test_items_go_with_their_separators(void **state)
{
	(void)state;
	struct rng rng = { 8 };
	uint32_t asked = 0, broken = 0;
	struct json_check check = { &asked, &broken };
	struct predicate p = { holds_needle, &check };
	for (int round = 0; round < 200; round++) {
		struct buf text = { 0 };
		buf_addch(&text, '[');
		add_json(&rng, &text, 4, true);
		buf_addf(&text, ",\n7]\n");
		assert_true(is_json(text.data));
		struct view *view = reduce_items(support_view("json", text.data), &p);
		assert_null(strchr((const char *)view->tc->bytes,
		                   ',')); /* one item is left on each level */
		assert_non_null(strstr((const char *)view->tc->bytes, "\"needle\""));
		view_unref(view);
		buf_release(&text);
	}
	assert_true(asked > 500);
	/* The merge of what is fine alone may leave a separator behind the last item; nothing else
	 * may. */
	assert_true(broken < asked / 20);
}

/* Equal declarations go by one edit, however many they are, so that repeated ones do not take the
 * square of their number. */
static void equal_twins_are_one_start(void **state)
{
	(void)state;
	const char *text = "int f(int a);int g(int b);int f(int a);int g(int b);int f(int a);";
	struct view *view = support_view("c", text);
	struct edit_sites *p =
		edit_sites_new(&strategy_twins, view, 0, &(struct strategy_options){ 0 });
	struct arena arena = { 0 };
	struct edit edit;
	assert_int_equal(p->n, 2);
	assert_true(strategy_twins.edit(p, 1, 0, &arena, &edit)); /* a sweep begins with the last */
	struct testcase *now = edit_apply(view->tc, edit);
	assert_string_equal((char *)now->bytes, "int g(int b);int g(int b);");
	testcase_unref(now);
	arena_release(&arena);
	edit_sites_unref(p);
	view_unref(view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_items_go_with_their_separators),
		cmocka_unit_test(equal_twins_are_one_start),
	};
	return cmocka_run_group_tests_name("search/items", tests, NULL, NULL);
}
