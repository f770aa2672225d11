/* What is said of records elsewhere: each form of file, without one of its members, is what the
 * form makes of the others alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "binary/layers.h"
#include "binary/records.h"
#include "binary/sums.h"
#include "text/edit.h"
#include "text/testcase.h"

enum { MEMBERS = 24, SMALLEST = 5, LARGEST = 300 };

/* A member; what goes with it. */
struct member {
	uint8_t bytes[LARGEST];
	uint32_t n, kind;
};

static struct member *members(void)
{
	struct member *m = mem_alloc(MEMBERS * sizeof *m);
	struct rng rng = { 7 };
	for (uint32_t i = 0; i < MEMBERS; i++) {
		m[i].n = SMALLEST + (uint32_t)rng_below(&rng, LARGEST - SMALLEST);
		m[i].kind = (uint32_t)rng_below(&rng, 4);
		for (uint32_t k = 0; k < m[i].n; k++)
			m[i].bytes[k] = (uint8_t)rng_below(&rng, 256);
	}
	return m;
}

static void add(struct buf *b, enum code code, uint32_t width, uint64_t value)
{
	uint8_t text[CODE_MAX], none[CODE_MAX] = { 0x80 };
	buf_add(b, text, code_write(code, none, width, value, text));
}

/* Elements as in Matroska. */
static void add_element(struct buf *b, const char *tag, const void *bytes, size_t n)
{
	buf_add(b, tag, strlen(tag));
	add(b, CODE_EBML, 1, n);
	buf_add(b, bytes, n);
}

static uint64_t total(const struct member *m, uint32_t n, bool longest)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < n; i++)
		sum = !longest ? sum + m[i].n : m[i].n > sum ? m[i].n : sum;
	return sum;
}

/* How many there are, how much they hold, how long the longest is, how many of each kind. */
static void make_totals(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	uint32_t kinds[4] = { 0 };
	for (uint32_t i = 0; i < n; i++)
		kinds[m[i].kind]++;
	buf_addf(b, "TOTALS");
	add(b, CODE_LITTLE, 2, n);
	add(b, CODE_LITTLE, 4, total(m, n, false));
	add(b, CODE_LITTLE, 4, total(m, n, true));
	for (uint32_t i = 0; i < 4; i++)
		add(b, CODE_LITTLE, 2, kinds[i]);
	buf_addf(b, "members:");
	for (uint32_t i = 0; i < n; i++) {
		begins[i] = (uint32_t)b->len;
		add(b, CODE_LITTLE, 2, m[i].n);
		add(b, CODE_LITTLE, 1, m[i].kind);
		buf_add(b, m[i].bytes, m[i].n);
	}
}

/* Lengths and sums in digits; behind the last what they are together, and a digest in base64. */
static void make_chunks(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	enum { DIGITS = 44 };
	uint8_t digest[CODE_MAX];
	struct sum_state s;
	sum_begin(&s, SUM_SHA256);
	buf_addf(b, "chunks follow\r\n\r\n");
	for (uint32_t i = 0; i < n; i++) {
		begins[i] = (uint32_t)b->len;
		buf_addf(b, "%x;crc=%08x\r\n", m[i].n, sum_bytes(SUM_CRC32, m[i].bytes, m[i].n));
		buf_add(b, m[i].bytes, m[i].n);
		buf_addf(b, "\r\n");
		sum_feed(&s, m[i].bytes, m[i].n);
	}
	sum_put(&s, CODE_BIG, digest, DIGITS, digest);
	buf_addf(b, "0\r\nChunks: %u\r\nBytes: %u\r\nDigest: %.*s\r\n", n,
	         (uint32_t)total(m, n, false), DIGITS, (const char *)digest);
}

