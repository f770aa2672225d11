/* Layers: what is deflated is found, opening it leaves a sound file, and so do cuts of what then
 * shows and packing what is left; noise, text and broken data have none. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef HAVE_ZLIB

#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZ4
#include <lz4frame.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_BROTLI
#include <brotli/decode.h>
#include <brotli/encode.h>
#endif

#include "base/mem.h"
#include "base/rng.h"
#include "binary/layers.h"
#include "binary/records.h"
#include "binary/repair.h"
#include "text/testcase.h"
#include "../rounds.h"

enum { ROOM = 1 << 19, LONG = 150000, DIRECTORY = 46, HEADER = 30 };

struct file {
	uint8_t *bytes;
	uint32_t n;
};

static void put(struct file *f, const void *from, size_t n)
{
	if (n)
		memcpy(f->bytes + f->n, from, n);
	f->n += (uint32_t)n;
}

static void put_number(struct file *f, uint32_t value, uint32_t width, bool big)
{
	for (uint32_t i = 0; i < width; i++)
		f->bytes[f->n++] = (uint8_t)(value >> 8 * (big ? width - 1 - i : i));
}

static uint32_t number(const uint8_t *p, uint32_t width, bool big)
{
	uint32_t value = 0;
	for (uint32_t i = 0; i < width; i++)
		value |= (uint32_t)p[i] << 8 * (big ? width - 1 - i : i);
	return value;
}

/* Text with a needle in its midst. */
static uint32_t make_text(uint8_t *out, uint32_t n, uint64_t seed)
{
	struct rng rng = { seed };
	for (uint32_t i = 0; i < n; i++)
		out[i] = (uint8_t)("abcdefg ;\n"[rng_below(&rng, 10)]);
	memcpy(out + n / 2, "needle", 6);
	return n;
}

static uint32_t pack(const uint8_t *data, uint32_t n, int bits, uint8_t *out)
{
	z_stream z = {
		.next_in = (uint8_t *)data, .avail_in = n, .next_out = out, .avail_out = ROOM
	};
	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, bits, 9, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return (uint32_t)z.total_out;
}

