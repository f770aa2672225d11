/* Records: containers of formats that are drawn at random are recognized, and cuts of them leave
 * what a strict reader of that format accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "cuts.h"
#include "binary/records.h"
#include "text/testcase.h"

enum { ROOM = 1 << 16, FORMATS = 60, MANY = 95, GARBAGE = 30 };

/* A format: magic, perhaps the size of all, perhaps a count, records, perhaps a checksum of all. */
struct plan {
	uint32_t magic, tag, tags; /* bytes; how many kinds */
	uint8_t code, width;       /* of lengths */
	bool whole;                /* lengths count the header */
	uint32_t align;
	bool has_sum; /* behind each record, of tag and body */
	uint8_t sum, sum_code;
	uint8_t count_width, count_code; /* width 0: none */
	bool has_size;                   /* of all, four bytes */
	bool sum_of_all;
	uint32_t records, longest;
	bool text; /* what bodies are */
};

static uint32_t below(struct rng *rng, uint32_t n)
{
	return (uint32_t)rng_below(rng, n);
}

static struct plan draw(struct rng *rng)
{
	static const uint8_t widths[] = { 1, 2, 2, 4, 4, 8 };
	static const uint8_t sums[] = { SUM_CRC32, SUM_CRC32, SUM_ADLER32, SUM_CRC16_CCITT,
		                        SUM_ADD16, SUM_XOR8,  SUM_ADD32 };
	struct plan p = { .magic = 1 + below(rng, 8),
		          .tag = 1 + below(rng, 4),
		          .tags = 2 + below(rng, 8) };
	uint32_t kind = below(rng, 8);
	p.code = kind == 0 ? CODE_LEB : kind == 1 ? CODE_DER : kind & 1 ? CODE_BIG : CODE_LITTLE;
	p.width = kind < 2 ? 0 : widths[below(rng, 6)];
	p.whole = p.width && below(rng, 3) == 0;
	p.align = p.width > 1 && below(rng, 4) == 0 ? 2u << below(rng, 2) : 1;
	p.has_sum = below(rng, 3) == 0;
	p.sum = sums[below(rng, 7)];
	p.sum_code = below(rng, 2) ? CODE_BIG : CODE_LITTLE;
	p.count_width = below(rng, 2) ? 0 : (uint8_t)(1u << (1 + below(rng, 2)));
	p.count_code = below(rng, 2) ? CODE_BIG : CODE_LITTLE;
	p.has_size = below(rng, 3) == 0;
	p.sum_of_all = below(rng, 5) == 0;
	p.records = 5 + below(rng, 60);
	p.longest = p.width == 1 ? 200 : 20 + below(rng, 400);
	p.text = below(rng, 2);
	return p;
}

static uint32_t put(uint8_t *out, uint32_t at, uint8_t code, uint32_t width, uint64_t value)
{
	static const uint8_t none[16];
	return at + code_write(code, none, width, value, out + at);
}

static uint32_t sum_value(uint8_t kind, const uint8_t *bytes, uint32_t n)
{
	struct sum_state s;
	sum_begin(&s, kind);
	sum_feed(&s, bytes, n);
	return sum_end(&s);
}

static uint32_t put_record(const struct plan *p, struct rng *rng, uint8_t *out, uint32_t begin)
{
	uint32_t body = 1 + below(rng, p->longest), sum = p->has_sum ? sum_width(p->sum) : 0,
		 at = begin, tag = below(rng, p->tags);
	for (uint32_t i = 0; i < p->tag; i++)
		out[at++] = (uint8_t)("AKQZ"[i] + tag * (i == p->tag - 1));
	at = put(out, at, p->code, p->width, body + (p->whole ? p->tag + p->width + sum : 0));
	for (uint32_t i = 0; i < body; i++)
		out[at++] = p->text ? (uint8_t)("etaoin shrdlu\n"[below(rng, 14)])
		                    : (uint8_t)below(rng, 256);
	if (sum)
		at = put(out, at, p->sum_code, sum, sum_value(p->sum, out + begin, at - begin));
	while ((at - begin) % p->align)
		out[at++] = 0;
	return at;
}

static uint32_t head_size(const struct plan *p)
{
	return p->magic + 4u * p->has_size + p->count_width;
}

