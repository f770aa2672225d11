/* Hunts: the same course whatever the order of verdicts and the number of open questions, clones
 * included; results that cannot be made smaller; successes that conflict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/hash.h"
#include "edits/strategies.h"
#include "support.h"

enum { LINES = 120 };

/* A view of LINES lines; those in NEEDED (may be NULL) end in N. */
static struct view *lines_view(const bool *needed)
{
	struct buf text = { 0 };
	for (int i = 0; i < LINES; i++)
		buf_addf(&text, "line %d %c\n", i, needed && needed[i] ? 'N' : '.');
	struct view *view = support_view("text", text.data);
	buf_release(&text);
	return view;
}

/* Predicates. */

static bool has_needed(const struct testcase *tc, const void *arg)
{
	return support_count(tc, 'N') >= *(const uint32_t *)arg;
}

static bool has_lines(const struct testcase *tc, const void *arg)
{
	return support_count(tc, '\n') >= *(const uint32_t *)arg;
}

static bool has_odd_lines(const struct testcase *tc, const void *arg)
{
	(void)arg;
	return support_count(tc, '\n') % 2 == 1;
}

/* No structure at all: one candidate in *ARG. */
static bool is_noise(const struct testcase *tc, const void *arg)
{
	return hash_bytes(tc->bytes, tc->size, 5).hi % *(const uint32_t *)arg == 0;
}

/* Without line "3 .", line "5 ." must be gone as well, and so on: later ones first. */
static bool has_no_dangling(const struct testcase *tc, const void *arg)
{
	(void)arg;
	char *text = (char *)tc->bytes;
	bool defined = true;
	for (int i = 0; i < LINES; i += 7) {
		char line[24];
		snprintf(line, sizeof line, "line %d ", i);
		bool here = strstr(text, line);
		if (here && !defined)
			return false;
		defined = here;
	}
	return true;
}

static const uint32_t three = 3, seven = 7, twenty = 20;
static const struct predicate predicates[] = {
	{ has_needed, &seven }, { has_lines, &seven }, { has_odd_lines, NULL },
	{ is_noise, &three },   { is_noise, &twenty }, { has_no_dangling, NULL },
};
enum { PREDICATES = sizeof predicates / sizeof *predicates };

static struct search *make_blocks(struct view *view)
{
	return support_hunt(&strategy_lines, view, 0,
	                    &(struct hunt_options){ .order = HUNT_BLOCKS });
}

static struct search *make_narrow_blocks(struct view *view)
{
	struct hunt_options options = { .order = HUNT_BLOCKS, .window = 3, .first_block = 8 };
	return support_hunt(&strategy_lines, view, 0, &options);
}

static struct search *make_sweep(struct view *view)
{
	return support_hunt(&strategy_runs, view, 1, &(struct hunt_options){ .order = HUNT_SWEEP });
}

static struct search *make_chaos(struct view *view)
{
	struct hunt_options options = { .order = HUNT_CHAOS, .seed = 9, .max_steps = 150 };
	return support_hunt(&strategy_ngrams, view, 0, &options);
}

static struct search *(*const makers[])(struct view *) = { make_blocks, make_narrow_blocks,
	                                                   make_sweep, make_chaos };
enum { MAKERS = sizeof makers / sizeof *makers };

static struct view *needed_view(uint32_t k, uint64_t seed)
{
	struct rng rng = { seed };
	bool needed[LINES] = { false };
	while (k) {
		uint64_t i = rng_below(&rng, LINES);
		k -= !needed[i];
		needed[i] = true;
	}
	return lines_view(needed);
}

static void check_any_order(bool clones)
{
	struct view *view = needed_view(seven, 1);
	for (int m = 0; m < MAKERS; m++)
		for (int p = 0; p < PREDICATES; p++)
			if (!support_same_in_any_order(makers[m], view, &predicates[p], clones,
			                               (uint64_t)(m * PREDICATES + p)))
				fail_msg("search %d under predicate %d depends on the order of "
				         "verdicts",
				         m, p);
	view_unref(view);
}

static void test_order_of_verdicts_does_not_matter(void **state)
{
	(void)state;
	check_any_order(false);
}

