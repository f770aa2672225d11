/* HDF5's files as lists of what they hold: what is made of lines says them again, sizes follow what
 * is left, and nothing damaged is read or made but to what is sound. */
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
#include "binary/hdf5.h"
#include "lines.h"

enum { ROUNDS = 2000 };

#define INT "type 100800000400000000002000\n"
#define TEXT "type 1901010010000000100000000100000000000800\n"
#define REFERENCE "type 1700000008000000\n"
/* a number of one byte, a text */
#define PAIR                                                  \
	"type 36020000110000006e0000100000000100000000000800" \
	"7400011901010010000000100000000100000000000800\n"
#define ROOT "hdf5 2\ngroup /\nattribute of\n" INT "space 2\ndata 01000000\ndata 02000000\n"
#define REST                                                                         \
	"dataset /a\n" INT "space 2 2\npacked 2 1 3\ndata 01000000\ndata 02000000\n" \
	"data 03000000\ndata 04000000\n"                                             \
	"dataset /b/c\n" TEXT "space 2\ndata \"one%20word\"\ndata \"\"\n"            \
	"attribute to\n" REFERENCE "space 2\ndata </a>\ndata </b>\n"                 \
	"hard /b/d /a\nsoft /b/e /b/c\nnamed /b/f\n" INT "attribute g\n" INT         \
	"space none\ndataset /g\n" PAIR "space\ndata 07\"needle\"\ndataset /h\n" INT \
	"space 400\ngroup /i\n"
#define LIST "dataset /l\ntype 190000001000000017000000080000000\nspace\ndata [</a>,</g>]\n"

static const struct anew kind = { .read = hdf5_read, .make = hdf5_make };

static char *said_of(const char *text, uint32_t *size)
{
	return lines_said_of(&kind, text, size);
}

/* In both formats the same is said, and what is made needs no settings to be so. */
static void all_is_said(void **state)
{
	(void)state;
	static const char *const settings[] = { "", "old\n", "wide\nroom\n", "old\nwide\n" };
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t size;
		MEM_SCOPED char *text = mem_printf("%s%s", settings[i], ROOT REST LIST);
		MEM_SCOPED char *said = said_of(text, &size);
		uint32_t front = hdf5_settings((const uint8_t *)said, (uint32_t)strlen(said));
		assert_true(!strncmp(said + front, "hdf5 2\n", 7));
		assert_int_equal(!strncmp(said, "old\n", 4), i & 1);
		lines_check(said, "group /\nattribute of\n" INT "space 2\ndata 01000000\n");
		lines_check(said, i & 1 ? "dataset /a\n" INT "space 2 2\ndata 01000000\n"
		                        : "dataset /a\n" INT "space 2 2\npacked 2 1 3\ndata ");
		lines_check(said, "space 2\ndata \"one%20word\"\ndata \"\"\n");
		lines_check(said, "attribute to\n" REFERENCE "space 2\ndata </a>\ndata </b>\n");
		lines_check(said, "hard /b/d /a\nsoft /b/e /b/c\nnamed /b/f\n" INT);
		lines_check(said, "attribute g\n" INT "space none\n");
		lines_check(said, "space\ndata 07\"needle\"\n");
		lines_check(said, "dataset /h\n" INT "space 400\ngroup /i\n");
		lines_check(said, "data [</a>,</g>]\n");
	}
}

/* Sides follow the values, and addresses are as narrow as the file lets them be. */
static void sizes_follow(void **state)
{
	(void)state;
	uint32_t size;
	MEM_SCOPED char *said = said_of("hdf5 3\ndataset /a\n" INT "space 7 2\ndata 01000000\n"
	                                "data 02000000\ndata 03000000\ndata 04000000\n",
	                                &size);
	lines_check(said, "hdf5 3\ndataset /a\n" INT "space 2 2\n");
	assert_int_equal(size, 24 + 31 + 63); /* head, root, a */
	MEM_SCOPED char *odd = said_of("hdf5 2\ndataset /a\n" INT "space 7 2\ndata 01000000\n"
	                               "data 02000000\ndata 03000000\n",
	                               &size);
	lines_check(odd, "space 3\n");
	MEM_SCOPED char *one =
		said_of("hdf5 2\ndataset /a\n" INT "data 01000000 02000000\n", &size);
	lines_check(one, "space\ndata 01000000\n");
	BUF_SCOPED struct buf large = { 0 };
	buf_addf(&large, "hdf5 2\ndataset /a\n" INT "space 1\n");
	for (uint32_t i = 0; i < 20000; i++)
		buf_addf(&large, "data %08x\n", i);
	MEM_SCOPED char *many = said_of(large.data, &size);
	lines_check(many, "data 00004e1c 00004e1d 00004e1e 00004e1f\n");
	assert_true(size > 80000 && size < 80200);
	assert_int_equal(hdf5_settings((const uint8_t *)many, (uint32_t)strlen(many)), 0);
}

