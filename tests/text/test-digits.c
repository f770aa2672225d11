/* Records whose lengths are in digits: formats that are drawn at random are recognized, and cuts
 * leave what a strict reader of that format accepts; tables and texts with numbers are no records.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "cuts.h"
#include "binary/records.h"
#include "text/testcase.h"
#include "../rounds.h"

enum { ROOM = 1 << 17, FORMATS = 60, MANY = 95, SUM_WIDTH = 8 };

/* A record: a tag, its length, what says nothing, perhaps a checksum of the header, a mark, the
 * body, a trailer, padding. */
struct plan {
	uint32_t magic, tag, rest, trail; /* bytes */
	uint8_t code, width;
	bool whole; /* the length counts all of the record */
	bool sum;
	uint32_t align;
	uint8_t fill;
	uint32_t records, longest;
	bool text; /* what bodies are */
};

static uint32_t below(struct rng *rng, uint32_t n)
{
	return (uint32_t)rng_below(rng, n);
}

static struct plan draw(struct rng *rng)
{
	static const enum code codes[] = { CODE_OCTAL, CODE_PADDED,   CODE_ZEROS,
		                           CODE_HEX,   CODE_HEX_WIDE, CODE_DECIMAL };
	struct plan p = { .code = (uint8_t)codes[below(rng, 6)], .align = 1 };
	bool varies = code_varies(p.code);
	p.width = varies ? 0 : p.code == CODE_HEX_WIDE ? 8 : 6;
	p.magic = below(rng, 2) ? 0 : 1 + below(rng, 9);
	p.tag = below(rng, 3) ? 3 + below(rng, varies ? 6 : 100) : 0;
	p.sum = !varies && below(rng, 2);
	p.rest = varies ? 0 : below(rng, 60);
	p.trail = below(rng, 3);
	p.whole = !varies && !p.sum && !p.rest && below(rng, 3) == 0;
	p.trail = p.whole ? 0 : p.trail;
	if (!varies && !p.whole && below(rng, 2)) {
		p.align = below(rng, 2) ? 512 : 2;
		p.fill = p.align == 2 ? '\n' : 0;
		p.trail = 0;
		p.magic = 0;
	}
	p.records = 5 + below(rng, 40);
	p.longest = 60 + below(rng, 700);
	p.text = below(rng, 2);
	return p;
}

static uint32_t head_size(const struct plan *p)
{
	return p->tag + p->width + 1 + p->rest + (p->sum ? SUM_WIDTH : 0);
}

static uint32_t put_number(const struct plan *p, uint8_t *out, uint32_t value)
{
	char text[32];
	const char *form = p->code == CODE_OCTAL      ? "%06o"
	                   : p->code == CODE_PADDED   ? "%-6u"
	                   : p->code == CODE_ZEROS    ? "%06u"
	                   : p->code == CODE_HEX      ? "%x"
	                   : p->code == CODE_HEX_WIDE ? "%08x"
	                                              : "%u";
	int n = snprintf(text, sizeof text, form, value);
	memcpy(out, text, (size_t)n);
	return (uint32_t)n;
}

static uint32_t sum_of(const uint8_t *head, uint32_t size)
{
	uint32_t sum = SUM_WIDTH * ' ';
	for (uint32_t i = 0; i + SUM_WIDTH < size; i++)
		sum += head[i];
	return sum;
}

static uint32_t put_record(const struct plan *p, struct rng *rng, uint8_t *out, uint32_t at)
{
	uint32_t begin = at, body = 1 + below(rng, p->longest), head;
	for (uint32_t i = 0; i < p->tag; i++, at++)
		out[at] = i < 2 || i + 1 == p->tag ? (uint8_t) "@!="[i < 2 ? i : 2]
		                                   : (uint8_t)('a' + below(rng, 26));
	at += put_number(p, out + at, body + (p->whole ? head_size(p) : 0));
	out[at++] = ':';
	for (uint32_t i = 0; i < p->rest; i++)
		out[at++] = (uint8_t)('k' + below(rng, 16));
	head = at - begin + SUM_WIDTH;
	if (p->sum)
		at += (uint32_t)snprintf((char *)out + at, SUM_WIDTH + 1, "%06o%c ",
		                         sum_of(out + begin, head), 0);
	for (uint32_t i = 0; i < body; i++)
		out[at++] = p->text ? (uint8_t) "etaoin shrdlu\n"[below(rng, 14)]
		                    : (uint8_t)(1 + below(rng, 255));
	out[at - 1] = '.';
	for (uint32_t i = 0; i < p->trail; i++)
		out[at++] = i ? '\n' : '\r';
	while ((at - begin) % p->align)
		out[at++] = p->fill;
	return at;
}