/* A container; BORDERS get where records begin, and where the last one ends. */
static uint32_t make(const struct plan *p, struct rng *rng, uint8_t *out, uint32_t *borders)
{
	uint32_t at = head_size(p), head = p->magic;
	for (uint32_t i = 0; i < p->magic; i++)
		out[i] = (uint8_t)(0x80 + 13 * i);
	for (uint32_t i = 0; i < p->records; i++) {
		borders[i] = at;
		at = put_record(p, rng, out, at);
	}
	borders[p->records] = at;
	if (p->has_size)
		head = put(out, head, CODE_LITTLE, 4, at + 4u * p->sum_of_all);
	if (p->count_width)
		put(out, head, p->count_code, p->count_width, p->records);
	if (p->sum_of_all)
		at = put(out, at, CODE_LITTLE, 4, sum_value(SUM_CRC32, out, at));
	return at;
}

/* A strict reader. */
static bool is_sound(const struct plan *p, const uint8_t *b, uint32_t size)
{
	uint32_t end = size - 4u * p->sum_of_all, at = head_size(p), n = 0, width;
	uint64_t value;
	if (size < at + 4u * p->sum_of_all)
		return false;
	for (; at < end; n++) {
		uint32_t begin = at, sum = p->has_sum ? sum_width(p->sum) : 0;
		width = p->width;
		if (!code_read(p->code, b + at + p->tag, b + end, &width, &value))
			return false;
		uint64_t body = value - (p->whole ? p->tag + p->width + sum : 0);
		if (body > end || begin + p->tag + width + body + sum > end)
			return false;
		at += p->tag + width + (uint32_t)body;
		uint32_t found = sum_value(p->sum, b + begin, at - begin);
		width = sum;
		if (sum &&
		    (!code_read(p->sum_code, b + at, b + end, &width, &value) || value != found))
			return false;
		for (at += sum; (at - begin) % p->align; at++)
			if (at >= end || b[at])
				return false;
	}
	width = 4;
	if (p->has_size &&
	    (!code_read(CODE_LITTLE, b + p->magic, b + size, &width, &value) || value != size))
		return false;
	width = p->count_width;
	if (width &&
	    (!code_read(p->count_code, b + p->magic + 4u * p->has_size, b + size, &width, &value) ||
	     value != n))
		return false;
	width = 4;
	return !p->sum_of_all || (code_read(CODE_LITTLE, b + end, b + size, &width, &value) &&
	                          value == sum_value(SUM_CRC32, b, end));
}

static bool cut_is_sound(const struct plan *p, const struct records *r, struct testcase *tc,
                         uint32_t from, uint32_t to)
{
	struct testcase *cut = cuts_apply(r, tc, from, to);
	bool sound = is_sound(p, cut->bytes, cut->size);
	testcase_unref(cut);
	return sound;
}

/* Every record of the container is found, and cutting some, or of what one holds, repairs the rest.
 */
static bool is_recognized(const struct plan *p, struct rng *rng)
{
	static uint32_t borders[128];
	uint8_t *bytes = mem_alloc(ROOM + 1);
	uint32_t size = make(p, rng, bytes, borders);
	assert_true(size <= ROOM && is_sound(p, bytes, size));
	bytes[size] = 0;
	struct testcase *tc = testcase_new("x", 0644, bytes, size);
	struct records *r = records_find(bytes, size);
	bool all = r;
	for (uint32_t i = 0; i < p->records && all; i++)
		all = cuts_is_border(r, borders[i], borders[i + 1]);
	for (uint32_t i = 0; i < 8 && all; i++) {
		uint32_t a = below(rng, p->records), b = a + 1 + below(rng, p->records - a);
		if (b - a < p->records)
			all = cut_is_sound(p, r, tc, borders[a], borders[b]);
		uint32_t body = borders[a] + p->tag +
		                (p->width ? p->width : 1 + (bytes[borders[a] + p->tag] >> 7));
		if (all && p->code != CODE_DER && borders[a + 1] - body > 12)
			all = cut_is_sound(p, r, tc, body, body + 1);
	}
	records_unref(r);
	testcase_unref(tc);
	return all;
}