/* Values that are in a chunk stay so, and packed, in the newer format. */
static void values_stay_packed(void **state)
{
	(void)state;
	static const char *const ways[] = { "packed\n", "packed 1\n", "packed 2 1 3\n" };
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t size;
		BUF_SCOPED struct buf text = { 0 };
		buf_addf(&text, "hdf5 2\ndataset /a\n" INT "space 20\n%s", ways[i]);
		for (uint32_t k = 0; k < 200; k++)
			buf_addf(&text, "data 61626300\n");
		MEM_SCOPED char *said = said_of(text.data, &size);
		BUF_SCOPED struct buf there = { 0 };
		buf_addf(&there, INT "space 200\n%sdata 61626300\n", ways[i]);
		lines_check(said, there.data);
		assert_int_equal(size<800, i> 0);
		BUF_SCOPED struct buf older = { 0 };
		buf_addf(&older, "old\n%s", text.data);
		MEM_SCOPED char *plain = said_of(older.data, &size);
		lines_check(plain, INT "space 200\ndata 61626300\n");
	}
}

/* libhdf5 2.0 gives layouts the next number, and reads sides of the least width only. */
static void layouts_are_of_two_versions(void **state)
{
	(void)state;
	static const char *const sides[] = { "\4\2\0\2\1\310\4", "\4\2\0\2\2\0\2\4" };
	static const uint32_t lens[] = { 7, 8 };
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t size, len, at = 0;
		BUF_SCOPED struct buf text = { 0 };
		buf_addf(&text, "hdf5 2\ndataset /a\n" INT "space 20\npacked\n");
		for (uint32_t k = 0; k < (i ? 512 : 200); k++)
			buf_addf(&text, "data 61626300\n");
		MEM_SCOPED uint8_t *made =
			hdf5_make((const uint8_t *)text.data, (uint32_t)text.len, &size);
		while (at + lens[i] < size && memcmp(made + at, sides[i], lens[i]) != 0)
			at++;
		assert_true(at + lens[i] < size);
		made[at] = 5;
		MEM_SCOPED uint8_t *said = hdf5_read(made, size, &len);
		lines_check((char *)said, i ? "space 512\npacked\ndata 61626300\n"
		                            : "space 200\npacked\ndata 61626300\n");
	}
}

/* Names in a group of the older format, in as many leaves as they need. */
static void groups_have_leaves(void **state)
{
	(void)state;
	for (uint32_t n = 0; n < 30; n++) {
		uint32_t size, found = 0;
		BUF_SCOPED struct buf text = { 0 };
		buf_addf(&text, "old\nhdf5 2\n");
		for (uint32_t i = 0; i < n; i++)
			buf_addf(&text, "group /n%u\n", i);
		MEM_SCOPED char *said = said_of(text.data, &size);
		for (const char *p = said; (p = strstr(p, "group /n")); p++)
			found++;
		assert_int_equal(found, n);
	}
}

/* Each group of the older format has room for as many names as the largest: 400 MB here, for some
 * 200 KB of lines, at once and not in minutes. */
static void files_have_bounds(void **state)
{
	(void)state;
	uint32_t size;
	BUF_SCOPED struct buf text = { 0 };
	buf_addf(&text, "old\nhdf5 2\n");
	for (uint32_t i = 0; i < 20000; i++)
		buf_addf(&text, "group /n%u\n", i);
	assert_null(hdf5_make((const uint8_t *)text.data, (uint32_t)text.len, &size));
}

static void what_is_none_is_left_out(void **state)
{
	(void)state;
	uint32_t size;
	MEM_SCOPED char *said =
		said_of("hdf5 2\ndataset /a\ntype 10\ndata 01\ndataset /e\ntype\ndataset /b\n" INT
	                "attribute x\nspace 2\ngroup /b/c\nhard /d /none\nattribute y\n",
	                &size);
	assert_string_equal(said, "hdf5 2\ndataset /b\n" INT "space\n");
	assert_null(hdf5_make((const uint8_t *)"group /a\n", 9, &size));
}

static void lines_are_hostile(void **state)
{
	static const char *const all[] = { ROOT REST LIST, "old\n" ROOT REST,
		                           "wide\nroom\n" ROOT REST, "old\nwide\n" ROOT REST LIST };
	(void)state;
	lines_hostile(&kind, all, 4, "0123456789abcdef/ \n\"[]<>,%", rounds(ROUNDS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_said),
		cmocka_unit_test(sizes_follow),
		cmocka_unit_test(values_stay_packed),
		cmocka_unit_test(layouts_are_of_two_versions),
		cmocka_unit_test(groups_have_leaves),
		cmocka_unit_test(files_have_bounds),
		cmocka_unit_test(what_is_none_is_left_out),
		cmocka_unit_test(lines_are_hostile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
