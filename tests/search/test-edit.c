/* The edit algebra against a model that works character by character. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "support.h"
#include "text/edit.h"
#include "../rounds.h"

static const char base_text[] = "0123456789abcdefghijklmnopqrstuv";
enum { SIZE = sizeof base_text - 1, MAX_PARTS = 4 };

/* A few random parts; conflicting ones are left out. */
static struct edit random_edit(struct rng *rng, struct arena *arena, bool cuts_only)
{
	static const uint8_t text[] = "XYZ";
	struct edit e = EDIT_NONE, with;
	for (uint64_t n = rng_below(rng, MAX_PARTS + 1); n > 0; n--) {
		uint32_t begin = (uint32_t)rng_below(rng, SIZE),
			 end = begin + (uint32_t)rng_below(rng, 7);
		uint32_t len = cuts_only ? 0 : (uint32_t)rng_below(rng, 4) % 3;
		end = end > SIZE ? SIZE : end;
		if (edit_union(arena, e,
		               edit_replace(arena, begin, end, text + rng_below(rng, 2), len),
		               &with))
			e = with;
	}
	return e;
}

static void check_well_formed(struct edit e)
{
	for (uint32_t i = 0; i < e.n; i++) {
		const struct edit_part *p = &e.parts[i];
		assert_true(p->begin < p->end || (p->begin == p->end && p->len));
		assert_true(p->end <= SIZE);
		if (!i)
			continue;
		const struct edit_part *before = p - 1;
		assert_true(before->end <= p->begin);
		assert_true(before->len || p->len ||
		            before->end < p->begin); /* touching cuts are one */
	}
}

/* What stays of the base, and what is inserted before each place, worked out without regard to
 * order. */
struct model {
	bool gone[SIZE];
	const struct edit_part *insert[SIZE + 1];
	bool conflict;
};

static void model_cuts(struct model *m, struct edit e)
{
	for (uint32_t i = 0; i < e.n; i++)
		for (uint32_t at = e.parts[i].begin; !e.parts[i].len && at < e.parts[i].end; at++)
			m->gone[at] = true;
}

/* Whether cuts cover all of PART, so that they win over it. */
static bool is_covered(const bool *cut, const struct edit_part *part)
{
	if (part->begin == part->end)
		return part->begin < SIZE && cut[part->begin];
	for (uint32_t at = part->begin; at < part->end; at++)
		if (!cut[at])
			return false;
	return true;
}

static bool same_part(const struct edit_part *a, const struct edit_part *b)
{
	return a->begin == b->begin && a->end == b->end && a->len == b->len &&
	       !memcmp(a->text, b->text, a->len);
}

static bool overlap(const struct edit_part *a, const struct edit_part *b)
{
	if (a->begin == b->begin)
		return true;
	return a->begin < b->end && b->begin < a->end;
}

static void model_replacements(struct model *m, const bool *cut, struct edit e, struct edit other)
{
	for (uint32_t i = 0; i < e.n; i++) {
		const struct edit_part *p = &e.parts[i];
		if (!p->len || is_covered(cut, p))
			continue;
		for (uint32_t at = p->begin; at < p->end; at++) {
			m->conflict |= cut[at];
			m->gone[at] = true;
		}
		for (uint32_t j = 0; j < other.n; j++) {
			const struct edit_part *q = &other.parts[j];
			if (q->len && !is_covered(cut, q) && overlap(p, q) && !same_part(p, q))
				m->conflict = true;
		}
		m->insert[p->begin] = p;
	}
}

static struct model model_of(struct edit a, struct edit b)
{
	struct model m = { 0 };
	model_cuts(&m, a);
	model_cuts(&m, b);
	bool cut[SIZE];
	memcpy(cut, m.gone, sizeof cut);
	model_replacements(&m, cut, a, b);
	model_replacements(&m, cut, b, a);
	return m;
}

static struct buf model_text(const struct model *m)
{
	struct buf text = { 0 };
	for (uint32_t at = 0; at <= SIZE; at++) {
		if (m->insert[at])
			buf_add(&text, m->insert[at]->text, m->insert[at]->len);
		if (at < SIZE && !m->gone[at])
			buf_addch(&text, base_text[at]);
	}
	return text;
}

static void check_applied(struct edit e, struct buf want)
{
	struct testcase *base = support_testcase(base_text, SIZE), *tc = edit_apply(base, e);
	assert_int_equal(tc->size, want.len);
	if (want.len)
		assert_memory_equal(tc->bytes, want.data, want.len);
	assert_int_equal(edit_saving(e), (int64_t)SIZE - (int64_t)tc->size);
	testcase_unref(base);
	testcase_unref(tc);
}

