/* The proof that lines are counted: what readers that mind counts, places, both or neither let it
 * find out, and that its course is the same in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "edits/strategies.h"
#include "search/proof.h"
#include "support.h"
#include "binary/layers.h"

enum { POINTS = 40, FACES = 30 };

/* Points, faces that name three of them each, and how many there are of both. */
static struct view *mesh(void)
{
	struct buf text = { 0 };
	buf_addf(&text, "mesh\n%d %d\n", POINTS, FACES);
	for (int i = 0; i < POINTS; i++)
		buf_addf(&text, "%d.5 %d.25\n", i * 7 % 13, i * 5 % 11);
	for (int i = 0; i < FACES; i++)
		buf_addf(&text, "3 %d %d %d\n", i * 11 % POINTS, (i * 17 + 3) % POINTS,
		         i == 7 ? POINTS - 1 : i % POINTS);
	struct view *view = support_view("text", text.data);
	struct records *records =
		layers_records(NULL, (const uint8_t *)text.data, (uint32_t)text.len);
	assert_non_null(records);
	view_use_records(view, records);
	records_unref(records);
	buf_release(&text);
	return view;
}

static uint32_t fields(const struct repair *r, bool edit_sites)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->n; i++)
		n += (r->fields[i].kind == FIELD_PLACE) == edit_sites;
	return n;
}

/* What a reader minds. */
struct reader {
	bool counts;     /* as many lines as the second one says */
	bool edit_sites; /* faces name points that are there */
	bool frozen;     /* faces are as they were */
};

static bool reads(const struct testcase *tc, const void *arg)
{
	const struct reader *reader = arg;
	struct view *whole = reader->frozen ? mesh() : NULL;
	char *text = mem_zero(tc->size + (size_t)1, 1), *rest = text, *line;
	unsigned points = 0, faces = 0, n = 0, m = 0, a, b, c, row = 0;
	bool fine = true;
	memcpy(text, tc->bytes, tc->size);
	while ((line = strsep(&rest, "\n")) && rest) {
		if (++row == 2)
			fine &= sscanf(line, "%u %u", &points, &faces) == 2;
		else if (row > 2 && strncmp(line, "3 ", 2) != 0)
			n++;
		else if (row > 2) {
			m++;
			fine &= sscanf(line, "3 %u %u %u", &a, &b, &c) == 3;
			fine &= !reader->edit_sites || (a < points && b < points && c < points);
			fine &= !whole ||
			        memmem(whole->tc->bytes, whole->tc->size, line, strlen(line));
		}
	}
	fine &= row > 2 && m > 0 && n > 2;
	if (reader->counts)
		fine &= points == n && faces == m;
	if (whole)
		view_unref(whole);
	free(text);
	return fine;
}

/* The proof as it is run the first time, or later. */
static struct search *proof_of(struct view *view, bool later)
{
	static const struct strategy_options none = { 0 };
	struct hunt_options options = { .order = HUNT_BLOCKS, .first_block = later };
	struct edit_sites *edit_sites = edit_sites_new(&strategy_records, view, 0, &none);
	assert_true(edit_sites->unproven);
	struct search *s = proof_new(edit_sites, &options);
	edit_sites_unref(edit_sites);
	return s;
}

/* Runs the proof by READER, and says how many fields of both kinds are left, and whether they are
 * proven. */
static bool prove(const struct reader *reader, bool later, uint32_t *counts, uint32_t *edit_sites)
{
	struct view *view = mesh();
	struct search *s = proof_of(view, later);
	struct arena arena = { 0 };
	struct question q;
	for (int n = 0; search_next(s, &arena, &q); n++) {
		struct testcase *tc = edit_apply(view->tc, q.edit);
		assert_in_range(n, 0, 200);
		search_tell(s, q.id, reads(tc, reader));
		testcase_unref(tc);
		arena_release(&arena);
	}
	assert_true(s->done);
	const struct repair *left = s->left ? s->left : view->records->repair;
	*counts = fields(left, false);
	*edit_sites = fields(left, true);
	bool proven = s->repaired;
	assert_int_equal(s->again, proven || s->left);
	search_free(s);
	view_unref(view);
	return proven;
}

static void minds_all(void **state)
{
	(void)state;
	uint32_t counts, edit_sites;
	assert_true(prove(&(struct reader){ .counts = true, .edit_sites = true }, false, &counts,
	                  &edit_sites));
	assert_int_equal(counts, 2);
	assert_true(edit_sites > 0);
}

static void minds_nothing(void **state)
{
	(void)state;
	uint32_t counts, edit_sites;
	assert_false(prove(&(struct reader){ 0 }, false, &counts, &edit_sites));
	assert_int_equal(counts, 1); /* faces were cut: points are not spoken of yet */
	assert_int_equal(edit_sites, 90);
}

/* Numbers that seem to be places are none: they go, and counts stay. */
static void minds_counts(void **state)
{
	(void)state;
	uint32_t counts, edit_sites;
	assert_true(prove(&(struct reader){ .counts = true }, false, &counts, &edit_sites));
	assert_int_equal(counts, 2);
	assert_int_equal(edit_sites, 0);
	assert_true(prove(&(struct reader){ .counts = true, .frozen = true }, true, &counts,
	                  &edit_sites));
	assert_int_equal(counts, 2);
	assert_int_equal(edit_sites, 0);
}

static void same_course_in_any_order(void **state)
{
	(void)state;
	struct rng rng = { 11 };
	for (int i = 0; i < 24; i++) {
		struct reader reader = { i & 1, i & 2, i & 4 };
		struct predicate p = { reads, &reader };
		struct view *view = mesh();
		struct trace plain = support_run(proof_of(view, i & 8), view->tc, &p);
		struct trace t =
			support_run_scrambled(proof_of(view, i & 8), view->tc, &p,
		                              1 + (uint32_t)rng_below(&rng, 20), true, &rng);
		assert_true(trace_equal(&plain, &t));
		trace_release(&t);
		trace_release(&plain);
		view_unref(view);
	}
}

/* A file without a count pays four answers at most. */
static void asks_little(void **state)
{
	(void)state;
	for (int kind = 0; kind < 2; kind++) {
		struct view *view = mesh();
		struct search *s = proof_of(view, false);
		struct arena arena = { 0 };
		struct question q;
		int n = 0;
		for (; search_next(s, &arena, &q); n++)
			search_tell(s, q.id, kind && n > 1);
		assert_in_range(n, 1, 4);
		assert_true(s->done && !s->repaired);
		arena_release(&arena);
		search_free(s);
		view_unref(view);
	}
}

/* What is proven is left to the hunt. */
static void has_nothing_to_prove(void **state)
{
	static const struct strategy_options none = { 0 };
	(void)state;
	struct view *view = mesh();
	view->records->proven = true;
	struct edit_sites *edit_sites = edit_sites_new(&strategy_records, view, 0, &none);
	assert_false(edit_sites->unproven);
	edit_sites_unref(edit_sites);
	view_unref(view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(minds_all),
		cmocka_unit_test(minds_nothing),
		cmocka_unit_test(minds_counts),
		cmocka_unit_test(asks_little),
		cmocka_unit_test(same_course_in_any_order),
		cmocka_unit_test(has_nothing_to_prove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