static uint32_t make(const struct plan *p, struct rng *rng, uint8_t *out, uint32_t *borders)
{
	uint32_t at = p->magic;
	memcpy(out, "#container", p->magic);
	for (uint32_t i = 0; i < p->records; i++) {
		borders[i] = at;
		at = put_record(p, rng, out, at);
	}
	borders[p->records] = at;
	if (p->align == 512)
		memset(out + at, 0, 1024);
	return at + (p->align == 512 ? 1024 : 0);
}

/* Where the record at AT ends; 0 when it is none. */
static uint32_t read_record(const struct plan *p, const uint8_t *b, uint32_t at, uint32_t size)
{
	uint32_t begin = at, width = p->width;
	uint64_t value, rest;
	at += p->tag;
	if (at >= size || !code_read(p->code, b + at, b + size, &width, &value))
		return 0;
	rest = p->whole ? value - head_size(p) : value;
	at += width;
	if (at >= size || b[at++] != ':' || rest > size)
		return 0;
	at += p->rest;
	if (p->sum) {
		uint32_t eight = SUM_WIDTH;
		if (!code_read(CODE_OCTAL, b + at, b + size, &eight, &value) ||
		    value != sum_of(b + begin, at + SUM_WIDTH - begin))
			return 0;
		at += SUM_WIDTH;
	}
	at += (uint32_t)rest;
	for (uint32_t i = 0; i < p->trail; i++, at++)
		if (at >= size || b[at] != (i ? '\n' : '\r'))
			return 0;
	for (; at < size && (at - begin) % p->align; at++)
		if (b[at] != p->fill)
			return 0;
	return (at - begin) % p->align || at > size ? 0 : at;
}

static bool is_sound(const struct plan *p, const uint8_t *b, uint32_t size)
{
	uint32_t end = size - (p->align == 512 ? 1024 : 0);
	for (uint32_t at = p->magic; at < end;)
		if (!(at = read_record(p, b, at, end)))
			return false;
	return true;
}

static bool cut_is_sound(const struct plan *p, const struct records *r, struct testcase *tc,
                         uint32_t from, uint32_t to)
{
	struct testcase *cut = cuts_apply(r, tc, from, to);
	bool sound = is_sound(p, cut->bytes, cut->size);
	testcase_unref(cut);
	return sound;
}

static bool is_recognized(const struct plan *p, struct rng *rng)
{
	static uint32_t borders[64];
	uint8_t *bytes = mem_zero(1, ROOM + 1);
	uint32_t size = make(p, rng, bytes, borders);
	assert_true(size <= ROOM && is_sound(p, bytes, size));
	struct testcase *tc = testcase_new("x", 0644, bytes, size);
	struct records *r = records_find(bytes, size);
	bool all = r;
	for (uint32_t i = 0; i < p->records && all; i++)
		all = cuts_is_border(r, borders[i], borders[i + 1]);
	for (uint32_t i = 0; i < 8 && all; i++) {
		uint32_t a = below(rng, p->records), b = a + 1 + below(rng, p->records - a);
		if (b - a < p->records)
			all = cut_is_sound(p, r, tc, borders[a], borders[b]);
		uint32_t body = borders[a] + head_size(p) + 8;
		if (all && borders[a] + 60 < borders[a + 1] && body + 4 < borders[a + 1] &&
		    p->align == 1)
			all = cut_is_sound(p, r, tc, body, body + 2);
	}
	records_unref(r);
	testcase_unref(tc);
	return all;
}