static void test_union_applied_equals_applying_both(void **state)
{
	(void)state;
	struct rng rng = { 1 };
	uint32_t conflicts = 0, unions = 0;
	for (int round = 0; round < 60000 / (int)rounds_stride(); round++) {
		struct arena arena = { 0 };
		bool cuts_only = round % 3 == 0;
		struct edit a = random_edit(&rng, &arena, cuts_only),
			    b = random_edit(&rng, &arena, cuts_only);
		struct edit both, swapped;
		bool fine = edit_union(&arena, a, b, &both);
		struct model m = model_of(a, b);
		assert_int_equal(fine, !m.conflict);
		assert_int_equal(edit_union(&arena, b, a, &swapped), fine);
		assert_true(fine || !cuts_only);
		if (fine) {
			struct buf want = model_text(&m);
			check_well_formed(both);
			check_applied(both, want);
			assert_true(edit_equal(both, swapped));
			buf_release(&want);
		}
		conflicts += !fine;
		unions += fine;
		arena_release(&arena);
	}
	assert_true(conflicts > 1000 / rounds_stride() && unions > 1000 / rounds_stride());
}

/* What two edits make of the same: the one of the other, in parts that lie apart. */
static void test_between(void **state)
{
	(void)state;
	struct rng rng = { 17 };
	struct testcase *base = support_testcase(base_text, SIZE);
	for (int round = 0; round < 60000 / (int)rounds_stride(); round++) {
		struct arena arena = { 0 };
		struct edit a = random_edit(&rng, &arena, round % 3 == 0),
			    b = random_edit(&rng, &arena, round % 3 == 0), both;
		if (round % 2 && edit_union(&arena, a, b, &both))
			b = both; /* most of what it does A does, too, as with candidates */
		struct testcase *from = edit_apply(base, a), *to = edit_apply(base, b);
		struct edit between = edit_between(&arena, from, a, to, b);
		for (uint32_t i = 1; i < between.n; i++)
			assert_true(between.parts[i - 1].end < between.parts[i].begin);
		struct testcase *made = edit_apply(from, between);
		assert_true(hash_equal(made->hash, to->hash));
		testcase_unref(made);
		testcase_unref(to);
		testcase_unref(from);
		arena_release(&arena);
	}
	testcase_unref(base);
}

/* An edit of what an edit makes: both in one, in parts that lie apart. */
static void test_chain(void **state)
{
	(void)state;
	struct rng rng = { 19 };
	struct testcase *base = support_testcase(base_text, SIZE);
	uint32_t checked = 0;
	for (int round = 0; round < 60000 / (int)rounds_stride(); round++) {
		struct arena arena = { 0 };
		struct edit a = random_edit(&rng, &arena, round % 3 == 0),
			    b = random_edit(&rng, &arena, round % 2 == 0);
		struct testcase *from = edit_apply(base, a);
		while (b.n && b.parts[b.n - 1].end > from->size)
			b.n--;
		struct testcase *to = edit_apply(from, b);
		struct edit chain = edit_chain(&arena, a, b, to);
		for (uint32_t i = 1; i < chain.n; i++)
			assert_true(chain.parts[i - 1].end < chain.parts[i].begin);
		struct testcase *made = edit_apply(base, chain);
		assert_true(hash_equal(made->hash, to->hash));
		checked += a.n && b.n;
		testcase_unref(made);
		testcase_unref(to);
		testcase_unref(from);
		arena_release(&arena);
	}
	testcase_unref(base);
	assert_true(checked > 10000 / rounds_stride());
}

static void test_union_laws(void **state)
{
	(void)state;
	struct rng rng = { 2 };
	uint32_t checked = 0;
	for (int round = 0; round < 40000 / (int)rounds_stride(); round++) {
		struct arena arena = { 0 };
		struct edit e[3], ab, ab_c, bc, a_bc, again;
		for (int i = 0; i < 3; i++)
			e[i] = random_edit(&rng, &arena, false);
		assert_true(edit_union(&arena, e[0], e[0], &again) && edit_equal(again, e[0]));
		assert_true(edit_union(&arena, e[0], EDIT_NONE, &again) && edit_equal(again, e[0]));
		if (edit_union(&arena, e[0], e[1], &ab) && edit_union(&arena, ab, e[2], &ab_c) &&
		    edit_union(&arena, e[1], e[2], &bc) && edit_union(&arena, e[0], bc, &a_bc)) {
			assert_true(edit_equal(ab_c, a_bc));
			assert_true(edit_union(&arena, ab_c, e[1], &again) &&
			            edit_equal(again, ab_c));
			checked++;
		}
		arena_release(&arena);
	}
	assert_true(checked > 1000 / rounds_stride());
}