/* An index behind them says where each begins, and how long it is. */
static void make_index(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	buf_addf(b, "INDEXED1");
	for (uint32_t i = 0; i < n; i++) {
		begins[i] = (uint32_t)b->len;
		buf_addf(b, "part");
		add(b, CODE_LITTLE, 4, m[i].n);
		buf_add(b, m[i].bytes, m[i].n);
	}
	buf_addf(b, "rows");
	add(b, CODE_LITTLE, 4, 16 * n);
	for (uint32_t i = 0; i < n; i++) {
		buf_addf(b, "part");
		add(b, CODE_LITTLE, 4, 16);
		add(b, CODE_LITTLE, 4, begins[i] - 4);
		add(b, CODE_LITTLE, 4, m[i].n);
	}
}

/* Elements with a checksum of what follows it, the MD5 of all, and one element for each. */
static void make_elements(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	struct buf all = { 0 }, parts = { 0 }, cues = { 0 };
	uint8_t digest[CODE_MAX];
	struct sum_state s;
	for (uint32_t i = 0; i < n; i++) {
		struct buf part = { 0 }, whole = { 0 }, sum = { 0 }, cue = { 0 }, place = { 0 };
		begins[i] = (uint32_t)parts.len;
		add_element(&part, "\xa3", m[i].bytes, m[i].n);
		add(&sum, CODE_LITTLE, 4,
		    sum_bytes(SUM_CRC32, (const uint8_t *)part.data, part.len));
		add_element(&whole, "\xbf", sum.data, sum.len);
		buf_add(&whole, part.data, part.len);
		add_element(&parts, "\x1f\x43\xb6\x75", whole.data, whole.len);
		add(&place, CODE_BIG, 4, begins[i]);
		add_element(&cue, "\xf1", place.data, place.len);
		add_element(&cues, "\xbb", cue.data, cue.len);
		struct buf *bufs[] = { &part, &whole, &sum, &cue, &place };
		for (uint32_t k = 0; k < 5; k++)
			buf_release(bufs[k]);
	}
	sum_begin(&s, SUM_MD5);
	sum_feed(&s, (const uint8_t *)parts.data, parts.len);
	sum_put(&s, CODE_BIG, digest, 16, digest);
	buf_add(&all, parts.data, parts.len);
	add_element(&all, "\x1c\x53\xbb\x6b", cues.data, cues.len);
	add_element(&all, "\xec", digest, 16);
	add_element(b, "\x42\x82", "elements", 8);
	add_element(b, "\x18\x53\x80\x67", all.data, all.len);
	for (uint32_t i = 0; i < n; i++)
		begins[i] += (uint32_t)(b->len - all.len);
	buf_release(&all);
	buf_release(&parts);
	buf_release(&cues);
}

/* Rows in another order than what they are about, or (ENDS) without lengths, in the same. */
static void add_rows(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins, bool ends)
{
	uint32_t at = 12 + (ends ? 8 : 16) * n;
	for (uint32_t i = 0; i < n; at += m[i++].n)
		begins[i] = at;
	buf_addf(b, "ROWS");
	add(b, CODE_BIG, 4, n);
	add(b, CODE_BIG, 4, total(m, n, false));
	for (uint32_t kind = 0; kind < (ends ? 1 : 4); kind++)
		for (uint32_t i = 0; i < n; i++) {
			if (!ends && m[i].kind != kind)
				continue;
			if (ends)
				buf_addf(b, "no%02x", m[i].kind);
			else
				buf_addf(b, "name%04x", m[i].kind);
			add(b, CODE_BIG, 4, begins[i]);
			if (!ends)
				add(b, CODE_BIG, 4, m[i].n);
		}
	for (uint32_t i = 0; i < n; i++)
		buf_add(b, m[i].bytes, m[i].n);
}

static void make_unsorted(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	add_rows(b, m, n, begins, false);
}

static void make_ends(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	add_rows(b, m, n, begins, true);
}

/* Where the next of two lists is, from where the file begins; in front of all where both begin, how
 * many there are, and how many the longer one has. */
