/* What is said of test cases comes back as it was: as an edit of another one, and whole; frames in
 * pieces of any size; and what is no message is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "far/bases.h"
#include "far/frames.h"
#include "text/code.h"

static uint32_t below(struct rng *rng, uint32_t n)
{
	return (uint32_t)rng_below(rng, n);
}

/* A few letters, so that much of it repeats; or lines that do not. */
static uint8_t *make_bytes(struct rng *rng, uint32_t size)
{
	uint8_t *bytes = mem_alloc(size + 2);
	uint32_t letters = below(rng, 2) ? 3 : 200;
	for (uint32_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)('!' + below(rng, letters));
	return bytes;
}

static struct testcase *make_file(struct rng *rng)
{
	uint32_t size = below(rng, 3000);
	return testcase_new("dir.c", 0644, make_bytes(rng, size), size);
}

static struct testcase *make_tree(struct rng *rng)
{
	struct testcase_file files[8];
	uint32_t n = 1 + below(rng, 8), at = 0;
	char names[8][16];
	for (uint32_t i = 0; i < n; i++) {
		snprintf(names[i], sizeof names[i], "d%u/f%u", i / 3, i);
		uint32_t kind = below(rng, 6), size = kind == 0 ? 0 : 1 + below(rng, 400);
		files[i] = (struct testcase_file){ .path = names[i],
			                           .mode = kind == 0   ? S_IFDIR | 0777
			                                   : kind == 1 ? S_IFLNK | 0777
			                                   : kind == 2 ? 0755
			                                               : 0644,
			                           .fixed = kind == 5,
			                           .begin = at,
			                           .end = at + size };
		at += size + 1;
	}
	return testcase_tree(files, n, make_bytes(rng, at + 1));
}

/* A candidate as a reducer makes it: parts are cut or replaced, files go. */
static struct testcase *make_candidate(struct rng *rng, struct testcase *base)
{
	struct arena arena = { 0 };
	struct edit_part parts[6];
	struct edit edit = EDIT_NONE;
	static const uint8_t text[] = "another text\n";
	uint32_t n = below(rng, 6), at = 0, made = 0;
	for (uint32_t i = 0; i < n && at < base->size; i++) {
		uint32_t begin = at + below(rng, base->size - at + 1);
		uint32_t end = begin + below(rng, base->size - begin + 1);
		uint32_t len = below(rng, 3) ? 0 : below(rng, sizeof text);
		if (base->is_tree && !below(rng, 3)) { /* a whole file */
			const struct testcase_file *f = &base->files[below(rng, base->n_files)];
			if (f->begin < at)
				continue;
			begin = f->begin;
			end = f->end + 1;
			len = 0;
		}
		if (begin < end || len)
			parts[made++] = (struct edit_part){ begin, end, len, len ? text : NULL };
		at = end + 1;
	}
	assert_true(edit_make(&arena, parts, made, &edit));
	struct testcase *tc = edit_apply(base, edit);
	arena_release(&arena);
	return tc;
}

static void check_same(const struct testcase *a, const struct testcase *b)
{
	assert_true(hash_equal(a->hash, b->hash));
	assert_int_equal(a->n_files, b->n_files);
	for (uint32_t i = 0; i < a->n_files; i++) {
		assert_string_equal(a->files[i].path, b->files[i].path);
		assert_int_equal(a->files[i].mode, b->files[i].mode);
		assert_int_equal(a->files[i].fixed, b->files[i].fixed);
		assert_memory_equal(a->files[i].data, b->files[i].data,
		                    testcase_file_size(&a->files[i]));
	}
}