static void test_equality(void **state)
{
	(void)state;
	struct rng rng = { 3 };
	uint32_t equal = 0;
	for (int round = 0; round < 40000 / (int)rounds_stride(); round++) {
		struct arena arena = { 0 };
		struct edit a = random_edit(&rng, &arena, round % 2),
			    b = random_edit(&rng, &arena, round % 2);
		struct model x = model_of(a, a), y = model_of(b, b);
		assert_true(edit_equal(a, edit_copy(&arena, a)));
		if (edit_equal(a, b)) {
			assert_memory_equal(x.gone, y.gone, sizeof x.gone);
			equal++;
		}
		arena_release(&arena);
	}
	assert_true(equal > 100 / rounds_stride());
}

static void test_make_sorts_and_joins(void **state)
{
	(void)state;
	struct rng rng = { 4 };
	for (int round = 0; round < 20000 / (int)rounds_stride(); round++) {
		struct arena arena = { 0 };
		struct edit_part parts[2 * MAX_PARTS];
		struct edit want, made, e = random_edit(&rng, &arena, false),
					f = random_edit(&rng, &arena, false);
		uint32_t n = 0;
		for (uint32_t i = 0; i < e.n; i++)
			parts[n++] = e.parts[i];
		for (uint32_t i = 0; i < f.n; i++)
			parts[n++] = f.parts[i];
		for (uint32_t i = n; i > 1; i--) {
			uint32_t j = (uint32_t)rng_below(&rng, i);
			struct edit_part last = parts[i - 1];
			parts[i - 1] = parts[j];
			parts[j] = last;
		}
		bool fine = edit_union(&arena, e, f, &want);
		assert_int_equal(edit_make(&arena, parts, n, &made), fine);
		assert_true(!fine || edit_equal(made, want));
		arena_release(&arena);
	}
}

/* The base text as three entries of a tree, cut into them at random; the middle one is of the kind
 * MODE. */
static struct testcase *random_tree(struct rng *rng, mode_t mode, bool fixed)
{
	struct testcase_file files[3] = { { .path = "a" },
		                          { .path = "b", .mode = mode },
		                          { .path = "c", .fixed = fixed } };
	files[0].end = (uint32_t)rng_below(rng, SIZE - 2);
	files[1].begin = files[0].end + 1;
	files[1].end = S_ISDIR(mode) ? files[1].begin
	                             : files[1].begin +
	                                       (uint32_t)rng_below(rng, SIZE - 1 - files[1].begin);
	files[2].begin = files[1].end + 1;
	files[2].end = SIZE - 1;
	return testcase_tree(files, 3, mem_dup(base_text, SIZE + 1));
}

/* What should be left of F when the bytes GONE are cut: its size, or -1 when it is dropped. */
static int64_t model_file(const struct testcase_file *f, const bool *gone)
{
	uint32_t left = 0;
	for (uint32_t i = f->begin; i < f->end; i++)
		left += !gone[i];
	bool significant = S_ISLNK(f->mode) || S_ISDIR(f->mode);
	bool whole = left == f->end - f->begin && !gone[f->end];
	return (significant ? !whole : gone[f->end] && !left) && !f->fixed ? -1 : (int64_t)left;
}

static void check_tree(const struct testcase *base, struct testcase *tc, const bool *gone)
{
	uint32_t at = 0, n = 0;
	testcase_flat(tc);
	for (uint32_t f = 0; f < 3; f++) {
		int64_t left = model_file(&base->files[f], gone);
		if (left < 0)
			continue;
		assert_string_equal(tc->files[n].path, base->files[f].path);
		assert_int_equal(tc->files[n].begin, at);
		for (uint32_t i = base->files[f].begin; i < base->files[f].end; i++)
			if (!gone[i])
				assert_int_equal(tc->bytes[at++], base->bytes[i]);
		assert_int_equal(tc->files[n].end, at);
		assert_ptr_equal(tc->files[n].data, tc->bytes + at - left);
		assert_int_equal(tc->bytes[at++], base->bytes[base->files[f].end]);
		n++;
	}
	assert_int_equal(tc->n_files, n);
	assert_int_equal(tc->size, at);
}

/* Whether a block that becomes smaller gets another address, as under allocators that look for
 * mistakes. */
static bool realloc_moves(void)
{
	void *block = mem_alloc(2 * SIZE);
	uintptr_t was = (uintptr_t)block;
	block = mem_resize(block, SIZE, 1);
	bool moves = (uintptr_t)block != was;
	free(block);
	return moves;
}