/* Reads all N bytes; the caller's. */
static uint8_t *unpack(const uint8_t *data, uint32_t n, int bits, uint32_t *size)
{
	uint8_t *out = mem_alloc(ROOM);
	z_stream z = {
		.next_in = (uint8_t *)data, .avail_in = n, .next_out = out, .avail_out = ROOM
	};
	assert_int_equal(inflateInit2(&z, bits), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	*size = (uint32_t)z.total_out;
	inflateEnd(&z);
	return out;
}

/* ---- formats ---- */

static void put_chunk(struct file *f, const char *tag, const uint8_t *body, uint32_t n)
{
	put_number(f, n, 4, true);
	uint32_t from = f->n;
	put(f, tag, 4);
	put(f, body, n);
	put_number(f, (uint32_t)crc32(0, f->bytes + from, n + 4), 4, true);
}

/* Chunks with checksums; the data goes over PIECES of them. */
static void make_chunks(struct file *f, const uint8_t *text, uint32_t n, uint32_t pieces)
{
	uint8_t *packed = mem_alloc(ROOM);
	uint32_t size = pack(text, n, 15, packed), step = size / pieces + 1;
	put(f, "\x89IMG\r\n\x1a\n", 8);
	put_chunk(f, "HEAD", (const uint8_t *)"0123456789abc", 13);
	for (uint32_t at = 0; at < size; at += step)
		put_chunk(f, "DATA", packed + at, size - at < step ? size - at : step);
	put_chunk(f, "LAST", NULL, 0);
	free(packed);
}

/* All chunks are sound; the data of those that have some, the caller's. */
static uint8_t *read_chunks(const uint8_t *bytes, uint32_t size, uint32_t *n)
{
	struct file data = { mem_alloc(ROOM), 0 };
	for (uint32_t at = 8; at < size;) {
		uint32_t length = number(bytes + at, 4, true);
		assert_true(length <= size - at - 12);
		assert_int_equal(number(bytes + at + 8 + length, 4, true),
		                 crc32(0, bytes + at + 4, length + 4));
		if (!memcmp(bytes + at + 4, "DATA", 4))
			put(&data, bytes + at + 8, length);
		at += 12 + length;
	}
	uint8_t *text = unpack(data.bytes, data.n, 15, n);
	free(data.bytes);
	return text;
}

static void make_gzip(struct file *f, const uint8_t *text, uint32_t n, uint32_t unused)
{
	(void)unused;
	f->n = pack(text, n, 31, f->bytes);
}

static uint8_t *read_gzip(const uint8_t *bytes, uint32_t size, uint32_t *n)
{
	return unpack(bytes, size, 31, n);
}

#ifdef HAVE_ZSTD

static void make_zstd(struct file *f, const uint8_t *text, uint32_t n, uint32_t unused)
{
	(void)unused;
	put(f, "before", 6);
	size_t size = ZSTD_compress(f->bytes + f->n, ROOM - f->n, text, n, 3);
	assert_false(ZSTD_isError(size));
	f->n += (uint32_t)size;
}

static uint8_t *read_zstd(const uint8_t *bytes, uint32_t size, uint32_t *n)
{
	uint8_t *out = mem_alloc(ROOM);
	assert_memory_equal(bytes, "before", 6);
	assert_int_equal(ZSTD_findFrameCompressedSize(bytes + 6, size - 6), size - 6);
	size_t got = ZSTD_decompress(out, ROOM, bytes + 6, size - 6);
	if (ZSTD_isError(got)) { /* no length is in front: as a stream */
		ZSTD_inBuffer in = { bytes + 6, size - 6, 0 };
		ZSTD_outBuffer to = { out, ROOM, 0 };
		ZSTD_DCtx *z = ZSTD_createDCtx();
		assert_int_equal(ZSTD_decompressStream(z, &to, &in), 0);
		assert_int_equal(in.pos, size - 6);
		ZSTD_freeDCtx(z);
		got = to.pos;
	}
	*n = (uint32_t)got;
	return out;
}

#endif

#ifdef HAVE_LZ4

static void make_lz4(struct file *f, const uint8_t *text, uint32_t n, uint32_t unused)
{
	(void)unused;
	put(f, "before", 6);
	size_t size = LZ4F_compressFrame(f->bytes + f->n, ROOM - f->n, text, n, NULL);
	assert_false(LZ4F_isError(size));
	f->n += (uint32_t)size;
}

static uint8_t *read_lz4(const uint8_t *bytes, uint32_t size, uint32_t *n)
{
	uint8_t *out = mem_alloc(ROOM);
	size_t used = size - 6, made = ROOM;
	LZ4F_dctx *z = NULL;
	assert_memory_equal(bytes, "before", 6);
	assert_false(LZ4F_isError(LZ4F_createDecompressionContext(&z, LZ4F_VERSION)));
	assert_int_equal(LZ4F_decompress(z, out, &made, bytes + 6, &used, NULL), 0);
	assert_int_equal(used, size - 6);
	LZ4F_freeDecompressionContext(z);
	*n = (uint32_t)made;
	return out;
}

#endif

#ifdef HAVE_LZMA

static void make_xz(struct file *f, const uint8_t *text, uint32_t n, uint32_t unused)
{
	(void)unused;
	size_t at = f->n;
	assert_int_equal(
		lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, text, n, f->bytes, &at, ROOM),
		LZMA_OK);
	f->n = (uint32_t)at;
}

static uint8_t *read_xz(const uint8_t *bytes, uint32_t size, uint32_t *n)
{
	uint8_t *out = mem_alloc(ROOM);
	uint64_t memory = UINT64_MAX;
	size_t used = 0, got = 0;
	assert_int_equal(
		lzma_stream_buffer_decode(&memory, 0, NULL, bytes, &used, size, out, &got, ROOM),
		LZMA_OK);
	assert_int_equal(used, size);
	*n = (uint32_t)got;
	return out;
}