/* How many bytes it takes to tell TC of BASE. */
static size_t check_edit(struct testcase *base, struct testcase *tc)
{
	struct arena arena = { 0 };
	struct edit edit, back;
	struct buf code = { 0 };
	assert_true(delta_edit(&arena, base, tc, &edit));
	code_add_edit(&code, edit);
	assert_true(code_read_edit((uint8_t *)code.data, code.len, base->size, &arena, &back));
	assert_true(edit_equal(edit, back));
	struct testcase *again = edit_apply(base, back);
	check_same(tc, again);
	testcase_unref(again);
	for (size_t len = 0; len < code.len; len++) { /* what is cut off is none, or another one */
		struct edit part;
		(void)code_read_edit((uint8_t *)code.data, len, base->size, &arena, &part);
	}
	size_t size = code.len;
	arena_release(&arena);
	buf_release(&code);
	return size;
}

static void check_whole(struct testcase *tc)
{
	struct buf code = { 0 };
	code_add_testcase(&code, tc);
	struct testcase *again = code_read_testcase((uint8_t *)code.data, code.len);
	assert_non_null(again);
	check_same(tc, again);
	testcase_unref(again);
	for (size_t len = 0; len < code.len; len++)
		assert_null(code_read_testcase((uint8_t *)code.data, len));
	buf_release(&code);
}

static void test_candidates_come_back(void **state)
{
	(void)state;
	struct rng rng = { 18 };
	for (int i = 0; i < 600; i++) {
		struct testcase *base = i % 2 ? make_tree(&rng) : make_file(&rng);
		struct testcase *tc = make_candidate(&rng, base);
		check_edit(base, tc);
		check_whole(tc);
		testcase_unref(tc);
		testcase_unref(base);
	}
}

static struct edit cut(struct arena *arena, uint32_t begin, uint32_t end, struct edit with)
{
	struct edit both;
	assert_true(edit_union(arena, with, edit_cut(arena, begin, end), &both));
	return both;
}

/* A few cuts in a large file, its lines alike, take a few bytes. */
static void test_a_cut_is_short(void **state)
{
	(void)state;
	struct buf text = { 0 };
	struct arena arena = { 0 };
	for (int i = 0; i < 60000; i++)
		buf_addf(&text, "	value[%d] = lookup(table, %d);\n", i, i % 97);
	uint32_t size = (uint32_t)text.len;
	struct testcase *base = testcase_new("big.c", 0644, (uint8_t *)text.data, size);
	struct edit edit = cut(&arena, 700000, 900000, EDIT_NONE);
	struct testcase *one = edit_apply(base, edit);
	edit = cut(&arena, 1000, 1300, cut(&arena, 1200000, 1200700, edit));
	struct testcase *three = edit_apply(base, edit);
	assert_true(check_edit(base, one) < 16);
	assert_true(check_edit(base, three) < 200);
	testcase_unref(one);
	testcase_unref(three);
	testcase_unref(base);
	arena_release(&arena);
}

/* Other names, another kind: no edit. */
static void test_strangers(void **state)
{
	(void)state;
	struct rng rng = { 3 };
	struct arena arena = { 0 };
	struct edit edit;
	struct testcase *file = make_file(&rng), *tree = make_tree(&rng);
	struct testcase *other = testcase_new("other", 0644, mem_zero(4, 1), 3);
	assert_false(delta_edit(&arena, file, tree, &edit));
	assert_false(delta_edit(&arena, file, other, &edit));
	testcase_unref(file);
	testcase_unref(tree);
	testcase_unref(other);
	arena_release(&arena);
}

/* Of two entries that are too many bytes together, the second one begins where there is no room.
 * The first one is all zeros, which nobody has to keep. */