static void test_clones_go_the_same_way(void **state)
{
	(void)state;
	check_any_order(true);
}

/* A search that depends on timing on purpose: of a window of single lines, the first success to
 * arrive is accepted and the others are thrown away. The check above must find it out. */
enum { HASTY_WINDOW = 8 };

struct hasty {
	struct search s;
	struct view *view; /* borrowed */
	struct arena kept;
	uint32_t line, asked, told; /* first line of the window; questions of it */
	bool accepted;              /* in this window */
};

static bool hasty_edit(const struct hasty *h, uint32_t line, struct arena *arena, struct edit *out)
{
	return edit_union(arena, h->s.accepted,
	                  edit_cut(arena, h->view->lines[line], h->view->lines[line + 1]), out);
}

static bool hasty_next(struct search *s, struct arena *arena, struct question *q)
{
	struct hasty *h = (struct hasty *)s;
	uint32_t line = h->line + h->asked;
	if (h->asked == HASTY_WINDOW || h->accepted || line >= h->view->n_lines)
		return false;
	q->id = line;
	h->asked++;
	return hasty_edit(h, line, arena, &q->edit);
}

static void hasty_tell(struct search *s, uint32_t id, bool yes)
{
	struct hasty *h = (struct hasty *)s;
	struct edit with;
	if (yes && !h->accepted && hasty_edit(h, id, &h->kept, &with)) {
		search_accept(s, with);
		h->accepted = true;
	}
	if (++h->told < h->asked)
		return;
	h->line += h->asked;
	h->asked = h->told = 0;
	h->accepted = false;
	s->done = h->line >= h->view->n_lines;
}

static void hasty_free(struct search *s)
{
	arena_release(&((struct hasty *)s)->kept);
	edit_drop(s->accepted);
	free(s);
}

static struct search *make_hasty(struct view *view)
{
	static const struct search_ops ops = { hasty_next, hasty_tell, NULL, hasty_free };
	struct hasty *h = mem_zero(1, sizeof *h);
	h->s.ops = &ops;
	h->view = view;
	return &h->s;
}

static void test_the_check_finds_a_merge_that_depends_on_timing(void **state)
{
	(void)state;
	struct view *view = needed_view(seven, 1);
	for (int p = 0; p < PREDICATES; p++)
		assert_false(support_same_in_any_order(make_hasty, view, &predicates[p], false, 3));
	view_unref(view);
}

static void test_subset_is_found_exactly(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		uint32_t k = (uint32_t)(seed * seed) % (LINES + 1);
		struct view *view = needed_view(k, seed);
		struct predicate p = { has_needed, &k };
		struct trace t = support_run(make_blocks(view), view->tc, &p);
		assert_int_equal(support_count(t.result, '\n'), k);
		assert_int_equal(support_count(t.result, 'N'), k);
		trace_release(&t);
		view_unref(view);
	}
}

/* Runs MAKE over and over on what it leaves, until it accepts nothing. */
static struct testcase *to_fixpoint(struct search *(*make)(struct view *), struct view *view,
                                    const struct predicate *p)
{
	for (;;) {
		struct trace t = support_run(make(view), view->tc, p);
		struct testcase *result = testcase_ref(t.result);
		bool changed = t.n_accepted;
		trace_release(&t);
		view_unref(view);
		if (!changed)
			return result;
		view = support_view("text", (const char *)result->bytes);
		testcase_unref(result);
	}
}

static bool line_can_go(const struct testcase *tc, const struct predicate *p)
{
	struct view *view = support_view("text", (const char *)tc->bytes);
	bool can = false;
	for (uint32_t i = 0; i < view->n_lines; i++) {
		struct arena arena = { 0 };
		struct testcase *less =
			edit_apply(tc, edit_cut(&arena, view->lines[i], view->lines[i + 1]));
		can |= p->holds(less, p->arg);
		testcase_unref(less);
		arena_release(&arena);
	}
	view_unref(view);
	return can;
}

static void test_no_line_can_go_at_the_fixpoint(void **state)
{
	(void)state;
	for (int p = 0; p < PREDICATES; p++) {
		struct testcase *result =
			to_fixpoint(make_blocks, needed_view(seven, 4), &predicates[p]);
		assert_false(line_can_go(result, &predicates[p]));
		testcase_unref(result);
	}
}

