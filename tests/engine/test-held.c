/* What layers and members hold is a region like the file: a tar in gzip loses members, a document
 * in gzip elements, and a ZIP's document both, an object in a tar its sections, with all that
 * strict readers compare. */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "binary/inflate.h"
#include "binary/sums.h"
#include "lang/tokenizer.h"
#include "reduce/driver.h"
#include "reduce/passes.h"
#include "../run/inproc.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#ifdef HAVE_ZLIB

static void put(struct buf *out, uint32_t n, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		buf_addch(out, (char)(i < 4 ? n >> 8 * i : 0));
}

static uint32_t get(const uint8_t *p, unsigned width)
{
	uint32_t n = 0;
	for (unsigned i = 0; i < width && i < 4; i++)
		n |= (uint32_t)p[i] << 8 * i;
	return n;
}

static bool has(const uint8_t *bytes, uint32_t n, const char *word)
{
	return memmem(bytes, n, word, strlen(word));
}

/* ---- what is packed ---- */

enum { MEMBERS = 90, BLOCK = 512 };

/* BODY as the I-th member of a tar; it is empty afterwards. */
static void put_tar_member(struct buf *out, unsigned i, struct buf *body)
{
	char head[BLOCK] = { 0 };
	unsigned sum = 0;
	snprintf(head, 100, "d/f%u.txt", i);
	snprintf(head + 100, 24, "%07o%c%07o%c%07o", 0644, 0, 0, 0, 0);
	snprintf(head + 124, 24, "%011o%c%011o", (unsigned)body->len, 0, 0);
	memset(head + 148, ' ', 8);
	head[156] = '0';
	memcpy(head + 257, "ustar\00000", 8);
	for (unsigned k = 0; k < BLOCK; k++)
		sum += (uint8_t)head[k];
	snprintf(head + 148, 8, "%06o", sum);
	buf_add(out, head, BLOCK);
	while (body->len % BLOCK)
		buf_addch(body, 0);
	buf_add(out, body->data, body->len);
	buf_release(body);
}

/* 90 members of up to 2 KB, so that blocks of 64 KB end within some. */
static void put_tar(struct buf *out)
{
	for (unsigned i = 0; i < MEMBERS; i++) {
		struct buf body = { 0 };
		for (unsigned k = 0; k < 20 + i * 37 % 150; k++)
			buf_addf(&body, "word %u\n", (k * k + i) % 997);
		buf_addf(&body, i == 40 ? "needle\n" : "other\n");
		put_tar_member(out, i, &body);
	}
	put(out, 0, 2 * BLOCK);
}

enum { ELF_HEAD = 64, SECTION = 64, SECTIONS = 40 };

/* Objects of 40 sections, behind which the table of these stands. */
static void put_objects(struct buf *out)
{
	for (unsigned i = 0; i < 12; i++) {
		struct buf body = { 0 }, table = { 0 };
		buf_add(&body, "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\1\0>\0\1\0\0\0", 24);
		put(&body, 0, ELF_HEAD - 24);
		put(&table, 0, SECTION);
		for (unsigned k = 1, len; k < SECTIONS; k++) {
			put(&table, 0, 4);
			put(&table, 1, 4);
			put(&table, 0, 16);
			put(&table, (uint32_t)body.len, 8);
			len = 20 + (k * 31 + i) % 150;
			buf_addf(&body, i == 7 && k == 23 ? "%0*uneedle" : "%0*uneed not", (int)len,
			         k * k + i);
			put(&table,
			    (uint32_t)body.len - get((uint8_t *)table.data + table.len - 8, 8), 8);
			put(&table, 0, SECTION - 40);
		}
		body.data[40] = (char)body.len;
		body.data[41] = (char)(body.len >> 8);
		memcpy(body.data + 52, "\100\0\0\0\0\0\100\0\50\0\0\0", 12);
		buf_add(&body, table.data, table.len);
		put_tar_member(out, i, &body);
		buf_release(&table);
	}
	put(out, 0, 2 * BLOCK);
}

