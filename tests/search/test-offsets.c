/* Cuts of a binary that says of itself where its parts are, however that is written: what is left
 * still says the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/mem.h"
#include "edits/strategies.h"
#include "support.h"

enum { MAGIC = 8, PARTS = 12, NEEDED = 7, NEEDLE = 6, ROOM = 1 << 15 };

/* A container: magic, where the table is, what is of no interest; the parts; behind them the table,
 * of each part its offset and its size. */
struct form {
	uint32_t width;
	bool big_endian, size_first;
	uint32_t table; /* where it begins; 0: behind the last part */
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
		if (i == PARTS - 1 && f->table) {
			size[i] += f->table - at;
			at = f->table;
		}
	}
	put(f, out + MAGIC, at);
	for (uint32_t i = 0; i < PARTS; i++, at += 2 * f->width) {
		put(f, out + at + (f->size_first ? f->width : 0), offset[i]);
		put(f, out + at + (f->size_first ? 0 : f->width), size[i]);
	}
	assert_true(at < room);
	return at;
}

/* The table lies within the file, all parts between the head and the table. */
static bool is_sound(const struct form *f, const uint8_t *bytes, uint64_t size)
{
	if (size < MAGIC + f->width || memcmp(bytes, "\177CONTAIN", MAGIC) != 0)
		return false;
	uint64_t table = get(f, bytes + MAGIC);
	bool fine = table <= size && size - table >= (uint64_t)PARTS * 2 * f->width;
	for (uint32_t i = 0; fine && i < PARTS; i++) {
		const uint8_t *entry = bytes + table + (size_t)2 * f->width * i;
		uint64_t first = get(f, entry), second = get(f, entry + f->width);
		uint64_t offset = f->size_first ? second : first,
			 length = f->size_first ? first : second;
		fine = offset >= MAGIC + f->width && offset <= table && length <= table - offset;
	}
	return fine;
}

/* And in one part is the needle. */
static bool is_whole(const struct testcase *tc, const void *arg)
{
	const struct form *f = arg;
	if (!is_sound(f, tc->bytes, tc->size))
		return false;
	const uint8_t *entry =
		tc->bytes + get(f, tc->bytes + MAGIC) + (size_t)2 * f->width * NEEDED;
	uint64_t first = get(f, entry), second = get(f, entry + f->width);
	return memmem(tc->bytes + (f->size_first ? second : first), f->size_first ? first : second,
	              "needle", NEEDLE);
}

static struct view *container(const struct form *f, uint64_t seed)
{
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
		struct form f = { i & 1 ? 4 : 8, i & 2, i & 4, 0 };
		if (i >= 64) /* across the end of where a table is looked for */
			f.table = (1 << 14) - f.width - (i & 1) * 2 * f.width * 5;
		struct predicate p = { is_whole, &f };
		struct view *view = container(&f, i);
		assert_true(is_whole(view->tc, &f));
		for (uint32_t level = 0; level < strategy_offsets.levels(view); level++) {
			struct hunt_options blocks = { .order = HUNT_BLOCKS };
			struct trace t =
				support_run(support_hunt(&strategy_offsets, view, level, &blocks),
			                    view->tc, &p);
			view_unref(view);
			view = support_binary_view("bytes", t.result->bytes, t.result->size);
			trace_release(&t);
		}
		/* Head and table, what the needle lies in, and a few words. */
		assert_in_range(view->tc->size, 1,
		                MAGIC + 2 * f.width + PARTS * 2 * f.width + 8 * f.width);
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
	struct trace plain =
		support_run(support_hunt(&strategy_offsets, view, 0, &options), view->tc, &p);
	for (int i = 0; i < 20; i++) {
		struct trace t = support_run_scrambled(
			support_hunt(&strategy_offsets, view, 0, &options), view->tc, &p,
			1 + (uint32_t)rng_below(&rng, 40), i % 2, &rng);
		assert_true(trace_equal(&plain, &t));
		trace_release(&t);
	}
	trace_release(&plain);
	view_unref(view);
}