/* Each entry of a tree loses what is cut in it, and goes when nothing of it is left; wherever the
 * bytes end up, the test case is the same as one that was made of them. */
static void test_entries_of_a_tree(void **state)
{
	(void)state;
	static const mode_t modes[] = { 0644, 0755, S_IFLNK | 0777, S_IFDIR | 0755 };
	struct rng rng = { 5 };
	uint32_t dropped = 0, in_place = 0;
	for (int round = 0; round < 20000 / (int)rounds_stride(); round++) {
		struct testcase *base = random_tree(&rng, modes[round % 4], round % 3 == 0);
		struct arena arena = { 0 };
		struct edit e = random_edit(&rng, &arena, true);
		struct model m = model_of(e, e);
		struct testcase *tc = edit_apply(base, e), *other = edit_apply(base, e);
		check_tree(base, tc, m.gone);
		assert_int_equal(testcase_compare(tc, other), 0);
		assert_true(tc->size == SIZE || testcase_compare(tc, base) < 0);
		dropped += tc->n_files < 3;
		struct testcase *again = testcase_tree(tc->files, tc->n_files,
		                                       mem_dup(tc->bytes, tc->size + (size_t)1));
		assert_true(hash_equal(tc->hash, other->hash) && hash_equal(tc->hash, again->hash));
		testcase_unref(tc);
		const uint8_t *memory = base->bytes;
		struct testcase *kept = testcase_ref(base);
		testcase_unref(base);
		if (round % 2) {
			testcase_unref(kept); /* now OTHER alone holds it */
			testcase_flat(other);
			in_place += other->bytes == memory;
		}
		assert_int_equal(testcase_compare(again, other), 0);
		testcase_flat(other);
		assert_memory_equal(other->bytes, again->bytes, other->size);
		testcase_unref(again);
		testcase_unref(other);
		if (!(round % 2))
			testcase_unref(kept);
		arena_release(&arena);
	}
	assert_true(dropped > 1000 / rounds_stride());
	assert_true(in_place > 5000 / rounds_stride() || realloc_moves());
}

/* A large file in pieces: the same test case as in one, before and after they are put together, in
 * the memory of what it was made of or not. */
static void test_pieces(void **state)
{
	(void)state;
	enum { LARGE = 2 << 20, PARTS = 9 };
	static const uint8_t text[] = "inserted";
	struct rng rng = { 7 };
	uint32_t in_place = 0;
	for (int round = 0; round < 24; round++) {
		struct arena arena = { 0 };
		uint8_t *bytes = mem_alloc(LARGE + 1);
		for (uint32_t i = 0; i < LARGE; i++)
			bytes[i] = (uint8_t)(i * 7 + i / 251);
		struct testcase *base = testcase_new("a", 0644, bytes, LARGE);
		struct edit_part parts[PARTS];
		for (uint32_t i = 0; i < PARTS; i++) {
			uint32_t begin =
				i * (LARGE / PARTS) + (uint32_t)rng_below(&rng, LARGE / PARTS / 2);
			uint32_t end = begin + (uint32_t)rng_below(&rng, LARGE / PARTS / 4);
			uint32_t len = round % 3 ? 0 : (uint32_t)rng_below(&rng, sizeof text);
			parts[i] = (struct edit_part){ begin, end + 1, len, len ? text : NULL };
		}
		struct edit e;
		assert_true(edit_make(&arena, parts, PARTS, &e));
		struct testcase *one = edit_apply(base, e), *tc = edit_apply_shared(base, e);
		assert_null(tc->bytes);
		assert_true(hash_equal(tc->hash, one->hash) && tc->size == one->size);
		assert_int_equal(testcase_compare(tc, base), -1);
		const uint8_t *memory = base->bytes;
		if (round % 2)
			testcase_unref(base);
		testcase_flat(tc);
		in_place += tc->bytes == memory;
		assert_memory_equal(tc->bytes, one->bytes, one->size + 1);
		assert_ptr_equal(tc->files[0].data, tc->bytes);
		assert_int_equal(testcase_compare(tc, one), 0);
		if (!(round % 2)) {
			assert_true(base->refs == 1 && tc->bytes != memory);
			testcase_unref(base);
		}
		testcase_unref(tc);
		testcase_unref(one);
		arena_release(&arena);
	}
	assert_true(in_place > 6 || realloc_moves());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_union_applied_equals_applying_both),
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_union_laws),
		cmocka_unit_test(test_equality),
		cmocka_unit_test(test_make_sorts_and_joins),
		cmocka_unit_test(test_entries_of_a_tree),
		cmocka_unit_test(test_pieces),
	};
	return cmocka_run_group_tests_name("search/edit", tests, NULL, NULL);
}
