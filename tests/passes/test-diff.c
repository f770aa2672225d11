/* The difference of two texts as an edit, and the answers of external programs as edits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/rng.h"
#include "external/external.h"
#include "external/external_host.h"
#include "text/diff.h"

static struct testcase *text_case(const char *bytes, size_t len)
{
	uint8_t *copy = mem_zero(len + 1, 1);
	memcpy(copy, bytes, len);
	return testcase_new("input", 0644, copy, (uint32_t)len);
}

/* The edit makes the new text; returns its number of parts. */
static uint32_t check_diff(const char *old, size_t old_len, const char *new, size_t new_len)
{
	struct arena arena = { 0 };
	struct testcase *base = text_case(old, old_len);
	struct edit e = diff_edit(&arena, base, (const uint8_t *)new, (uint32_t)new_len);
	for (uint32_t i = 0; i < e.n; i++) {
		assert_true(e.parts[i].begin < e.parts[i].end || e.parts[i].len);
		assert_true(e.parts[i].end <= base->size);
		assert_true(!i || e.parts[i - 1].end <= e.parts[i].begin);
	}
	struct testcase *got = edit_apply(base, e);
	assert_int_equal(got->size, new_len);
	assert_memory_equal(got->bytes, new, new_len);
	testcase_unref(got);
	testcase_unref(base);
	arena_release(&arena);
	return e.n;
}