static void planted(void **state)
{
	(void)state;
	struct rng rng = { 7 };
	uint32_t found = 0;
	uint32_t formats = rounds(FORMATS);
	for (uint32_t i = 0; i < formats; i++) {
		struct plan p = draw(&rng);
		found += is_recognized(&p, &rng);
	}
	print_message("%u of %u containers recognized\n", found, formats);
	assert_true(found * 100 >= formats * MANY);
}

/* Bytes drawn at random hold no records, and neither do zeros and text. */
/* Twenty bytes behind all are the SHA-1 of what is before them. */
static void digest_of_all(void **state)
{
	(void)state;
	enum { RECORDS = 40, DIGEST = 20 };
	struct rng rng = { 3 };
	uint8_t *bytes = mem_alloc(ROOM);
	uint32_t size = 0, cut = 0;
	for (uint32_t i = 0; i < RECORDS; i++) {
		uint32_t length = 3 + below(&rng, 90);
		cut = i == RECORDS / 2 ? size : cut;
		memcpy(bytes + size, "rec", 3);
		size = put(bytes, size + 3, CODE_BIG, 2, length);
		for (uint32_t k = 0; k < length; k++)
			bytes[size++] = (uint8_t)below(&rng, 256);
	}
	struct sum_state sum;
	sum_begin(&sum, SUM_SHA1);
	sum_feed(&sum, bytes, size);
	sum_put(&sum, CODE_BIG, bytes + size, DIGEST, bytes + size);
	struct testcase *tc = testcase_new("input", 0644, bytes, size + DIGEST);
	struct records *r = records_find(tc->bytes, tc->size);
	assert_non_null(r);
	uint32_t end = cut + 5u + tc->bytes[cut + 4]; /* all are short */
	assert_true(cuts_is_border(r, cut, end));
	struct testcase *left = cuts_apply(r, tc, cut, end);
	sum_begin(&sum, SUM_SHA1);
	sum_feed(&sum, left->bytes, left->size - DIGEST);
	assert_true(sum_stands(&sum, CODE_BIG, left->bytes + left->size - DIGEST, DIGEST));
	testcase_unref(left);
	testcase_unref(tc);
	records_unref(r);
}

static void garbage(void **state)
{
	(void)state;
	struct rng rng = { 3 };
	uint32_t wrong = 0;
	uint32_t n = rounds(GARBAGE);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = 1 + below(&rng, 20000), values = i % 3 ? 256 : 1 + below(&rng, 8);
		uint8_t *bytes = mem_alloc(size + 1);
		for (uint32_t k = 0; k < size; k++)
			bytes[k] = (uint8_t)below(&rng, values);
		struct records *r = records_find(bytes, size);
		wrong += r != NULL;
		records_unref(r);
		free(bytes);
	}
	print_message("%u of %u taken for records\n", wrong, n);
	assert_true(wrong * 10 <= n);
}

/* Two counts of rows that are more together than the finder has room for. */
static void counts_of_too_much(void **state)
{
	(void)state;
	enum { SIZE = 1700000, SECOND = 1600000 };
	uint8_t *bytes = mem_zero(SIZE, 1);
	uint32_t at = put(bytes, 0, CODE_LITTLE, 4, 100);
	put(bytes, at, CODE_LITTLE, 4, SECOND);
	records_unref(records_find(bytes, SIZE));
	free(bytes);
}

/* TEXT without its line LINE is WANTED. */
static void assert_line_cut(const char *text, uint32_t line, const char *wanted)
{
	uint32_t size = (uint32_t)strlen(text), begin = 0, end;
	struct testcase *tc = testcase_new("x", 0644, (uint8_t *)mem_strdup(text), size);
	struct records *r = records_find(tc->bytes, size);
	struct arena arena = { 0 };
	assert_non_null(r);
	for (uint32_t i = 0; i < line; i++)
		begin = (uint32_t)(strchr(text + begin, '\n') + 1 - text);
	end = (uint32_t)(strchr(text + begin, '\n') + 1 - text);
	struct edit edit = repair_edit(r->repair, tc->bytes, edit_cut(&arena, begin, end), &arena);
	struct testcase *cut = edit_apply(tc, edit);
	assert_string_equal((const char *)cut->bytes, wanted);
	testcase_unref(cut);
	testcase_unref(tc);
	records_unref(r);
	arena_release(&arena);
}