#endif

#ifdef HAVE_BROTLI

static void make_brotli(struct file *f, const uint8_t *text, uint32_t n, uint32_t unused)
{
	(void)unused;
	size_t size = ROOM;
	assert_true(BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, n, text,
	                                  &size, f->bytes));
	f->n = (uint32_t)size;
}

static uint8_t *read_brotli(const uint8_t *bytes, uint32_t size, uint32_t *n)
{
	uint8_t *out = mem_alloc(ROOM);
	size_t made = ROOM;
	assert_int_equal(BrotliDecoderDecompress(size, bytes, &made, out),
	                 BROTLI_DECODER_RESULT_SUCCESS);
	*n = (uint32_t)made;
	return out;
}

#endif

/* An archive of MEMBERS texts, with a directory at the end. */
static void make_archive(struct file *f, const uint8_t *text, uint32_t n, uint32_t members)
{
	struct file table = { mem_alloc(ROOM), 0 };
	uint8_t *packed = mem_alloc(ROOM);
	for (uint32_t i = 0; i < members; i++) {
		uint32_t at = f->n, size = pack(text + i, n - i, -15, packed);
		uint32_t words[] = { (uint32_t)crc32(0, text + i, n - i), size, n - i };
		put(f, "AR\3\4\24\0\0\0\10\0\0\0\0\0", 14);
		put(&table, "AR\1\2\24\0\24\0\0\0\10\0\0\0\0\0", 16);
		for (uint32_t k = 0; k < 3; k++) {
			put_number(f, words[k], 4, false);
			put_number(&table, words[k], 4, false);
		}
		put(f, "\4\0\0\0name", 8);
		put(&table, "\4\0\0\0\0\0\0\0\0\0\0\0\0\0", 14);
		put_number(&table, at, 4, false);
		put(&table, "name", 4);
		put(f, packed, size);
	}
	uint32_t begin = f->n;
	put(f, table.bytes, table.n);
	put(f, "AR\5\6\0\0\0\0", 8);
	put_number(f, members, 2, false);
	put_number(f, members, 2, false);
	put_number(f, table.n, 4, false);
	put_number(f, begin, 4, false);
	put_number(f, 0, 2, false);
	free(packed);
	free(table.bytes);
}

/* The first member. */
static uint8_t *read_archive(const uint8_t *bytes, uint32_t size, uint32_t *n)
{
	const uint8_t *end = bytes + size - 22;
	uint32_t members = number(end + 8, 2, false), at = number(end + 16, 4, false);
	uint8_t *first = NULL;
	assert_int_equal(at + number(end + 12, 4, false), end - bytes);
	assert_int_equal(number(end + 10, 2, false), members);
	for (uint32_t i = 0; i < members; i++, at += DIRECTORY + 4) {
		const uint8_t *entry = bytes + at, *thing = bytes + number(entry + 42, 4, false);
		uint32_t packed = number(entry + 20, 4, false), unpacked;
		assert_memory_equal(thing + 14, entry + 16, 12);
		uint8_t *text = unpack(thing + HEADER + 4, packed, -15, &unpacked);
		assert_int_equal(unpacked, number(entry + 24, 4, false));
		assert_int_equal(crc32(0, text, unpacked), number(entry + 16, 4, false));
		if (!i) {
			*n = unpacked;
			first = text;
		} else {
			free(text);
		}
	}
	assert_ptr_equal(bytes + at, end);
	return first;
}

struct container {
	const char *name;
	void (*make)(struct file *, const uint8_t *text, uint32_t n, uint32_t parts);
	uint8_t *(*read)(const uint8_t *, uint32_t, uint32_t *n);
	uint32_t parts, n;
	uint32_t layers; /* that can be packed again */
};

/* ---- what is tested ---- */