static void make_links(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	uint32_t count[2] = { 0 }, first[2] = { 0 }, head = 20, at = head;
	for (uint32_t i = 0; i < n; at += 6 + m[i++].n) {
		begins[i] = at;
		if (!count[m[i].kind % 2]++)
			first[m[i].kind % 2] = at;
	}
	buf_addf(b, "LINKED00");
	add(b, CODE_BIG, 4, first[0]);
	add(b, CODE_BIG, 4, first[1]);
	add(b, CODE_BIG, 2, n);
	add(b, CODE_BIG, 2, count[0] > count[1] ? count[0] : count[1]);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = i + 1;
		while (next < n && m[next].kind % 2 != m[i].kind % 2)
			next++;
		add(b, CODE_BIG, 4, next < n ? begins[next] : 0);
		add(b, CODE_BIG, 2, m[i].n);
		buf_add(b, m[i].bytes, m[i].n);
	}
}

/* Lengths count words of four bytes; what all are together, too. */
static void make_words(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	uint64_t words = 0;
	for (uint32_t i = 0; i < n; i++)
		words += 1 + m[i].n / 4;
	buf_addf(b, "WORDS");
	add(b, CODE_LITTLE, 3, n);
	add(b, CODE_LITTLE, 4, words);
	for (uint32_t i = 0; i < n; i++) {
		begins[i] = (uint32_t)b->len;
		add(b, CODE_LITTLE, 2, 1 + m[i].n / 4);
		add(b, CODE_LITTLE, 2, m[i].kind);
		buf_add(b, m[i].bytes, m[i].n / 4 * 4);
	}
}

/* Strings behind their lengths, as S-expressions have them; sums in digits. */
static void make_strings(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	char count[16], bytes[16];
	int width = snprintf(count, sizeof count, "%u", n);
	buf_addf(b, "(7:strings(5:count%d:%s)", width, count);
	width = snprintf(bytes, sizeof bytes, "%u", (uint32_t)total(m, n, false));
	buf_addf(b, "(5:bytes%d:%s)", width, bytes);
	for (uint32_t i = 0; i < n; i++) {
		begins[i] = (uint32_t)b->len - 1;
		buf_addf(b, "(6:member(3:sum8:%08x)(4:data%u:",
		         sum_bytes(SUM_CRC32, m[i].bytes, m[i].n), m[i].n);
		buf_add(b, m[i].bytes, m[i].n);
		buf_addf(b, "))");
	}
	buf_addf(b, ")");
}

/* Sections of text with a number of their own, a blank line between them. */
static void make_sections(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	buf_addf(b, "[all]\nsections = %u\nbytes = %u\n", n, (uint32_t)total(m, n, false));
	for (uint32_t i = 0; i < n; i++) {
		begins[i] = (uint32_t)b->len;
		buf_addf(b, "\n[section.%u]\nsize = %u\n", i + 1, m[i].n);
		for (uint32_t k = 0; k < m[i].n; k += 16)
			buf_addf(b, "%c%c = %c\n", 'a' + m[i].bytes[k] % 26, 'a' + k % 23,
			         'a' + m[i].kind);
	}
}

static void add_name(struct buf *b, const struct member *m)
{
	add(b, CODE_LITTLE, 1, 9 + m->kind);
	buf_addf(b, "name-%.*s%02x%02x", (int)m->kind, "abc", m->bytes[0], m->bytes[1]);
}

static void add_crc(struct buf *b, const struct buf *of)
{
	struct sum_state sum;
	uint8_t text[CODE_MAX] = { 0 };
	sum_begin(&sum, SUM_CRC32);
	sum_feed(&sum, (const uint8_t *)of->data, of->len);
	sum_put(&sum, CODE_BIG, text, 4, text);
	buf_add(b, text, 4);
}

/* Rows behind all with a name, a place and a length, and where they begin, how many there are, and
 * their checksum behind them. */