/* One section has the needle; the table ends with the file. */
static bool read_object(const uint8_t *p, uint32_t size)
{
	bool found = false;
	if (size < ELF_HEAD || memcmp(p, "\177ELF\2\1\1", 7) != 0 || get(p + 58, 2) != SECTION)
		return false;
	uint32_t n = get(p + 60, 2), at = get(p + 40, 4);
	if (at < ELF_HEAD || at > size || size - at != n * SECTION)
		return false;
	for (; n--; at += SECTION) {
		uint32_t begin = get(p + at + 24, 4), len = get(p + at + 32, 4);
		if (begin > size || len > size - begin)
			return false;
		found |= has(p + begin, len, "needle");
	}
	return found;
}

static bool read_members(const uint8_t *p, uint32_t size, bool (*read)(const uint8_t *, uint32_t))
{
	bool found = false;
	for (uint32_t at = 0, n; at + BLOCK <= size && p[at]; at += n) {
		unsigned sum = 8 * ' ';
		for (unsigned k = 0; k < BLOCK; k++)
			sum += k < 148 || k >= 156 ? p[at + k] : 0;
		n = (uint32_t)strtoul((const char *)p + at + 124, NULL, 8);
		if (strtoul((const char *)p + at + 148, NULL, 8) != sum || n > size - at - BLOCK)
			return false;
		found |= read(p + at + BLOCK, n);
		n = BLOCK + (n + BLOCK - 1) / BLOCK * BLOCK;
	}
	return found;
}

static bool has_needle(const uint8_t *p, uint32_t size)
{
	return has(p, size, "needle");
}

static bool read_tar(const uint8_t *p, uint32_t size)
{
	return read_members(p, size, has_needle);
}

static bool read_objects(const uint8_t *p, uint32_t size)
{
	return read_members(p, size, read_object);
}

static void put_xml(struct buf *out)
{
	buf_addf(out, "<?xml version=\"1.0\"?><all>");
	for (unsigned i = 0; i < 3000; i++)
		buf_addf(out, "<item n=\"%u\"><name>%s %u</name></item>", i,
		         i == 1700 ? "needle" : "other", i * 7919 % 10007);
	buf_addf(out, "</all>");
}

/* Elements end in the order in which they begin. */
static bool read_xml(const uint8_t *p, uint32_t size)
{
	char names[64][16];
	unsigned depth = 0, seen = 0;
	for (uint32_t at = 0; at < size; at++) {
		char name[16] = "";
		if (p[at] != '<' || p[at + 1] == '?')
			continue;
		bool closes = p[at + 1] == '/';
		at += 1 + closes;
		for (unsigned k = 0; k < 15 && at < size && islower(p[at]); k++)
			name[k] = (char)p[at++];
		while (at < size && p[at] != '>' && p[at] != '<')
			at++;
		if (!*name || at == size || p[at] == '<' || depth == 64 ||
		    (closes && (!depth || strcmp(names[--depth], name) != 0)))
			return false;
		if (!closes)
			memcpy(names[depth++], name, sizeof name);
		seen++;
	}
	return !depth && seen && has(p, size, "needle");
}

/* A third of all items stays, which is more, open, than all is packed. */
static bool read_many(const uint8_t *p, uint32_t size)
{
	const uint8_t *at = p, *end = p + size;
	unsigned n = 0;
	while ((at = memmem(at, (size_t)(end - at), "<item", 5)))
		n++, at++;
	return n >= 1000 && read_xml(p, size);
}

/* ---- packing ---- */

static void pack(const struct buf *data, struct buf *out)
{
	uLong most = compressBound(data->len);
	uint8_t *text = malloc(most);
	z_stream z = { .next_in = (Bytef *)data->data,
		       .avail_in = (uInt)data->len,
		       .next_out = text,
		       .avail_out = (uInt)most };
	deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	buf_add(out, (const char *)text, z.total_out);
	deflateEnd(&z);
	free(text);
}