/* Numbers in text that say what follows. */
static void counted_lines(void **state)
{
	(void)state;
	assert_line_cut("c made\np cnf 9 6\n1 2 0\n-1 0\n3 4 0\n-2 0\n7 0\n9 0\n", 3,
	                "c made\np cnf 9 5\n1 2 0\n3 4 0\n-2 0\n7 0\n9 0\n");
	assert_line_cut("OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n3 1 2 3\n", 7,
	                "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 1 2 3\n");
	assert_line_cut("POST / HTTP/1.1\nContent-Length: 21\n\none=1\ntwo=22\nthree=3\n", 4,
	                "POST / HTTP/1.1\nContent-Length: 14\n\none=1\nthree=3\n");
	assert_null(records_find((const uint8_t *)"a 5\nb\nc\nd\ne\nf\ng\nh\n", 18));
}

/* Numbers in text that say where something stands in a list. */
static void places_in_lists(void **state)
{
	(void)state;
	assert_line_cut("element v 12\nelement f 6\nend\n"
	                "0.5 0 0\n"
	                "1.5 0 0\n"
	                "2.5 0 0\n"
	                "3.5 0 0\n"
	                "4.5 0 0\n"
	                "5.5 0 0\n"
	                "6.5 0 0\n"
	                "7.5 0 0\n"
	                "8.5 0 0\n"
	                "9.5 0 0\n"
	                "10.5 0 0\n"
	                "11.5 0 0\n"
	                "3 0 1 2\n"
	                "3 1 2 11\n"
	                "3 5 6 7\n"
	                "4 8 9 10 11\n"
	                "3 2 3 4\n"
	                "3 0 5 11\n",
	                4,
	                "element v 11\nelement f 6\nend\n"
	                "0.5 0 0\n"
	                "2.5 0 0\n"
	                "3.5 0 0\n"
	                "4.5 0 0\n"
	                "5.5 0 0\n"
	                "6.5 0 0\n"
	                "7.5 0 0\n"
	                "8.5 0 0\n"
	                "9.5 0 0\n"
	                "10.5 0 0\n"
	                "11.5 0 0\n"
	                "3 0 1 1\n"
	                "3 1 1 10\n"
	                "3 4 5 6\n"
	                "4 7 8 9 10\n"
	                "3 1 2 3\n"
	                "3 0 4 10\n");
	assert_line_cut("*V 8\n1 a\n2 b\n3 c\n4 d\n5 e\n6 f\n7 g\n8 h\n*A\n1 8\n7 2\n3 5\n8 6\n", 2,
	                "*V 7\n1 a\n2 c\n3 d\n4 e\n5 f\n6 g\n7 h\n*A\n1 7\n6 2\n2 4\n7 5\n");
	assert_line_cut("n 10\n0.5\n1.5\n2.5\n3.5\n4.5\n5.5\n6.5\n7.5\n8.5\n9.5\nk 3 9\nk 0 2\n", 2,
	                "n 9\n0.5\n2.5\n3.5\n4.5\n5.5\n6.5\n7.5\n8.5\n9.5\nk 3 9\nk 0 2\n");
}

static struct records *find_text(const char *text)
{
	return records_find((const uint8_t *)text, (uint32_t)strlen(text));
}

/* The last row may be the last one for which there is room. */
static void rows_end_where_counted(void **state)
{
	(void)state;
	for (uint32_t n = 6; n < 140; n++) {
		char text[1024];
		int len = snprintf(text, sizeof text, "h %u 3\n", n);
		for (uint32_t i = 0; i < n; i++)
			len += snprintf(text + len, sizeof text - (size_t)len, "x\n");
		records_unref(find_text(text));
	}
}

/* Each number counts all rows behind it: rows are in few lists all the same. */
static void rows_counted_often(void **state)
{
	(void)state;
	enum { N = 2000, WORDS = 4 };
	char *text = mem_alloc(N * WORDS * 6), *at = text;
	for (int i = 0; i < N; i++)
		for (int k = 0; k < WORDS; k++)
			at += sprintf(at, "%d%c", N - 1 - i, k + 1 < WORDS ? ' ' : '\n');
	struct records *r = find_text(text);
	assert_non_null(r);
	assert_true(r->repair->n_elements <= 4 * N);
	records_unref(r);
	at = text;
	for (int i = 0; i < N; i++)
		at += sprintf(at, "0 a%d %d\n", i, N - 1 - i);
	r = find_text(text);
	assert_true(!r || r->repair->n_elements <= 4 * N);
	records_unref(r);
	free(text);
}