static void make_tail(struct buf *b, const struct member *m, uint32_t n, uint32_t *begins)
{
	struct buf rows = { 0 };
	buf_addf(b, "TAILED00");
	for (uint32_t i = 0; i < n; i++) {
		begins[i] = (uint32_t)b->len;
		add_name(&rows, &m[i]);
		add(&rows, CODE_LITTLE, 4, b->len);
		add(&rows, CODE_LITTLE, 4, m[i].n);
		buf_add(b, m[i].bytes, m[i].n);
	}
	uint32_t place = (uint32_t)b->len;
	buf_add(b, rows.data, rows.len);
	add(b, CODE_LITTLE, 4, place);
	add(b, CODE_LITTLE, 4, n);
	add_crc(b, &rows);
	buf_addf(b, "ENDS");
	buf_release(&rows);
}

/* What is left of B without the record that begins at BEGIN. */
static struct testcase *without(const struct records *r, struct testcase *tc, uint32_t begin)
{
	struct arena arena = { 0 };
	struct edit cut;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *x = &r->list[i];
		struct edit_part parts[] = { { .begin = x->begin, .end = x->end },
			                     { .begin = x->twin, .end = x->twin_end } };
		if (x->begin != begin)
			continue;
		assert_true(edit_make(&arena, parts, x->twin < x->twin_end ? 2 : 1, &cut));
		struct testcase *left =
			edit_apply(tc, repair_edit(r->repair, tc->bytes, cut, &arena));
		arena_release(&arena);
		return left;
	}
	return NULL;
}

static void cuts(void **state)
{
	static void (*const forms[])(struct buf *, const struct member *, uint32_t, uint32_t *) = {
		make_totals,  make_chunks,   make_index, make_elements, make_unsorted, make_ends,
		make_strings, make_sections, make_links, make_words,    make_tail,
	};
	(void)state;
	for (uint32_t k = 0; k < sizeof forms / sizeof *forms; k++)
		for (uint32_t i = 0; i < MEMBERS; i++) {
			struct member *m = members();
			uint32_t begins[MEMBERS];
			struct buf all = { 0 }, rest = { 0 };
			forms[k](&all, m, MEMBERS, begins);
			uint32_t begin = begins[i];
			memmove(m + i, m + i + 1, (MEMBERS - 1 - i) * sizeof *m);
			forms[k](&rest, m, MEMBERS - 1, begins);
			struct testcase *tc = testcase_new(
				"x", 0644, mem_dup(all.data, all.len + 1), (uint32_t)all.len);
			struct records *r = layers_records(NULL, tc->bytes, tc->size);
			assert_non_null(r);
			struct testcase *left = without(r, tc, begin);
			if (!left || left->size != rest.len ||
			    memcmp(left->bytes, rest.data, rest.len) != 0)
				fail_msg("form %u, member %u", k, i);
			testcase_unref(left);
			testcase_unref(tc);
			records_unref(r);
			buf_release(&all);
			buf_release(&rest);
			free(m);
		}
}

/* As RFC 1321 and FIPS 180 have them. */
static void digests(void **state)
{
	(void)state;
	static const struct {
		enum sum sum;
		const char *text, *digest;
	} known[] = {
		{ SUM_MD5, "", "d41d8cd98f00b204e9800998ecf8427e" },
		{ SUM_MD5, "abc", "900150983cd24fb0d6963f7d28e17f72" },
		{ SUM_SHA1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d" },
		{ SUM_SHA256, "abc",
		  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ SUM_SHA256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	};
	for (uint32_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct sum_state s;
		sum_begin(&s, known[i].sum);
		sum_feed(&s, (const uint8_t *)known[i].text, strlen(known[i].text));
		assert_true(sum_stands(&s, CODE_BIG, (const uint8_t *)known[i].digest,
		                       (uint32_t)strlen(known[i].digest)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digests),
		cmocka_unit_test(cuts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