/* Cuts of one file of a tree leave the others as they are, and are moved for in their own. */
static void files_of_a_tree(void **state)
{
	(void)state;
	struct form f = { .width = 8 };
	struct rng rng = { 5 };
	uint8_t *bytes = mem_alloc(3 * ROOM);
	uint32_t first = make(&f, &rng, bytes, ROOM),
		 second = make(&f, &rng, bytes + first + 1, ROOM);
	struct testcase_file files[] = {
		{ .path = "a", .mode = 0644, .end = first },
		{ .path = "b", .mode = 0644, .begin = first + 1, .end = first + 1 + second },
		{ .path = "c",
		  .mode = 0644 | S_IFLNK,
		  .begin = first + second + 2,
		  .end = first + second + 3 },
	};
	bytes[files[2].begin] = 'a';
	struct testcase *tc = testcase_tree(files, 3, bytes);
	struct view *view = view_new(tc, NULL);
	struct edit_sites *edit_sites =
		edit_sites_new(&strategy_offsets, view, 0, &(struct strategy_options){ 0 });
	assert_true(edit_sites->n > 100);
	for (uint32_t i = 0; i < 200; i++) {
		struct arena arena = { 0 };
		/* Of the second file, between its head and its table. */
		uint32_t from = files[1].begin + MAGIC + 2 * f.width,
			 to = files[1].end - PARTS * 2 * f.width;
		uint32_t a = from + (uint32_t)rng_below(&rng, to - from),
			 b = a + (uint32_t)rng_below(&rng, to - a) + 1;
		struct edit edit =
			repair_edit(edit_sites->repair, tc->bytes, edit_cut(&arena, a, b), &arena);
		struct testcase *cut = edit_apply(tc, edit);
		assert_int_equal(cut->size, tc->size - (b - a));
		assert_memory_equal(cut->files[0].data, tc->files[0].data, first);
		assert_true(is_sound(&f, cut->files[1].data, testcase_file_size(&cut->files[1])));
		testcase_unref(cut);
		arena_release(&arena);
	}
	edit_sites_unref(edit_sites);
	view_unref(view);
	testcase_unref(tc);
}

/* More words than are likely to be offsets: nothing is tried, and no memory used. */
static void too_many_words(void **state)
{
	(void)state;
	enum { SIZE = 1 << 20 };
	uint8_t *bytes = mem_zero(SIZE, 1);
	for (uint32_t at = 0; at < SIZE; at += 4)
		bytes[at] = (uint8_t)(1 + at / 4 % 255);
	struct view *view = support_binary_view("bytes", bytes, SIZE);
	struct edit_sites *edit_sites =
		edit_sites_new(&strategy_offsets, view, 6, &(struct strategy_options){ 0 });
	assert_int_equal(edit_sites->n, 0);
	edit_sites_unref(edit_sites);
	view_unref(view);
	free(bytes);
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
	struct edit_sites *edit_sites =
		edit_sites_new(&strategy_offsets, view, 0, &(struct strategy_options){ 0 });
	assert_int_equal(edit_sites->n, 0);
	edit_sites_unref(edit_sites);
	view_unref(view);
}

/* A byte says how many there are behind it, and the next one, too. */
enum { TAIL = 66, TAIL_AT = 13, TAIL_LEVEL = 8 };

static bool has_tail(const struct testcase *tc, const void *arg)
{
	(void)arg;
	const uint8_t *b = tc->bytes;
	uint32_t at = TAIL_AT + 1;
	return tc->size > at + 2 && b[TAIL_AT] == 11 && b[at] == tc->size - at - 1 &&
	       b[at + 1] == b[at] - 1 && memchr(b + at + 2, 17, tc->size - at - 2);
}

static void sizes_to_the_end(void **state)
{
	(void)state;
	uint8_t bytes[TAIL_AT + 2 + TAIL] = { 0, 'a', 's', 'm', 1, 0, 0, 0, 5, 3, 1 };
	bytes[TAIL_AT] = 11;
	bytes[TAIL_AT + 1] = TAIL;
	bytes[TAIL_AT + 2] = TAIL - 1;
	bytes[TAIL_AT + 9] = 17;
	struct view *view = support_binary_view("bytes", bytes, sizeof bytes);
	struct predicate p = { has_tail, NULL };
	assert_true(has_tail(view->tc, NULL));
	struct trace t = support_run(support_hunt(&strategy_offsets, view, TAIL_LEVEL,
	                                          &(struct hunt_options){ .order = HUNT_BLOCKS }),
	                             view->tc, &p);
	assert_in_range(t.result->size, TAIL_AT + 3, sizeof bytes / 2);
	trace_release(&t);
	view_unref(view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reduces_whatever_the_layout),
		cmocka_unit_test(same_course_in_any_order),
		cmocka_unit_test(files_of_a_tree),
		cmocka_unit_test(too_many_words),
		cmocka_unit_test(leaves_others_alone),
		cmocka_unit_test(sizes_to_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