/* Numbers that are as large as something by chance. */
static void numbers_that_count_nothing(void **state)
{
	(void)state;
	assert_null(find_text("// Copyright 2001 - 2003\n// Version 9 . 5 . 7\n// Last change: "
	                      "2003 May 11\n\nsyn a 1\nsyn b\nsyn c\nsyn d\n"
	                      "syn e\nsyn f\nsyn g\nsyn h\nsyn i\nsyn j\nsyn k\nend k\n"
	                      "hi a\nhi b\nhi c\nhi d\nhi e\nhi f\nhi g\nhi h\nhi i\n"
	                      "let a\nlet b\nlet c\nlet d\nlet e\nlet f\nlet g\nlet h\n"
	                      "quit\n"));
	assert_null(find_text("int f ( ) {\n  g = 1 | X;\n  return g;\n}\n"
	                      "int h ( ) {\n  g = 1 | Y;\n  return h;\n}\n"
	                      "int i ( ) {\n  g = 1 | Z;\n  return i;\n}\n"
	                      "int j ( ) {\n  g = 1 | U;\n  return j;\n}\n"
	                      "int k ( ) {\n  g = 1 | V;\n  return k;\n}\n"
	                      "int l ( ) {\n  g = 1 | W;\n  return l;\n}\n"
	                      "int m ( ) {\n  g = 1 | T;\n  return m;\n}\n"));
}

/* What is inserted where two paddings are is counted once: no record ends behind all. It is of the
 * inner one. */
