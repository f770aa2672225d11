/* Mach-O, opened: what fills pages goes, what says where things are follows, and damage is
 * harmless. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "base/mem.h"
#include "base/rng.h"
#include "binary/codes.h"
#include "binary/macho.h"

enum {
	PAGE = 256,
	BASE = 0x4000,
	COMMANDS = 152 + 152 + 72 + 24 + 80 + 48 + 24,
	BEHIND = 32 + COMMANDS,
	TEXT = 3 * PAGE, /* where the first section is: behind some room */
	DATA = 4 * PAGE,
	LINKED = 5 * PAGE,
	TRIE = 18,
	SYMBOLS = LINKED + 24,
	STRINGS = SYMBOLS + 2 * 16,
	SIZE = STRINGS + 16,
	ROUNDS = 20000,
};

static void put(uint8_t *p, uint64_t value, uint32_t width)
{
	for (uint32_t i = 0; i < width; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t *put_words(uint8_t *p, const uint32_t *words, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		put(p + 4 * i, words[i], 4);
	return p + 4 * n;
}

/* A segment of SIZE bytes at AT, with a section of N bytes at SECTION, unless N is 0. */
static uint8_t *put_segment(uint8_t *p, const char *name, uint32_t at, uint32_t size,
                            uint32_t section, uint32_t n)
{
	put(p, 25, 4);
	put(p + 4, n ? 152 : 72, 4);
	memcpy(p + 8, name, strlen(name));
	put(p + 24, BASE + at, 8);
	put(p + 32, (size + PAGE - 1) / PAGE * PAGE, 8);
	put(p + 40, at, 8);
	put(p + 48, size, 8);
	put(p + 64, n > 0, 4);
	if (!n)
		return p + 72;
	memcpy(p + 72, "__in", 4);
	put(p + 72 + 32, BASE + section, 8);
	put(p + 72 + 40, n, 8);
	put(p + 72 + 48, section, 4);
	return p + 152;
}

/* A library of SIZE bytes at OUT: _a is in its code, _b in its data; both are exported. */
static void put_library(uint8_t *out)
{
	static const uint32_t head[] = { 0xfeedfacf, 0x1000007, 3, 6, 7, COMMANDS, 0, 0 };
	static const uint32_t symbols[] = { 2, 24, SYMBOLS, 2, STRINGS, 16 };
	static const uint32_t indices[20] = { 11, 80, 0, 0, 0, 2, 2 };
	static const uint32_t info[12] = { 34, 48, [10] = LINKED, TRIE };
	static const uint32_t begins[6] = { 40 | 0x80000000, 24, TEXT + 2 };
	/* the root, of two edges; _a at TEXT + 2; _b at DATA + 1 */
	static const uint8_t trie[TRIE] = { 0, 2,    'a',  0, 8, 'b', 0,    13,   3,
		                            0, 0x82, 0x06, 0, 3, 0,   0x81, 0x08, 0 };
	memset(out, 0, SIZE);
	uint8_t *p = put_words(out, head, 8);
	p = put_segment(p, "__TEXT", 0, DATA, TEXT, 6);
	p = put_segment(p, "__DATA", DATA, PAGE, DATA, 4);
	p = put_segment(p, "__LINKEDIT", LINKED, SIZE - LINKED, 0, 0);
	p = put_words(p, symbols, 6);
	p = put_words(p, indices, 20);
	p = put_words(p, info, 12);
	p = put_words(p, begins, 6);
	assert_int_equal(p - out, BEHIND);
	memcpy(out + TEXT, "code 1", 6);
	memcpy(out + DATA, "data", 4);
	memcpy(out + LINKED, trie, sizeof trie);
	for (uint32_t i = 0; i < 2; i++) {
		put(out + SYMBOLS + 16 * i, 1 + 3 * i, 4);
		put(out + SYMBOLS + 16 * i + 4, 0x0f | (i + 1) << 8, 4);
		put(out + SYMBOLS + 16 * i + 8, BASE + (i ? DATA + 1 : TEXT + 2), 8);
	}
	memcpy(out + STRINGS, "\0_a\0_b", 7);
}

/* Both places that SECTION of the segment whose command is at P has are TO. */
static void check_section(const uint8_t *p, uint32_t to)
{
	assert_int_equal(code_little(p + 72 + 32), to);
	assert_int_equal(code_little(p + 72 + 48), to);
}

static void check_library(const uint8_t *out, uint32_t len)
{
	uint32_t data = (BEHIND + 6 + 7) / 8 * 8, linked = data + 8;
	assert_int_equal(len, linked + SIZE - LINKED);
	assert_memory_equal(out + BEHIND, "code 1", 6);
	assert_memory_equal(out + data, "data", 4);
	check_section(out + 32, BEHIND);
	check_section(out + 184, data);
	assert_int_equal(code_little(out + 32 + 48), BEHIND + 6);
	assert_int_equal(code_little(out + 336 + 40), linked);
	assert_int_equal(code_little(out + 408 + 8), linked + 24);
	assert_int_equal(code_little(out + linked + 24 + 8), BEHIND + 2);
	assert_int_equal(code_little(out + linked + 40 + 8), data + 1);
	assert_int_equal(code_little(out + BEHIND - 24 + 8), BEHIND + 2);
	assert_int_equal(out[linked + 10], 0x80 | ((BEHIND + 2) & 0x7f));
	assert_int_equal(out[linked + 11], (BEHIND + 2) >> 7);
}

static void pages_go(void **state)
{
	(void)state;
	uint8_t library[SIZE];
	uint32_t len, again;
	put_library(library);
	MEM_SCOPED uint8_t *open = macho_open(library, SIZE, &len);
	assert_non_null(open);
	check_library(open, len);
	assert_null(macho_open(open, len, &again));
	library[12] = 1; /* an object has no pages */
	assert_null(macho_open(library, SIZE, &again));
}

/* Two of one kind, with a gap in front of each; *LEN bytes. */
static uint8_t *make_fat(uint32_t *len)
{
	uint8_t *out = mem_zero(*len = 2 * (PAGE + SIZE), 1);
	memcpy(out, "\xca\xfe\xba\xbe\0\0\0\2", 8);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t at = PAGE + i * (PAGE + SIZE);
		for (uint32_t k = 0; k < 4; k++) {
			out[16 + 20 * i + k] = (uint8_t)(at >> 8 * (3 - k));
			out[20 + 20 * i + k] = (uint8_t)((uint32_t)SIZE >> 8 * (3 - k));
		}
		out[27 + 20 * i] = 4;
		put_library(out + at);
	}
	return out;
}

static void all_of_several_are_opened(void **state)
{
	(void)state;
	uint32_t size, len, again;
	MEM_SCOPED uint8_t *fat = make_fat(&size);
	MEM_SCOPED uint8_t *open = macho_open(fat, size, &len);
	assert_non_null(open);
	uint32_t held = code_big(open + 20);
	assert_int_equal(code_big(open + 16), 48);
	assert_int_equal(code_big(open + 36), 48 + held);
	assert_int_equal(len, 48 + 2 * held);
	check_library(open + 48, held);
	check_library(open + 48 + held, held);
	assert_null(macho_open(open, len, &again));
}

static uint32_t below(struct rng *rng, uint32_t n)
{
	return (uint32_t)rng_below(rng, n);
}

/* Damaged ones are opened or not; what is opened is so. */
static void damage_is_harmless(void **state)
{
	(void)state;
	struct rng rng = { 19 };
	uint32_t size;
	MEM_SCOPED uint8_t *fat = make_fat(&size);
	for (uint32_t i = 0; i < rounds(ROUNDS); i++) {
		bool one = i & 1;
		uint32_t n = one ? SIZE : size, len, again;
		MEM_SCOPED uint8_t *bytes = mem_dup(fat + (one ? PAGE : 0), n);
		for (uint32_t k = below(&rng, 4); k-- > 0;) {
			uint32_t at = below(&rng, one && k ? BEHIND : n);
			bytes[at] =
				below(&rng, 2) ? (uint8_t)below(&rng, 256) : bytes[below(&rng, n)];
		}
		n -= below(&rng, 8) ? 0 : below(&rng, n);
		MEM_SCOPED uint8_t *open = macho_open(bytes, n, &len);
		if (open)
			free(macho_open(open, len, &again));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_go),
		cmocka_unit_test(all_of_several_are_opened),
		cmocka_unit_test(damage_is_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