static void known_differences(void **state)
{
	(void)state;
	static const struct {
		const char *old, *new;
		uint32_t parts;
	} cases[] = {
		{ "same", "same", 0 },
		{ "", "all of it", 1 },
		{ "all of it", "", 1 },
		{ "int a; int b; int c;", "int a; int c;", 1 },
		{ "f(x); g(x); h(x);", "f(1); g(1); h(1);", 3 },
		{ "foobar", "barfoo", 1 },
		{ "one two three", "one 2 three", 1 },
		{ "abc abd", "abc abe abd", 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(check_diff(cases[i].old, strlen(cases[i].old), cases[i].new,
		                            strlen(cases[i].new)),
		                 cases[i].parts);
}

static void add_random(struct buf *b, struct rng *rng, uint64_t n)
{
	static const char *const words[] = { "a", "b", "foo", "foobar", " ", " ",
		                             "(", ")", ";",   "\n",     "1", "_x" };
	for (uint64_t i = rng_below(rng, n + 1); i > 0; i--) {
		const char *w = words[rng_below(rng, sizeof words / sizeof *words)];
		buf_add(b, w, strlen(w));
	}
}

static void random_differences(void **state)
{
	(void)state;
	struct rng rng = { 7 };
	for (int round = 0; round < 2000; round++) {
		struct buf old = { 0 }, new = { 0 };
		buf_add(&old, "", 0);
		buf_add(&new, "", 0);
		for (uint64_t pieces = rng_below(&rng, 6); pieces > 0; pieces--) {
			struct buf piece = { 0 };
			buf_add(&piece, "", 0);
			add_random(&piece, &rng, 12);
			if (rng_below(&rng, 4))
				buf_add(&old, piece.data ? piece.data : "", piece.len);
			if (rng_below(&rng, 4))
				buf_add(&new, piece.data ? piece.data : "", piece.len);
			buf_release(&piece);
		}
		check_diff(old.data ? old.data : "", old.len, new.data ? new.data : "", new.len);
		buf_release(&old);
		buf_release(&new);
	}
}

/* More differences than are looked for: one replacement, in bounded time. */
static void too_different(void **state)
{
	(void)state;
	struct buf old = { 0 }, new = { 0 };
	for (int i = 0; i < 20000; i++) {
		buf_addf(&old, "a%d ", i);
		buf_addf(&new, "b%d ", i);
	}
	assert_int_equal(check_diff(old.data, old.len, new.data, new.len), 1);
	buf_release(&old);
	buf_release(&new);
}

/* What a candidate of the list makes of "abcdef"; NULL: the list is a failed one. */
static char *candidate(const char *list, uint32_t n)
{
	struct testcase *base = text_case("abcdef", 6);
	struct external_result *r = external_parse_list(base, list, strlen(list));
	char *made = NULL;
	if (!r->failed) {
		assert_true(n < r->n);
		struct testcase *tc = edit_apply(base, r->edits[n]);
		made = mem_strdup((char *)tc->bytes);
		testcase_unref(tc);
	}
	external_result_unref(r);
	testcase_unref(base);
	return made;
}

static void lists_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *list, *made;
		uint32_t n;
	} cases[] = {
		{ "{\"edits\": [[0, 2]]}\n", "cdef", 0 },
		{ "{\"edits\": [[4, 6, \"x\"], [0, 2]]}", "cdx", 0 },
		{ "{\"edits\": [[0, 3, [4, 6]]], \"comment\": true}", "efdef", 0 },
		{ "\n{\"edits\": [[0, 1]]}\n\n{\"edits\": []}\n{\"edits\": [[1, 2]]}\n", "acdef",
		  1 },
		{ "{\"edits\": [[3, 3, \"-\"]]}", "abc-def", 0 },
		{ "{\"edits\": [[3, 2]]}", NULL, 0 },
		{ "{\"edits\": [[3, 7]]}", NULL, 0 },
		{ "{\"edits\": [[-1, 2]]}", NULL, 0 },
		{ "{\"edits\": [[0, 1, [2, 9]]]}", NULL, 0 },
		{ "{\"edits\": [[0, 3, \"x\"], [2, 4, \"y\"]]}", NULL, 0 },
		{ "{\"edits\": [[0]]}", NULL, 0 },
		{ "{\"edits\": 5}", NULL, 0 },
		{ "{\"instances\": -3}", NULL, 0 },
		{ "{\"instances\": \"x\"}", NULL, 0 },
		{ "[]", NULL, 0 },
		{ "hello", NULL, 0 },
		{ "{\"edits\": [[0, 1]]", NULL, 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *made = candidate(cases[i].list, cases[i].n);
		if (cases[i].made)
			assert_string_equal(made, cases[i].made);
		else
			assert_null(made);
		free(made);
	}
}

static void long_lists_are_cut(void **state)
{
	(void)state;
	struct testcase *base = text_case("abcdef", 6);
	const char *list = "{\"instances\": 4000000000000}";
	struct external_result *r = external_parse_list(base, list, strlen(list));
	assert_false(r->failed);
	assert_int_equal(r->instances, EXTERNAL_MAX_EDITS);
	external_result_unref(r);
	testcase_unref(base);
}

struct found {
	uint32_t n;
	struct hash key[4];
	struct external_extent extent[4];
};

static void note(void *arg, struct hash key, struct external_extent extent)
{
	struct found *f = arg;
	assert_true(f->n < 4);
	f->key[f->n] = key;
	f->extent[f->n++] = extent;
}

/* Answers come back from the file; a torn or damaged end costs only itself. */
static void answers_are_filed(void **state)
{
	(void)state;
	char *path = io_temporary_name("answers");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	struct err err;
	struct external_file f;
	struct external_extent extent;
	struct found found = { 0 };
	struct testcase *base = text_case("abcdef", 6);
	const char *list = "{\"edits\": [[0, 2, \"xyz\"], [4, 5]]}\n{\"edits\": [[1, 2]]}";
	struct external_result *r = external_parse_list(base, list, strlen(list));
	assert_false(r->failed);
	assert_int_equal(external_file_open(&f, path, note, &found, &err), 0);
	for (uint64_t i = 0; i < 3; i++)
		assert_int_equal(external_file_add(&f, (struct hash){ i, i + 7 }, r, &extent), 1);
	external_file_close(&f);
	for (off_t less = 0; less < 3; less++) {
		found.n = 0;
		assert_int_equal(truncate(path, f.end - less), 0);
		assert_int_equal(external_file_open(&f, path, note, &found, &err), 0);
		assert_int_equal(found.n, less ? 2 : 3);
		struct external_result *back = external_file_get(&f, found.extent[1], base->size);
		assert_non_null(back);
		assert_int_equal(found.key[1].lo, 8);
		assert_int_equal(back->n, 2);
		assert_true(edit_equal(back->edits[0], r->edits[0]) &&
		            edit_equal(back->edits[1], r->edits[1]));
		external_result_unref(back);
		if (less)
			assert_int_equal(external_file_add(&f, (struct hash){ 2, 9 }, r, &extent),
			                 1);
		external_file_close(&f);
	}
	external_result_unref(r);
	testcase_unref(base);
	unlink(path);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_differences),  cmocka_unit_test(random_differences),
		cmocka_unit_test(too_different),      cmocka_unit_test(lists_are_read),
		cmocka_unit_test(long_lists_are_cut), cmocka_unit_test(answers_are_filed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
