/* Cuts of a binary that says of itself where its parts are, however that is written: what is left still says the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "search/strategies.h"
#include "support.h"

enum { MAGIC = 8, PARTS = 12, NEEDED = 7, NEEDLE = 6 };

/* A container: magic, where the table is, what is of no interest; the parts; behind them the table, of each part its offset
 * and its size. */
struct form {
	uint32_t width;
	bool big_endian, size_first;
};

static void put(const struct form *f, uint8_t *at, uint64_t value)
{
	for (uint32_t i = 0; i < f->width; i++, value >>= 8)
		at[f->big_endian ? f->width - 1 - i : i] = (uint8_t)value;
}

static uint64_t get(const struct form *f, const uint8_t *at)
{
	uint64_t value = 0;
	for (uint32_t i = 0; i < f->width; i++)
		value = value << 8 | at[f->big_endian ? i : f->width - 1 - i];
	return value;
}

static uint32_t make(const struct form *f, struct rng *rng, uint8_t *out, uint32_t room)
{
	memset(out, 0, room);
	memcpy(out, "\177CONTAIN", MAGIC);
	uint32_t at = MAGIC + 2 * f->width, offset[PARTS], size[PARTS];
	for (uint32_t i = 0; i < PARTS; i++) {
		offset[i] = at;
		size[i] = 40 + (uint32_t)rng_below(rng, 900);
		for (uint32_t k = 0; k < size[i]; k++)
			out[at + k] = (uint8_t)(128 + rng_below(rng, 128));
		if (i == NEEDED)
			memcpy(out + at + 16, "needle", NEEDLE);
		at += (size[i] + 7) / 8 * 8;
	}
	put(f, out + MAGIC, at);
	for (uint32_t i = 0; i < PARTS; i++, at += 2 * f->width) {
		put(f, out + at + (f->size_first ? f->width : 0), offset[i]);
		put(f, out + at + (f->size_first ? 0 : f->width), size[i]);
	}
	assert_true(at < room);
	return at;
}

/* The table lies within the file, all parts between the head and the table, and in one part is the needle. */
static bool is_whole(const struct testcase *tc, const void *arg)
{
	const struct form *f = arg;
	if (tc->size < MAGIC + f->width || memcmp(tc->bytes, "\177CONTAIN", MAGIC) != 0)
		return false;
	uint64_t table = get(f, tc->bytes + MAGIC);
	if (table > tc->size || tc->size - table < PARTS * 2 * f->width)
		return false;
	bool found = false;
	for (uint32_t i = 0; i < PARTS; i++) {
		const uint8_t *entry = tc->bytes + table + (size_t)2 * f->width * i;
		uint64_t offset = get(f, entry + (f->size_first ? f->width : 0)), size = get(f, entry + (f->size_first ? 0 : f->width));
		if (offset < MAGIC + f->width || offset > table || size > table - offset)
			return false;
		found |= i == NEEDED && memmem(tc->bytes + offset, size, "needle", NEEDLE);
	}
	return found;
}

static struct view *container(const struct form *f, uint64_t seed)
{
	enum { ROOM = 1 << 14 };
	uint8_t *bytes = mem_alloc(ROOM);
	struct rng rng = { seed };
	struct view *view = support_binary_view("bytes", bytes, make(f, &rng, bytes, ROOM));
	free(bytes);
	return view;
}

static void reduces_whatever_the_layout(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 80; i++) {
		struct form f = { i & 1 ? 4 : 8, i & 2, i & 4 };
		struct predicate p = { is_whole, &f };
		struct view *view = container(&f, i);
		assert_true(is_whole(view->tc, &f));
		for (uint32_t level = 0; level < strategy_offsets.levels(view); level++) {
			struct trace t = support_run(support_hunt(&strategy_offsets, view, level,
								  &(struct hunt_options){ .order = HUNT_BLOCKS }), view->tc, &p);
			view_unref(view);
			view = support_binary_view("bytes", t.result->bytes, t.result->size);
			trace_release(&t);
		}
		/* Head and table, what the needle lies in, and a few words. */
		assert_in_range(view->tc->size, 1, MAGIC + 2 * f.width + PARTS * 2 * f.width + 8 * f.width);
		view_unref(view);
	}
}

static void same_course_in_any_order(void **state)
{
	(void)state;
	struct rng rng = { 7 };
	struct form f = { .width = 4 };
	struct predicate p = { is_whole, &f };
	struct hunt_options options = { .order = HUNT_BLOCKS };
	struct view *view = container(&f, 99);
	struct trace plain = support_run(support_hunt(&strategy_offsets, view, 0, &options), view->tc, &p);
	for (int i = 0; i < 20; i++) {
		struct trace t = support_run_scrambled(support_hunt(&strategy_offsets, view, 0, &options), view->tc, &p,
						       1 + (uint32_t)rng_below(&rng, 40), i % 2, &rng);
		assert_true(trace_equal(&plain, &t));
		trace_release(&t);
	}
	trace_release(&plain);
	view_unref(view);
}

/* Text has no offsets, and what has no table is left to other passes at the levels for tables. */
static void leaves_others_alone(void **state)
{
	(void)state;
	struct view *text = support_view("text", "some\ntext\n");
	assert_int_equal(strategy_offsets.levels(text), 0);
	view_unref(text);
	uint8_t noise[512];
	struct rng rng = { 3 };
	for (uint32_t i = 0; i < sizeof noise; i++)
		noise[i] = i % 8 ? (uint8_t)rng_below(&rng, 255) + 1 : 0;
	struct view *view = support_binary_view("bytes", noise, sizeof noise);
	struct places *places = places_new(&strategy_offsets, view, 0, 0, &(struct strategy_options){ 0 });
	assert_int_equal(places->n, 0);
	places_unref(places);
	view_unref(view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reduces_whatever_the_layout),
		cmocka_unit_test(same_course_in_any_order),
		cmocka_unit_test(leaves_others_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
