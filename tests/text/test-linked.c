/* Programs and libraries as lists of what they consist of: what is made of lines says them again,
 * what moves takes what refers to it with it, and nothing damaged is read or made but to what is
 * sound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "base/buf.h"
#include "base/mem.h"
#include "binary/anew.h"
#include "binary/linked.h"
#include "lines.h"

enum { ROUNDS = 3000 };

#define HEAD "elf 2 1 0 3 62 0x0 0x1010 6 own\n"
#define TABLES                                 \
	"text 1 libc.so.6\n"                   \
	"range 25 0x3000 0x8\n"                \
	"address 12 0x1010\n"                  \
	"value 24 0x0\n"                       \
	"hash\n"                               \
	"gnu-hash\n"                           \
	"segment 0x6 4 0x40 0x1c0 0x1c0 0x8\n" \
	"segment 0x3 4 0x2000 0x1c 0x1c 0x1\n" \
	"segment 0x6474e551 6 0x0 0x0 0x0 0x10\n"
#define REFERENCES                               \
	"symbol puts 0x12 0 0x0 0x0 0x0\n"       \
	"symbol _start 0x12 0 0x1 0x1010 0x20\n" \
	"symbol words 0x11 0 0x1 0x3010 0x8\n"   \
	"relocation 0x3000 8 0x1010\n"           \
	"relocation 0x3008 6 0x0 puts\n"
/* a call of puts by way of 0x3008, the address of words, a jump within */
#define CODE "bytes 0x1010 5 ff15f21f 0000488d 05f31f00 00e90500 00009090\n"
#define REST                                                                     \
	"bytes 0x2000 4 2f6c6962 2f6c642e 736f2e32 00\n"                         \
	"bytes 0x3000 6 10100000 00000000 00000000 00000000 6e656564 6c650000\n" \
	"zeros 0x3020 6 0x1000\n"

static uint8_t *make(const char *text, uint32_t *size)
{
	return linked_make((const uint8_t *)text, (uint32_t)strlen(text), size);
}

static const struct anew kind = { .read = linked_read, .make = linked_make };

static char *said_of(const char *text, uint32_t *size)
{
	return lines_said_of(&kind, text, size);
}

/* Distances stay where it is said that they do: segments are as far into a page as they were, and
 * the file has no more of it than they take. */
static void distances_stay(void **state)
{
	(void)state;
	uint32_t size;
	MEM_SCOPED char *said = said_of("fixed\n" HEAD TABLES REFERENCES CODE REST, &size);
	assert_int_equal(linked_settings((const uint8_t *)said, (uint32_t)strlen(said)), 6);
	lines_check(said, "ff15f21f 0000488d 05f31f00 00e90500");
	lines_check(said, "relocation 0x3000 8 0x1010 ");
	lines_check(said, "symbol words 0x11 0 0x1 0x3010 0x8");
	lines_check(said, "zeros 0x3018 6 0x1008");
	assert_true(size < 0x2100);
}

/* Else all is side by side, and what code, symbols and relocations say follows. */
static void all_moves_together(void **state)
{
	(void)state;
	uint32_t size;
	MEM_SCOPED char *said = said_of(HEAD TABLES REFERENCES CODE REST, &size);
	assert_int_equal(linked_settings((const uint8_t *)said, (uint32_t)strlen(said)), 0);
	assert_true(size < 1200);
	unsigned long long at, start, words, place, addend;
	char *symbol = strstr(said, "symbol words "), *begin = strstr(said, "symbol _start ");
	assert_int_equal(sscanf(begin, "symbol _start 0x12 0 0x1 %llx", &start), 1);
	assert_int_equal(sscanf(symbol, "symbol words 0x11 0 0x1 %llx", &words), 1);
	assert_int_equal(
		sscanf(strstr(said, "relocation"), "relocation %llx 8 %llx", &place, &addend), 2);
	assert_int_equal(addend, start);
	assert_int_equal(place + 16, words);
	uint32_t len, call, address;
	MEM_SCOPED uint8_t *made = make(said, &len);
	at = start; /* in the one segment addresses are places */
	call = (uint32_t)(made[at + 2] | made[at + 3] << 8);
	address = (uint32_t)(made[at + 9] | made[at + 10] << 8);
	assert_int_equal(at + 6 + call, place + 8);
	assert_int_equal(at + 13 + address, words);
	assert_int_equal(made[at + 14], 5); /* the jump stays among what is beside it */
}

/* What is about things that are gone goes, and tables have no more than there is. */
static void what_is_gone_is_not_said(void **state)
{
	(void)state;
	uint32_t size;
	MEM_SCOPED char *said =
		said_of(HEAD "hash\n" REFERENCES "bytes 0x3010 6 6e656564 6c650000\n", &size);
	assert_null(strstr(said, "relocation"));
	assert_null(strstr(said, "segment"));
	lines_check(said, "symbol words");
	MEM_SCOPED char *least = said_of("elf 1 2 0 3 20 0x0 0x0 4 own\nhash\n"
	                                 "symbol w 0x11 0 0x1 0x10 0x8\nbytes 0x10 4 6e656564\n",
	                                 &size);
	/* of 32 bits: head, two segments, six entries, two symbols, hashes, names, four bytes */
	assert_int_equal(size, 52 + 2 * 32 + 6 * 8 + 2 * 16 + 20 + 3 + 5 + 4);
	lines_check(least, "bytes 0xe0 4 6e656564");
	uint32_t len;
	assert_null(make("hash\n", &len));
	assert_null(make("elf 2 1 0 1 62 0 0 4 own\n", &len)); /* an object */
}

/* Relocations without addends: what is added is where they are. */
static void addends_are_where_they_count(void **state)
{
	(void)state;
	uint32_t size;
	MEM_SCOPED char *said = said_of("elf 1 1 0 3 3 0x0 0x0 6 there\n"
	                                "gnu-hash\nrelocation 0x3000 8 0x1010\n"
	                                "bytes 0x1010 5 90909090\nbytes 0x3000 6 10100000\n",
	                                &size);
	unsigned long long place, addend;
	assert_int_equal(
		sscanf(strstr(said, "relocation"), "relocation %llx 8 %llx", &place, &addend), 2);
	assert_int_equal(addend + 16, place);
	lines_check(said, "there\n");
}

static void lines_are_hostile(void **state)
{
	static const char *const all[] = {
		"fixed\n" HEAD TABLES REFERENCES CODE REST, HEAD TABLES REFERENCES CODE REST,
		"fixed\nelf 1 2 0 2 3 0x0 0x1010 6 there\n" TABLES REFERENCES CODE REST
	};
	(void)state;
	lines_hostile(&kind, all, 3, "0123456789abcdefx -\ngh", rounds(ROUNDS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_stay),
		cmocka_unit_test(all_moves_together),
		cmocka_unit_test(what_is_gone_is_not_said),
		cmocka_unit_test(addends_are_where_they_count),
		cmocka_unit_test(lines_are_hostile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