/* Every line can go alone, most not together: the merge must find as many as can, without giving up
 * all. */
static void test_conflicting_successes_are_merged(void **state)
{
	(void)state;
	for (uint32_t k = 1; k <= LINES; k++) {
		struct view *view = lines_view(NULL);
		struct predicate p = { has_lines, &k };
		struct trace t = support_run(make_blocks(view), view->tc, &p);
		assert_int_equal(support_count(t.result, '\n'), k);
		assert_true(t.questions < 3 * LINES);
		trace_release(&t);
		view_unref(view);
	}
}

/* How often all that SEARCH asks at a time is answered until it ends: the least time that it takes,
 * however many tests run at a time. Frees it. */
static uint32_t count_waits(struct search *s, const struct testcase *base,
                            const struct predicate *p)
{
	struct {
		uint32_t id;
		bool yes;
	} open[HUNT_WINDOW_MAX];
	struct question q;
	uint32_t waits = 0, n;
	do {
		struct arena arena = { 0 };
		for (n = 0; search_next(s, &arena, &q); n++) {
			struct testcase *tc = edit_apply(base, q.edit);
			assert_true(n < HUNT_WINDOW_MAX);
			open[n].id = q.id;
			open[n].yes = p->holds(tc, p->arg);
			testcase_unref(tc);
		}
		arena_release(&arena);
		for (uint32_t i = 0; i < n; i++)
			search_tell(s, open[i].id, open[i].yes);
		waits += n > 0;
	} while (n);
	search_free(s);
	return waits;
}

static struct view *numbered_view(int n, bool (*is_needed)(int))
{
	struct buf text = { 0 };
	for (int i = 0; i < n; i++)
		buf_addf(&text, "%d%c\n", i, is_needed(i) ? 'N' : '.');
	struct view *view = support_view("text", text.data);
	buf_release(&text);
	return view;
}

static bool is_in_half(int i)
{
	return i * 7 % 10 < 5;
}

static bool is_alone(int i)
{
	return i % 100 == 37;
}

/* Where much succeeds, nothing is likely, and nothing can be asked ahead of time. */
static void test_much_success_needs_few_waits(void **state)
{
	(void)state;
	enum { MANY = 1000 };
	uint32_t half = MANY / 2;
	struct predicate p = { has_needed, &half };
	struct view *view = numbered_view(MANY, is_in_half);
	/* It was 29 when rounds grew with what was asked alone, and 737 when one was enlarged after
	 * the other. */
	assert_in_range(count_waits(make_blocks(view), view->tc, &p), 1, 20);
	assert_in_range(count_waits(make_sweep(view), view->tc, &p), 1, 100);
	view_unref(view);
}

/* Where few lines stay, what is refused is halved, and where one half goes the other is not asked
 * about. */
static void test_what_is_alone_needs_few_questions(void **state)
{
	(void)state;
	enum { MANY = 1000, STAY = 10 };
	uint32_t stay = STAY;
	struct predicate p = { has_needed, &stay };
	struct view *view = numbered_view(MANY, is_alone);
	struct trace t = support_run(make_blocks(view), view->tc, &p);
	assert_int_equal(support_count(t.result, '\n'), STAY);
	/* It was 146 when only blocks of even sizes had halves. */
	assert_in_range(t.questions, 1, 135);
	trace_release(&t);
	view_unref(view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_of_verdicts_does_not_matter),
		cmocka_unit_test(test_clones_go_the_same_way),
		cmocka_unit_test(test_the_check_finds_a_merge_that_depends_on_timing),
		cmocka_unit_test(test_subset_is_found_exactly),
		cmocka_unit_test(test_no_line_can_go_at_the_fixpoint),
		cmocka_unit_test(test_conflicting_successes_are_merged),
		cmocka_unit_test(test_much_success_needs_few_waits),
		cmocka_unit_test(test_what_is_alone_needs_few_questions),
	};
	return cmocka_run_group_tests_name("search/hunt", tests, NULL, NULL);
}
