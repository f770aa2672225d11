/* Phrases: what repeats is found, does not overlap, and stands where it is said to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/rng.h"
#include "edits/phrases.h"

static bool any(const uint8_t *bytes, const struct phrase *phrase)
{
	(void)bytes, (void)phrase;
	return true;
}

static bool without_dash(const uint8_t *bytes, const struct phrase *phrase)
{
	return !memchr(bytes + phrase->at[0], '-', phrase->len);
}

/* The phrases of TEXT, each with its offsets. */
static void check(const char *text, bool (*fits)(const uint8_t *, const struct phrase *),
                  const char *expected)
{
	struct arena arena = { 0 };
	struct phrases found;
	struct buf said = { 0 };
	phrases_find(&found, (const uint8_t *)text, (uint32_t)strlen(text), 9, fits, &arena);
	for (uint32_t i = 0; i < found.n; i++) {
		const struct phrase *p = &found.list[i];
		buf_addf(&said, "%.*s", (int)p->len, text + p->at[0]);
		for (uint32_t k = 0; k < p->n; k++)
			buf_addf(&said, " %u", p->at[k]);
		buf_addf(&said, "; ");
	}
	assert_string_equal(said.data ? said.data : "", expected);
	buf_release(&said);
	arena_release(&arena);
}

static void test_what_repeats(void **state)
{
	(void)state;
	check("", any, "");
	check("abc", any, "");
	check("a:b x a:b y", any, "a:b 0 6; ");
	check("b=x-1 --x-1 --x-1--", without_dash, "");
	check("b=xy --xy --xy--", without_dash, "xy 2 7 12; ");
	check("aaaa aaaa", any, "aaa 0 5; ");
	check("a b a b", any, ""); /* no blanks, and not single bytes */
}

/* Of random text each phrase is what stands at its places, and no byte is of two. */
static void test_random_text(void **state)
{
	(void)state;
	struct rng rng = { 3 };
	for (int round = 0; round < 300; round++) {
		uint8_t text[200], taken[200] = { 0 };
		for (size_t i = 0; i < sizeof text; i++)
			text[i] = (uint8_t) "ab- "[rng_below(&rng, 4)];
		struct arena arena = { 0 };
		struct phrases found;
		phrases_find(&found, text, sizeof text, 32, any, &arena);
		assert_in_range(found.n, 1, 32);
		for (uint32_t i = 0; i < found.n; i++) {
			const struct phrase *p = &found.list[i];
			assert_true(p->n >= 2 && p->len >= 2);
			for (uint32_t k = 0; k < p->n; k++) {
				assert_true(p->at[k] + p->len <= sizeof text);
				assert_memory_equal(text + p->at[k], text + p->at[0], p->len);
				assert_null(memchr(text + p->at[k], ' ', p->len));
				assert_null(memchr(taken + p->at[k], 1, p->len));
				memset(taken + p->at[k], 1, p->len);
			}
		}
		arena_release(&arena);
	}
}

/* Equal text from end to end, and text that is too long. */
static void test_long_text_ends(void **state)
{
	(void)state;
	enum { SIZE = PHRASES_SIZE };
	struct arena arena = { 0 };
	uint8_t *text = arena_alloc(&arena, SIZE + 1);
	memset(text, 'a', SIZE + 1);
	struct phrases found;
	phrases_find(&found, text, SIZE, 4, any, &arena);
	assert_int_equal(found.n, 0); /* too often */
	phrases_find(&found, text, PHRASE_USES, 4, any, &arena);
	assert_in_range(found.n, 1, 2);
	assert_int_equal(found.list[0].len, PHRASE_LONGEST);
	phrases_find(&found, text, SIZE + 1, 4, any, &arena);
	assert_int_equal(found.n, 0);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_repeats),
		cmocka_unit_test(test_random_text),
		cmocka_unit_test(test_long_text_ends),
	};
	return cmocka_run_group_tests_name("search/phrases", tests, NULL, NULL);
}