static void test_too_large_a_tree(void **state)
{
	static const char head[] = "\1\2\xa4\3\0\1a\xfd\xff\xff\xff\xf",
			  tail[] = "\xa4\3\0\1b\4more";
	const size_t first = 0xfffffffd, n = sizeof head - 1, len = n + first + sizeof tail - 1;
	uint8_t *code = mmap(NULL, len, PROT_READ | PROT_WRITE,
	                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	(void)state;
	if (sizeof len < 8 || code == MAP_FAILED)
		skip();
	memcpy(code, head, n);
	memcpy(code + n + first, tail, sizeof tail - 1);
	assert_null(code_read_testcase(code, len));
	munmap(code, len);
}

/* What a worker has is not sent again; a base that came of another is sent as its edit. */
static void test_bases(void **state)
{
	(void)state;
	struct rng rng = { 7 };
	struct bases bases = { 0 };
	struct bases_there there = { 0 };
	struct buf said = { 0 };
	uint32_t size = 100000;
	struct testcase *tc = testcase_new("f", 0644, make_bytes(&rng, size), size);
	bases_tell(&bases, &there, &(struct bases_question){ .tc = tc, .number = 1 }, &said);
	assert_true(said.len > size && said.len < size + 200);
	for (uint64_t i = 2; i < 20; i++) {
		struct arena arena = { 0 };
		struct testcase *less = edit_apply(tc, edit_cut(&arena, 10, 3000));
		arena_release(&arena);
		said.len = 0;
		bases_tell(&bases, &there, &(struct bases_question){ .tc = less, .number = i },
		           &said);
		assert_true(said.len < 200);
		bases_add(&bases, less, NULL);
		testcase_unref(tc);
		tc = less;
	}
	testcase_unref(tc);
	bases_release(&bases);
	buf_release(&said);
}

/* ---- frames ---- */

static void check_pieces(const char *text, size_t len, size_t piece)
{
	struct frames f = { .most_body = 100 };
	struct frame in;
	unsigned n = 0;
	for (size_t at = 0; at < len; at += piece) {
		frames_feed(&f, text + at, len - at < piece ? len - at : piece);
		while (frames_next(&f, &in) == FRAMES_ONE) {
			n++;
			assert_int_equal(in.n, n == 1 ? 1 : 3);
			assert_string_equal(in.words[0], n == 1 ? "go" : "ask");
			assert_int_equal(in.len, n == 2 ? 5 : 0);
			if (n == 2)
				assert_memory_equal(in.body, "a\nb\0c", 5);
		}
	}
	assert_int_equal(n, 3);
	assert_false(frames_half(&f));
	frames_release(&f);
}

static void test_frames_in_pieces(void **state)
{
	(void)state;
	static const char text[] = "go\nask 1 :5\na\nb\0c\nask 2 :0\n\n";
	for (size_t piece = 1; piece < sizeof text; piece++)
		check_pieces(text, sizeof text - 1, piece);
}

static void test_frames_refused(void **state)
{
	(void)state;
	char longest[FRAMES_LINE + 2];
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	const char *const bad[] = { "\n",           " go\n",
		                    "ask :101\n",   "ask :-1\n",
		                    "ask :\n",      "ask :01\n",
		                    "ask\x1b[2J\n", "ask :1\nab\n",
		                    longest,        "ask :99999999999999999999999\n" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct frames f = { .most_body = 100 };
		struct frame in;
		frames_feed(&f, bad[i], strlen(bad[i]));
		assert_int_equal(frames_next(&f, &in), FRAMES_BAD);
		frames_feed(&f, "go\n", 3);
		assert_int_equal(frames_next(&f, &in), FRAMES_BAD);
		frames_release(&f);
	}
}

static void test_preamble(void **state)
{
	(void)state;
	struct frames f = { .most_body = 100 };
	struct frame in;
	frames_feed(&f, "Welcome!\n\nask :5\nwhi", 20);
	assert_int_equal(frames_seek(&f, "whittle"), FRAMES_NONE);
	frames_feed(&f, "ttle 1\n", 7);
	assert_int_equal(frames_seek(&f, "whittle"), FRAMES_ONE);
	assert_int_equal(frames_next(&f, &in), FRAMES_ONE);
	assert_string_equal(in.words[1], "1");
	frames_release(&f);
	f = (struct frames){ .most_body = 100 };
	for (int i = 0; i < FRAMES_PREAMBLE / 4; i++)
		frames_feed(&f, "ab\nc", 4);
	assert_int_equal(frames_seek(&f, "whittle"), FRAMES_NONE);
	frames_feed(&f, "whittle 1\n", 10);
	assert_int_equal(frames_seek(&f, "whittle"), FRAMES_BAD);
	frames_release(&f);
}

/* Of many workers each is asked once in as many successes: it is given a whole base once. */
static void test_bases_of_many(void **state)
{
	(void)state;
	enum { WORKERS = 64, ROUNDS = 4 };
	struct rng rng = { 8 };
	struct bases bases = { 0 };
	static struct bases_there there[WORKERS];
	struct buf said = { 0 };
	uint32_t size = 20000;
	struct testcase *tc = testcase_new("f", 0644, make_bytes(&rng, size), size);
	for (uint64_t i = 0; i < WORKERS * ROUNDS; i++) {
		struct arena arena = { 0 };
		uint32_t at = (uint32_t)rng_below(&rng, tc->size - 30);
		struct testcase *less = edit_apply(tc, edit_cut(&arena, at, at + 30));
		arena_release(&arena);
		bases_tell(&bases, &there[i % WORKERS],
		           &(struct bases_question){ .tc = less, .number = i + 1 }, &said);
		bases_add(&bases, less, NULL);
		testcase_unref(tc);
		tc = less;
	}
	assert_true(said.len < WORKERS * size * 3 / 2);
	testcase_unref(tc);
	bases_release(&bases);
	buf_release(&said);
}

/* TC without EACH'th byte: cuts that are closer than what bytes are known again by. */
static struct testcase *thin_out(struct bases *bases, struct testcase *tc, uint32_t each)
{
	struct arena arena = { 0 };
	uint32_t n = 0, size = tc->size / 2;
	struct edit_part *parts = arena_alloc(&arena, (size / each + 1) * sizeof *parts);
	for (uint32_t at = 0; at < size; at += each)
		parts[n++] = (struct edit_part){ at, at + 1, 0, NULL };
	const struct origin made = { tc->hash, { n, parts } };
	struct testcase *less = edit_apply(tc, made.edit);
	bases_add(bases, less, &made);
	arena_release(&arena);
	return less;
}

/* A worker that has fallen behind is given what lies between, as edits of each other. */
static void test_bases_on_the_way(void **state)
{
	(void)state;
	struct rng rng = { 9 };
	struct bases bases = { 0 };
	struct bases_there there = { 0 };
	struct buf said = { 0 };
	uint32_t size = 20000;
	struct testcase *all[4] = { testcase_new("f", 0644, make_bytes(&rng, size), size) };
	bases_tell(&bases, &there, &(struct bases_question){ .tc = all[0], .number = 1 }, &said);
	said.len = 0;
	for (uint32_t i = 1; i < 4; i++)
		all[i] = thin_out(&bases, all[i - 1], 8 + i);
	const struct edit_part part = { 15000, 15100, 0, NULL };
	const struct origin made = { all[3]->hash, { 1, &part } };
	struct testcase *tc = edit_apply(all[3], made.edit);
	bases_tell(&bases, &there, &(struct bases_question){ .tc = tc, .made = &made, .number = 2 },
	           &said);
	assert_memory_equal(said.data, "derive 2 1 ", 11);
	assert_non_null(memmem(said.data, said.len, "\nderive 3 2 ", 12));
	assert_non_null(memmem(said.data, said.len, "\nderive 4 3 ", 12));
	assert_non_null(memmem(said.data, said.len, "\nask 2 4 ", 9));
	testcase_unref(tc);
	for (uint32_t i = 0; i < 4; i++)
		testcase_unref(all[i]);
	bases_release(&bases);
	buf_release(&said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_candidates_come_back),
		cmocka_unit_test(test_a_cut_is_short),
		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_too_large_a_tree),
		cmocka_unit_test(test_bases),
		cmocka_unit_test(test_bases_of_many),
		cmocka_unit_test(test_bases_on_the_way),
		cmocka_unit_test(test_frames_in_pieces),
		cmocka_unit_test(test_frames_refused),
		cmocka_unit_test(test_preamble),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