static void planted(void **state)
{
	(void)state;
	struct rng rng = { 5 };
	uint32_t found = 0;
	uint32_t formats = FORMATS / rounds_stride();
	for (uint32_t i = 0; i < formats; i++) {
		struct plan p = draw(&rng);
		bool is = is_recognized(&p, &rng);
		if (!is)
			print_message("missed: code %u width %u tag %u rest %u trail %u align %u "
			              "whole %d sum %d text %d records %u\n",
			              p.code, p.width, p.tag, p.rest, p.trail, p.align, p.whole,
			              p.sum, p.text, p.records);
		found += is;
	}
	print_message("%u of %u containers recognized\n", found, formats);
	assert_true(found >= formats * MANY / 100);
}

/* Lines of numbers and words: a table, a log, prose; KIND says which. */
static uint32_t make_text(uint32_t kind, struct rng *rng, char *out, uint32_t room)
{
	uint32_t at = 0;
	while (at + 100 < room) {
		uint32_t a = below(rng, 2000), b = below(rng, 90), c = below(rng, 9000000);
		const char *form = kind == 0   ? "%u,%u,%u\n"
		                   : kind == 1 ? "%08u %04x %o\n"
		                   : kind == 2 ? "  call f%u(%u, 0x%x);\n"
		                   : kind == 3 ? "%04u    %-6u  %u\n"
		                               : "%u %u %u ";
		at += (uint32_t)snprintf(out + at, 100, form, a, b, c);
	}
	return at;
}

static void numbers_alone(void **state)
{
	(void)state;
	struct rng rng = { 9 };
	uint32_t wrong = 0;
	for (uint32_t i = 0; i < 60 / rounds_stride(); i++) {
		uint32_t room = 200 + below(&rng, 20000);
		char *text = mem_alloc(room + 1);
		uint32_t size = make_text(i % 5, &rng, text, room);
		struct records *r = records_find((const uint8_t *)text, size);
		for (uint32_t k = 0; r && k < r->repair->n; k++)
			wrong += r->repair->fields[k].kind == FIELD_LENGTH;
		records_unref(r);
		free(text);
	}
	print_message("%u of 60 texts taken for records\n", wrong);
	assert_true(wrong == 0);
}

/* A hexadecimal digit, then "1," over and over, each of which counts a byte. */
static void one_over_and_over(void **state)
{
	(void)state;
	enum { TIMES = 90 };
	char text[16 + 2 * TIMES];
	int at = snprintf(text, sizeof text, "[\"NEEDLE\"");
	for (int i = 0; i < TIMES; i++)
		at += snprintf(text + at, sizeof text - (size_t)at, ",1");
	text[at++] = ']';
	struct records *r = records_find((const uint8_t *)text, (uint32_t)at);
	assert_true(!r || !r->repair->n);
	records_unref(r);
}

/* Records by FORM, a length of which counts MORE than the words, behind BEGIN. */
static char *with_words(const char *begin, const char *form, uint32_t more)
{
	static const char *const words[] = { "of the river",
		                             "and",
		                             "other things that they knew",
		                             "never",
		                             "so it was said",
		                             "in a house by the sea" };
	char *text = mem_alloc(2000);
	int at = snprintf(text, 2000, "%s", begin);
	for (uint32_t i = 0; i < 30; i++) {
		const char *word = words[(i * i + i / 4) % 6];
		at += snprintf(text + at, 2000 - (size_t)at, form, (uint32_t)strlen(word) + more,
		               word);
	}
	return text;
}

/* BEGIN without WHAT is WANTED; behind both are records by FORM. */
static void assert_cut(const char *form, uint32_t more, const char *begin, const char *what,
                       const char *wanted)
{
	char *text = with_words(begin, form, more), *after = with_words(wanted, form, more);
	uint32_t size = (uint32_t)strlen(text), at = (uint32_t)(strstr(text, what) - text);
	struct testcase *tc = testcase_new("x", 0644, (uint8_t *)text, size);
	struct records *r = records_find(tc->bytes, size);
	struct arena arena = { 0 };
	assert_non_null(r);
	struct edit cut = edit_cut(&arena, at, at + (uint32_t)strlen(what));
	struct testcase *less = edit_apply(tc, repair_edit(r->repair, tc->bytes, cut, &arena));
	assert_string_equal(less->bytes, after);
	testcase_unref(less);
	testcase_unref(tc);
	records_unref(r);
	arena_release(&arena);
	free(after);
}