static void paddings_in_one_place(void **state)
{
	(void)state;
	struct field *fields = mem_zero(2, sizeof *fields);
	fields[0] = field_of(FIELD_PADDING, CODE_LITTLE, 10, 0, 4, 10);
	fields[0].depth = 1;
	fields[1] = field_of(FIELD_PADDING, CODE_LITTLE, 10, 0, 6, 10);
	fields[1].depth = 2;
	struct repair *repair = repair_new(fields, 2, NULL, 0, NULL, 0);
	struct arena arena = { 0 };
	struct edit edit = edit_replace(&arena, 10, 10, (const uint8_t *)"p", 1);
	struct moves m = moves_make(repair, edit);
	assert_int_equal(moves_end(&m, 10, 0), 11);
	assert_int_equal(moves_end(&m, 10, 1), 11);
	assert_int_equal(moves_end(&m, 10, 2), 10);
	assert_int_equal(moves_begin(&m, 10), 11);
	struct repair *mapped = repair_map(repair, &m, (const uint8_t *)"0123456789p", 11);
	assert_int_equal(mapped->n, 2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(mapped->fields[i].at, mapped->fields[i].depth == 1 ? 11 : 10);
	repair_unref(mapped);
	moves_release(&m);
	repair_unref(repair);
	arena_release(&arena);
}

/* Of paddings in one place that are of the same depth, only one is what was inserted: no edit
 * replaces its bytes twice. The same one is there once. */
static void paddings_of_one_depth(void **state)
{
	(void)state;
	enum { N = 4 };
	struct field *fields = mem_zero(N, sizeof *fields);
	for (uint32_t i = 0; i < N; i++) {
		fields[i] = field_of(FIELD_PADDING, CODE_LITTLE, 10, 0, 2 * (i / 2), 10);
		fields[i].unit = 4;
	}
	struct repair *repair = repair_new(fields, N, NULL, 0, NULL, 0);
	assert_int_equal(repair->n, 2);
	struct arena arena = { 0 };
	struct edit edit = edit_replace(&arena, 10, 10, (const uint8_t *)"pp", 2);
	struct moves m = moves_make(repair, edit);
	struct repair *mapped = repair_map(repair, &m, (const uint8_t *)"0123456789pp", 12);
	assert_int_equal(mapped->n, 1);
	assert_int_equal(mapped->fields[0].at, 10);
	assert_int_equal(mapped->fields[0].width, 2);
	struct edit cut = repair_edit(mapped, (const uint8_t *)"0123456789pp",
	                              edit_replace(&arena, 8, 9, NULL, 0), &arena);
	assert_int_equal(cut.n, 2);
	assert_true(cut.parts[0].end <= cut.parts[1].begin);
	repair_unref(mapped);
	moves_release(&m);
	repair_unref(repair);
	arena_release(&arena);
}

/* Pages of a PDF that are their own pages, many times over: it ends, and they are not counted. */
static void pages_of_themselves(void **state)
{
	(void)state;
	struct buf pdf = { 0 };
	buf_addf(&pdf, "%%PDF-1.4\n1 0 obj<</Pages 2 0 R>>\nendobj\n");
	size_t second = pdf.len;
	buf_addf(&pdf, "2 0 obj<</Kids[");
	for (int i = 0; i < 40; i++)
		buf_addf(&pdf, "2 0 R ");
	buf_addf(&pdf, "]/Count 9999>>\nendobj\n");
	size_t at = pdf.len;
	buf_addf(&pdf, "xref\n0 3\n0000000000 65535 f \n%010d 00000 n \n%010zu 00000 n \n", 9,
	         second);
	buf_addf(&pdf, "trailer<</Size 3/Root 1 0 R>>\nstartxref\n%zu\n%%%%EOF\n", at);
	struct records *r = records_find((const uint8_t *)pdf.data, (uint32_t)pdf.len);
	assert_non_null(r);
	assert_int_equal(r->n, 2);
	for (uint32_t i = 0; i < r->repair->n; i++)
		assert_true(r->repair->fields[i].kind != FIELD_COUNT ||
		            r->repair->fields[i].list == 0);
	records_unref(r);
	buf_release(&pdf);
}

static void heads_of_blocks_in_brotli(void **state)
{
	static const uint32_t sizes[] = { 1, 2, 1 << 16, (1 << 16) + 1, 1 << 20 };
	uint8_t text[CODE_MAX];
	uint32_t width;
	uint64_t value;
	(void)state;
	for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		assert_int_equal(code_write(CODE_BROTLI, text, 3, sizes[i], text), 3);
		assert_true(code_read(CODE_BROTLI, text, text + 3, &width, &value));
		assert_int_equal(value, sizes[i]);
	}
	assert_int_equal(code_write(CODE_BROTLI, text, 3, 0, text), 0);
	assert_int_equal(code_write(CODE_BROTLI, text, 3, (1 << 20) + 1, text), 0);
	text[2] = 0; /* packed */
	assert_false(code_read(CODE_BROTLI, text, text + 3, &width, &value));
}

/* As lookup3.c has it. */
static void sum_of_lookup3(void **state)
{
	const char text[] = "Four score and seven years ago";
	(void)state;
	assert_int_equal(sum_bytes(SUM_LOOKUP3, (const uint8_t *)text, sizeof text - 1),
	                 0x17770551);
	assert_int_equal(sum_bytes(SUM_LOOKUP3, (const uint8_t *)text, 0), 0xdeadbeef);
}

/* 0xfffe + 0xfe + 0x41 with the carry, and 5 bytes. */
static void sum_of_pe(void **state)
{
	const uint8_t bytes[] = { 0xfe, 0xff, 0xfe, 0x00, 0x41 };
	(void)state;
	assert_int_equal(sum_bytes(SUM_PE, bytes, sizeof bytes), 0x013e + 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heads_of_blocks_in_brotli),
		cmocka_unit_test(paddings_in_one_place),
		cmocka_unit_test(paddings_of_one_depth),
		cmocka_unit_test(rows_end_where_counted),
		cmocka_unit_test(rows_counted_often),
		cmocka_unit_test(numbers_that_count_nothing),
		cmocka_unit_test(planted),
		cmocka_unit_test(digest_of_all),
		cmocka_unit_test(sum_of_lookup3),
		cmocka_unit_test(sum_of_pe),
		cmocka_unit_test(garbage),
		cmocka_unit_test(counts_of_too_much),
		cmocka_unit_test(counted_lines),
		cmocka_unit_test(places_in_lists),
		cmocka_unit_test(pages_of_themselves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