static void put_gzip(const struct buf *data, struct buf *out)
{
	buf_add(out, "\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
	pack(data, out);
	put(out, sum_bytes(SUM_CRC32, (const uint8_t *)data->data, data->len), 4);
	put(out, (uint32_t)data->len, 4);
}

/* A member, and its entry in DIRECTORY. */
static void put_member(const char *name, const struct buf *data, struct buf *out,
                       struct buf *directory)
{
	struct buf packed = { 0 }, about = { 0 };
	uint32_t begin = (uint32_t)out->len;
	pack(data, &packed);
	put(&about, 20, 2);
	put(&about, 8 << 16, 4);
	put(&about, 0, 4);
	put(&about, sum_bytes(SUM_CRC32, (const uint8_t *)data->data, data->len), 4);
	put(&about, (uint32_t)packed.len, 4);
	put(&about, (uint32_t)data->len, 4);
	put(&about, (uint32_t)strlen(name), 4);
	buf_add(out, "PK\3\4", 4);
	buf_add(out, about.data, about.len);
	buf_addf(out, "%s", name);
	buf_add(out, packed.data, packed.len);
	buf_add(directory, "PK\1\2\24\0", 6);
	buf_add(directory, about.data, about.len);
	put(directory, 0, 4);
	put(directory, 0, 4);
	put(directory, 0, 2);
	put(directory, begin, 4);
	buf_addf(directory, "%s", name);
	buf_release(&packed);
	buf_release(&about);
}

static void put_zip(const struct buf *data, struct buf *out)
{
	struct buf directory = { 0 }, other = { 0 };
	uint32_t begin;
	for (unsigned i = 0; i < 12; i++) {
		char name[16];
		other.len = 0;
		for (unsigned k = 0; k < 20 + i * 50; k++)
			buf_addf(&other, "line %u of %u\n", k * i, i);
		snprintf(name, sizeof name, "word/%u.txt", i);
		put_member(i == 7 ? "word/it.xml" : name, i == 7 ? data : &other, out, &directory);
	}
	begin = (uint32_t)out->len;
	buf_add(out, directory.data, directory.len);
	buf_add(out, "PK\5\6\0\0\0\0", 8);
	put(out, 12 | 12 << 16, 4);
	put(out, (uint32_t)directory.len, 4);
	put(out, begin, 4);
	put(out, 0, 2);
	buf_release(&directory);
	buf_release(&other);
}

/* What the N bytes at P hold, which end where they do; NULL: nothing. The caller frees it. */
static uint8_t *unpack(const uint8_t *p, uint32_t n, uint32_t crc, uint32_t size)
{
	struct inflater *inflater = inflater_new();
	struct inflated in;
	uint8_t *out = NULL;
	if (inflater_unpack(inflater, LAYER_RAW, p, n, 1 << 24, &in) && in.used == n &&
	    in.size == size && sum_bytes(SUM_CRC32, in.data, in.size) == crc) {
		out = malloc(size + 1);
		memcpy(out, in.data, size);
		out[size] = 0;
	}
	inflater_free(inflater);
	return out;
}

typedef bool reads(const uint8_t *p, uint32_t size);

static bool read_packed(const uint8_t *p, uint32_t n, uint32_t crc, uint32_t size, reads *inner)
{
	uint8_t *data = unpack(p, n, crc, size);
	bool yes = data && inner(data, size);
	free(data);
	return yes;
}

static bool read_gzip(const uint8_t *p, uint32_t n, reads *inner)
{
	return n > 18 && !memcmp(p, "\x1f\x8b\x08\0", 4) &&
	       read_packed(p + 10, n - 18, get(p + n - 8, 4), get(p + n - 4, 4), inner);
}

static bool read_zip(const uint8_t *p, uint32_t n, reads *inner)
{
	const uint8_t *end = p + n - 22, *e = p + (n < 22 ? 0 : get(end + 16, 4));
	bool found = false;
	if (n < 22 || memcmp(end, "PK\5\6", 4) || get(end + 16, 4) > n ||
	    get(end + 12, 4) != (uint32_t)(end - e))
		return false;
	for (unsigned i = 0; i < get(end + 10, 2); i++) {
		if (end - e < 46 || memcmp(e, "PK\1\2", 4))
			return false;
		uint32_t begin = get(e + 42, 4), name = get(e + 28, 2), size = get(e + 20, 4);
		if (name > end - e - 46 || begin > n - 30 || size > n - begin - 30 ||
		    name > n - begin - 30 - size || memcmp(p + begin, "PK\3\4", 4) ||
		    memcmp(p + begin + 4, e + 6, 26) || memcmp(p + begin + 30, e + 46, name))
			return false;
		const uint8_t *data = p + begin + 30 + name;
		if (name == 11 && !memcmp(e + 46, "word/it.xml", 11))
			found = read_packed(data, size, get(e + 16, 4), get(e + 24, 4), inner);
		e += 46 + name;
	}
	return e == end && found;
}

/* ---- reducing ---- */

struct form {
	void (*write)(struct buf *out);
	reads *read;
	enum { GZIP, ZIP, PLAIN } in;
	uint32_t left, answers; /* bytes at most, after so many answers */
};

static bool is_interesting(const struct testcase *tc, void *arg)
{
	const struct form *f = arg;
	if (f->in == PLAIN)
		return f->read(tc->bytes, tc->size);
	return (f->in == ZIP ? read_zip : read_gzip)(tc->bytes, tc->size, f->read);
}

static void accepted(void *arg, struct reducer *r, struct testcase *now, const struct pass_run *run)
{
	(void)r, (void)run;
	*(uint32_t *)arg = now->size;
}

/* What is left of TC, which goes. */
static struct testcase *reduced(struct form *f, struct testcase *tc)
{
	struct err err = { 0 };
	uint32_t left = tc->size;
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	struct tokenizer *tokenizer =
		tokenizer_find(NULL, "a.bin", tc->bytes, tc->size, dirs, &err);
	assert_non_null(tokenizer);
	assert_true(is_interesting(tc, f));
	struct reducer_options ro = { .enabled = passes_all(), .max_questions = f->answers };
	struct reducer_observer observer = { .accepted = accepted, .arg = &left };
	struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct verdicts verdicts = { 0 };
	struct oracle *oracle = inproc_new(is_interesting, f, 1);
	struct reducer *r = reducer_new(tc, tokenizer, &ro, &observer);
	driver_run(r, oracle, &verdicts, &options, &stats, &err);
	if (left > f->left)
		fail_msg("%u bytes are left of %u, at most %u expected", left, tc->size, f->left);
	struct testcase *best = testcase_ref(reducer_current(r));
	reducer_free(r);
	oracle_free(oracle);
	verdicts_release(&verdicts);
	testcase_unref(tc);
	tokenizer_free(tokenizer);
	return best;
}

static struct testcase *reduce(struct form *f)
{
	struct buf data = { 0 }, text = { 0 };
	f->write(f->in == PLAIN ? &text : &data);
	if (f->in != PLAIN)
		(f->in == ZIP ? put_zip : put_gzip)(&data, &text);
	buf_release(&data);
	return reduced(f, testcase_new("a.bin", 0644, (uint8_t *)text.data, (uint32_t)text.len));
}

static void test_tar_in_gzip(void **state)
{
	(void)state;
	testcase_unref(reduce(&(struct form){ put_tar, read_tar, GZIP, 1100, 400 }));
}

/* At the end it is packed again, and stays so when it is reduced once more. */
static void test_tar_is_packed_again(void **state)
{
	(void)state;
	struct form form = { put_tar, read_tar, GZIP, 140, 0 };
	struct testcase *once = reduce(&form), *twice = reduced(&form, testcase_ref(once));
	assert_true(hash_equal(once->hash, twice->hash));
	testcase_unref(once);
	testcase_unref(twice);
}

static void test_document_in_gzip(void **state)
{
	(void)state;
	testcase_unref(reduce(&(struct form){ put_xml, read_xml, GZIP, 80, 400 }));
}

static void test_large_document(void **state)
{
	(void)state;
	testcase_unref(reduce(&(struct form){ put_xml, read_many, GZIP, 9000, 1500 }));
}

static void test_object_in_tar(void **state)
{
	(void)state;
	testcase_unref(reduce(&(struct form){ put_objects, read_objects, PLAIN, 2 * BLOCK, 1000 }));
}

static void test_document_in_zip(void **state)
{
	(void)state;
	testcase_unref(reduce(&(struct form){ put_xml, read_xml, ZIP, 200, 500 }));
}

#endif

int main(void)
{
#ifdef HAVE_ZLIB
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tar_in_gzip),      cmocka_unit_test(test_tar_is_packed_again),
		cmocka_unit_test(test_document_in_gzip), cmocka_unit_test(test_large_document),
		cmocka_unit_test(test_document_in_zip),  cmocka_unit_test(test_object_in_tar),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	return 77;
#endif
}