/* The file with all layers opened, and what is then known of it. */
static struct testcase *open_all(struct testcase *tc, struct records **records)
{
	struct records *known = records_find(tc->bytes, tc->size);
	struct layers found;
	struct arena arena = { 0 };
	struct inflater *inflater = inflater_new();
	layers_find(tc->bytes, tc->size, known, &found);
	assert_true(found.n > 0);
	struct edit_part *parts = mem_alloc(2 * found.n * sizeof *parts);
	uint32_t n = 0;
	for (uint32_t i = 0; i < found.n; i++) {
		const struct layer *l = &found.list[i];
		assert_true(layer_open(l, tc->bytes, known, inflater, &arena, &parts[n++]));
		if (l->n_records > 1)
			parts[n++] = (struct edit_part){ .begin = l->tail, .end = l->last };
	}
	struct repair *more = layers_repair(&found, tc->bytes, tc->size), *all = NULL;
	if (more)
		all = repair_join(known ? known->repair : NULL, more);
	else if (known)
		all = repair_ref(known->repair);
	struct edit edit = { n, parts };
	if (all)
		edit = repair_edit(all, tc->bytes, edit, &arena);
	struct testcase *opened = edit_apply(tc, edit);
	struct records *mapped =
		known ? records_map(known, NULL, edit, opened->bytes, opened->size, true) : NULL;
	*records = layers_join(mapped, opened->bytes, opened->size);
	records_unref(mapped);
	records_unref(known);
	repair_unref(more);
	repair_unref(all);
	inflater_free(inflater);
	layers_release(&found);
	arena_release(&arena);
	free(parts);
	return opened;
}

static uint32_t find(const struct testcase *tc, const char *word)
{
	for (uint32_t at = 0; at + strlen(word) <= tc->size; at++)
		if (!memcmp(tc->bytes + at, word, strlen(word)))
			return at;
	fail_msg("%s does not show", word);
	return 0;
}

/* What is stored is packed again, and says the same in fewer bytes. */
static void pack_and_read(const struct container *c, const struct testcase *tc,
                          const struct records *r, uint32_t size)
{
	struct layers found;
	struct arena arena = { 0 };
	uint32_t n = 0, len;
	layers_find(tc->bytes, tc->size, r, &found);
	struct edit_part *parts = mem_alloc(found.n * sizeof *parts);
	for (uint32_t i = 0; i < found.n; i++)
		n += found.list[i].stored &&
		     layer_pack(&found.list[i], tc->bytes, &arena, &parts[n]);
	assert_int_equal(n, c->layers);
	struct edit edit = repair_edit(r->repair, tc->bytes, (struct edit){ n, parts }, &arena);
	struct testcase *packed = edit_apply(tc, edit);
	assert_in_range(packed->size, 1, tc->size - 1);
	uint8_t *before = c->read(tc->bytes, tc->size, &len), *after;
	assert_int_equal(len, size);
	after = c->read(packed->bytes, packed->size, &len);
	assert_int_equal(len, size);
	assert_memory_equal(after, before, size);
	free(before);
	free(after);
	free(parts);
	testcase_unref(packed);
	arena_release(&arena);
	layers_release(&found);
}

/* Cuts before and behind what must stay, each judged by the reader, with the fields followed. */
static void cut_and_read(const struct container *c, struct testcase *tc, struct records *r,
                         uint32_t size)
{
	struct rng rng = { size };
	for (uint32_t k = 0; k < 40 / rounds_stride(); k++) {
		uint32_t at = find(tc, "needle"), n, len = 1 + (uint32_t)rng_below(&rng, 5);
		uint32_t begin = k % 2 ? at + 6 : at - len;
		struct arena arena = { 0 };
		struct edit edit = repair_edit(r->repair, tc->bytes,
		                               edit_cut(&arena, begin, begin + len), &arena);
		struct testcase *next = edit_apply(tc, edit);
		uint8_t *text = c->read(next->bytes, next->size, &n);
		assert_int_equal(n, size -= len);
		struct records *mapped = records_map(r, NULL, edit, next->bytes, next->size, true);
		assert_int_equal(mapped->repair->n, r->repair->n);
		free(text);
		testcase_unref(tc);
		records_unref(r);
		arena_release(&arena);
		tc = next;
		r = mapped;
	}
	if (c->layers)
		pack_and_read(c, tc, r, size);
	testcase_unref(tc);
	records_unref(r);
}