static void lengths_of_text(void **state)
{
	(void)state;
	assert_cut("%u:%s,", 0, "5:alpha,13:of some river,", " some", "5:alpha,8:of river,");
	assert_cut("%x\r\n%s\r\n", 0, "1b\r\nthere are more than sixteen\r\n", "there are ",
	           "11\r\nmore than sixteen\r\n");
	assert_cut("%04x%s", 4, "000cwant all0011there is more0000", "all",
	           "0009want 0011there is more0000");
}

enum { BLOCK = 512, MEMBERS = 6 };

/* Appends a member of a tar of N bytes, of which the second half are zeros; with the sum of its
 * header. */
static uint32_t add_member(uint8_t *bytes, uint32_t size, uint32_t i, uint32_t n)
{
	char *head = (char *)bytes + size;
	uint32_t sum = 0;
	snprintf(head, BLOCK, "d/f%u.o", i);
	snprintf(head + 100, 24, "%07o%c%07o%c%07o", 0644, 0, 0, 0, 0);
	snprintf(head + 124, 24, "%011o%c%011o", n, 0, 0);
	memcpy(head + 148, "        0", 9);
	memcpy(head + 257, "ustar\00000", 8);
	for (uint32_t k = 0; k < BLOCK; k++)
		sum += (uint8_t)head[k];
	snprintf(head + 148, 8, "%06o", sum);
	for (uint32_t k = 0; k < n / 2; k++)
		head[BLOCK + k] = (char)(k * k + i);
	return size + BLOCK + (n + BLOCK - 1) / BLOCK * BLOCK;
}

/* What was no record after all leaves no length that is repaired. */
static void assert_length_stays(const struct records *r, const uint8_t *bytes)
{
	struct arena arena = { 0 };
	struct edit cut = repair_edit(r->repair, bytes, edit_cut(&arena, BLOCK, BLOCK + 8), &arena);
	for (uint32_t i = 0; i < cut.n; i++)
		assert_true(cut.parts[i].begin >= 136 || cut.parts[i].end <= 124);
	arena_release(&arena);
}

/* How many members are found of which the header is a block; N of SIZE bytes, and one of LAST; if
 * that is the only one, whether it is known to be one. */
static uint32_t members_found(uint32_t n, uint32_t size, uint32_t last, bool spoil)
{
	uint8_t *bytes = mem_zero((n + 1) * (BLOCK + size + last + BLOCK) + 2 * BLOCK, 1);
	uint32_t at = 0, members = 0;
	for (uint32_t i = 0; i < n; i++)
		at = add_member(bytes, at, i, size + i * 8);
	at = add_member(bytes, at, n, last);
	bytes[148 + 5] ^= spoil;
	struct records *r = records_find(bytes, at + 2 * BLOCK);
	if (spoil && r)
		assert_length_stays(r, bytes);
	for (uint32_t i = 0; r && i < r->n; i++)
		members += (n || r->proven) && !r->list[i].depth &&
		           r->list[i].body - r->list[i].begin == BLOCK;
	if (r)
		records_unref(r);
	free(bytes);
	return members;
}

/* The header is what fills whole blocks, although a longer one, or a shorter one with more padding,
 * would fit, and although bodies end with what padding is made of. */
static void headers_fill_blocks(void **state)
{
	(void)state;
	assert_int_equal(members_found(MEMBERS, 2496, 54, false), MEMBERS + 1);
	assert_int_equal(members_found(MEMBERS, 1624, 1672, false), MEMBERS + 1);
}

/* Where one is left, the sum of its header shows that it is one. */
static void last_member_is_one(void **state)
{
	(void)state;
	assert_int_equal(members_found(0, 0, 1672, false), 1);
	assert_int_equal(members_found(0, 0, 1672, true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted),
		cmocka_unit_test(headers_fill_blocks),
		cmocka_unit_test(last_member_is_one),
		cmocka_unit_test(numbers_alone),
		cmocka_unit_test(one_over_and_over),
		cmocka_unit_test(lengths_of_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