static void opens(const struct container *c)
{
	uint8_t *text = mem_alloc(ROOM);
	uint32_t n = make_text(text, c->n, c->parts), size;
	struct file f = { mem_alloc(ROOM), 0 };
	c->make(&f, text, n, c->parts);
	f.bytes = mem_resize(f.bytes, f.n + (size_t)1, 1);
	struct testcase *tc = testcase_new(c->name, 0644, f.bytes, f.n);
	struct records *records;
	struct testcase *opened = open_all(tc, &records);
	uint8_t *back = c->read(opened->bytes, opened->size, &size);
	assert_int_equal(size, n);
	assert_memory_equal(back, text, n);
	free(back);
	free(text);
	testcase_unref(tc);
	cut_and_read(c, opened, records, n);
}

static void layers_are_opened(void **state)
{
	static const struct container containers[] = {
		{ "gzip", make_gzip, read_gzip, 1, 3000, 1 },
		{ "gzip, long", make_gzip, read_gzip, 1, LONG, 1 },
#ifdef HAVE_BROTLI
		{ "brotli", make_brotli, read_brotli, 1, 3000, 1 },
		{ "brotli, long", make_brotli, read_brotli, 1, LONG, 1 },
#endif
#ifdef HAVE_ZSTD
		{ "zstd", make_zstd, read_zstd, 1, 3000, 1 },
		{ "zstd, long", make_zstd, read_zstd, 1, LONG, 1 },
#endif
#ifdef HAVE_LZ4
		{ "lz4", make_lz4, read_lz4, 1, 3000, 1 },
		{ "lz4, long", make_lz4, read_lz4, 1, LONG, 1 },
#endif
#ifdef HAVE_LZMA
		{ "xz", make_xz, read_xz, 1, 3000, 1 },
		{ "xz, shorter than 2^14 afterwards", make_xz, read_xz, 1, 16400, 1 },
		{ "xz, long", make_xz, read_xz, 1, LONG, 1 },
#endif
		{ "chunks", make_chunks, read_chunks, 1, 3000, 1 },
		{ "chunks, long", make_chunks, read_chunks, 1, LONG, 1 },
		{ "chunks, split", make_chunks, read_chunks, 7, 9000, 1 },
		{ "archive", make_archive, read_archive, 2, 700, 2 },
		{ "archive, large", make_archive, read_archive, 12, 2000, 12 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
		opens(&containers[i]);
}

static uint32_t layers_in(const uint8_t *bytes, uint32_t n)
{
	struct layers found;
	layers_find(bytes, n, NULL, &found);
	n = found.n;
	layers_release(&found);
	return n;
}

static void nothing_else_has_any(void **state)
{
	uint8_t *bytes = mem_alloc(ROOM), *text = mem_alloc(ROOM);
	struct rng rng = { 7 };
	(void)state;
	for (uint32_t i = 0; i < ROOM / 4; i++)
		bytes[i] = (uint8_t)rng_below(&rng, 256);
	assert_int_equal(layers_in(bytes, ROOM / 4), 0);
	assert_int_equal(layers_in(bytes, make_text(bytes, 5000, 1)), 0);
	uint32_t n = pack(text, make_text(text, 3000, 2), 15, bytes);
	assert_int_equal(layers_in(bytes, n), 1);
	for (uint32_t i = 0; i < n;
	     i += 97 * rounds_stride()) { /* cut off, and with a bit turned round */
		assert_int_equal(layers_in(bytes, i), 0);
		bytes[i + 2 < n ? i + 2 : i] ^= 4;
		layers_in(bytes, n);
		bytes[i + 2 < n ? i + 2 : i] ^= 4;
	}
	bytes[n - 1] ^= 1;
	assert_int_equal(layers_in(bytes, n), 0);
	free(text);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_are_opened),
		cmocka_unit_test(nothing_else_has_any),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
	puts("skipped: built without zlib");
	return 77;
}

#endif
