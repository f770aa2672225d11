/* Layers in a file that is put together from pieces, some of them compressed, and then damaged:
 * what is found lies within the file, what it says holds, opening a layer leaves one that is open,
 * and an edit with its repairs leaves what holds as well. Input: what to do with the pieces, "%%",
 * damage and an edit, "%%", the text. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "fuzz.h"
#include "text/edit.h"
#include "binary/layers.h"
#include "binary/macho.h"
#include "binary/pdf.h"
#include "binary/pe.h"
#include "binary/records.h"
#include "binary/sfnt.h"
#include "text/testcase.h"

enum { PIECES = 6, ROOM = 1 << 14, KINDS = 9 };

#ifdef HAVE_ZLIB

#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZ4
#include <lz4frame.h>
#endif

static void add_number(struct buf *b, uint32_t value, uint32_t width, bool big)
{
	for (uint32_t i = 0; i < width; i++)
		buf_addch(b, (char)(value >> 8 * (big ? width - 1 - i : i)));
}

/* BITS: as deflateInit2 has them. */
static void add_deflated(struct buf *b, const uint8_t *data, uint32_t n, int bits, int level)
{
	uint8_t out[ROOM];
	z_stream z = {
		.next_in = (uint8_t *)data, .avail_in = n, .next_out = out, .avail_out = ROOM
	};
	FUZZ_REQUIRE(deflateInit2(&z, level, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	FUZZ_REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
	buf_add(b, out, z.total_out);
	deflateEnd(&z);
}

/* A member of an archive: its sum and lengths, then what is deflated. */
static void add_member(struct buf *b, const uint8_t *data, uint32_t n, int level)
{
	struct buf packed = { 0 };
	add_deflated(&packed, data, n, -15, level);
	buf_add(b, "AR\3\4", 4);
	add_number(b, (uint32_t)crc32(0, data, n), 4, false);
	add_number(b, (uint32_t)packed.len, 4, false);
	add_number(b, n, 4, false);
	buf_add(b, packed.data, packed.len);
	buf_release(&packed);
}

static void add_chunk(struct buf *b, const char *tag, const void *body, size_t n)
{
	add_number(b, (uint32_t)n, 4, true);
	size_t from = b->len;
	buf_add(b, tag, 4);
	if (n)
		buf_add(b, body, n);
	add_number(b, (uint32_t)crc32(0, (uint8_t *)b->data + from, (uint32_t)n + 4), 4, true);
}

/* Chunks with sums, over which one stream goes. */
static void add_chunks(struct buf *b, const uint8_t *data, uint32_t n, int level, uint32_t step)
{
	struct buf packed = { 0 };
	add_deflated(&packed, data, n, 15, level);
	add_chunk(b, "HEAD", "0123456789abc", 13);
	for (size_t at = 0; at < packed.len; at += step)
		add_chunk(b, "DATA", packed.data + at,
		          packed.len - at < step ? packed.len - at : step);
	add_chunk(b, "LAST", NULL, 0);
	buf_release(&packed);
}

static void add_zstd(struct buf *b, const uint8_t *data, uint32_t n, int level)
{
#ifdef HAVE_ZSTD
	char out[ROOM];
	size_t size = ZSTD_compress(out, sizeof out, data, n, level);
	FUZZ_REQUIRE(!ZSTD_isError(size));
	buf_add(b, out, size);
#else
	(void)b, (void)data, (void)n, (void)level;
#endif
}

static void add_lz4(struct buf *b, const uint8_t *data, uint32_t n)
{
#ifdef HAVE_LZ4
	char out[2 * ROOM];
	size_t size = LZ4F_compressFrame(out, sizeof out, data, n, NULL);
	FUZZ_REQUIRE(!LZ4F_isError(size));
	buf_add(b, out, size);
#else
	(void)b, (void)data, (void)n;
#endif
}

static void add_piece(struct buf *b, struct fuzz *how, struct fuzz *text)
{
	uint8_t kind = fuzz_byte(how) % KINDS, level = fuzz_byte(how) % 4;
	uint32_t n = fuzz_below(how, (uint32_t)fuzz_left(text) + 1);
	const uint8_t *data = text->at;
	text->at += n;
	switch (kind) {
	case 0:
		buf_add(b, data, n);
		break;
	case 1:
	case 2:
		add_deflated(b, data, n, kind == 1 ? 15 : 31, level);
		break;
	case 3:
		add_member(b, data, n, level);
		break;
	case 4:
		add_chunks(b, data, n, level, 1 + fuzz_byte(how));
		break;
	case 5:
		add_zstd(b, data, n, level);
		break;
	case 6:
		add_lz4(b, data, n);
		break;
	case 7: /* what is packed twice */
		if (b->len < ROOM / 2) {
			struct buf inner = *b;
			*b = (struct buf){ 0 };
			add_deflated(b, (uint8_t *)inner.data, (uint32_t)inner.len, 31, level);
			buf_release(&inner);
		}
		break;
	default:
		add_number(b, (uint32_t)crc32(0, data, n), 4, level & 1);
		add_number(b, n, 4, level & 1);
	}
}

#else

static void add_piece(struct buf *b, struct fuzz *how, struct fuzz *text)
{
	(void)how;
	buf_add(b, text->at, fuzz_left(text));
	text->at = text->end;
}

#endif

static void check_list(const struct layers *all, uint32_t size)
{
	for (uint32_t i = 0; i < all->n; i++) {
		const struct layer *l = &all->list[i];
		FUZZ_REQUIRE(l->head <= l->begin && l->begin <= l->end && l->end <= l->tail);
		FUZZ_REQUIRE(l->tail <= size && (l->n_records < 2 || l->last <= size));
		FUZZ_REQUIRE(!i || all->list[i - 1].head < l->head);
	}
}

static void check_repair(const struct repair *r, const struct testcase *tc)
{
	for (uint32_t i = 0; r && i < r->n; i++)
		FUZZ_REQUIRE(field_holds(r, &r->fields[i], tc->bytes, tc->size));
}

/* LAYER is open in what comes of opening it, and nothing else is lost. */
static void check_open(const struct layer *layer, struct testcase *tc,
                       const struct records *records, struct inflater *inflater)
{
	struct arena arena = { 0 };
	struct edit_part parts[2];
	struct layers all;
	if (layer_open(layer, tc->bytes, records, inflater, &arena, parts)) {
		parts[1] = (struct edit_part){ .begin = layer->tail, .end = layer->last };
		struct edit edit = { layer->n_records > 1 ? 2 : 1, parts };
		fuzz_check_edit(tc, edit);
		struct testcase *after = edit_apply(tc, edit);
		testcase_flat(after);
		layers_find(after->bytes, after->size, NULL, &all);
		check_list(&all, after->size);
		layers_release(&all);
		testcase_unref(after);
	}
	arena_release(&arena);
}

static void check_edit(const struct records *known, struct testcase *tc, struct fuzz *edits)
{
	struct arena arena = { 0 };
	struct edit edit =
		repair_edit(known->repair, tc->bytes, fuzz_edit(edits, tc->size, &arena), &arena);
	fuzz_check_edit(tc, edit);
	struct testcase *after = edit_apply(tc, edit);
	testcase_flat(after);
	struct records *mapped = records_map(known, NULL, edit, after->bytes, after->size, true);
	check_repair(mapped->repair, after);
	records_unref(mapped);
	testcase_unref(after);
	arena_release(&arena);
}

/* What is opened is so: it cannot be opened again. Of several Mach-O files in one it can. */
static void check_opened(const struct testcase *tc,
                         uint8_t *open(const uint8_t *bytes, uint32_t size, uint32_t *len))
{
	uint32_t len, again;
	uint8_t *once = open(tc->bytes, tc->size, &len);
	uint8_t *twice = once ? open(once, len, &again) : NULL;
	if (twice && open != macho_open)
		abort();
	free(twice);
	free(once);
}

/* Each row of the table of a PDF that was opened leads to its object. */
static void check_pdf(const struct testcase *tc)
{
	uint32_t len;
	uint8_t *pdf = pdf_open(tc->bytes, tc->size, &len);
	if (!pdf)
		return;
	char *text = mem_alloc(len + (size_t)1);
	memcpy(text, pdf, len);
	text[len] = '\0';
	char *last = memrchr(text, 'f', len); /* of startxref */
	const char *row = text + strtoul(last + 1, NULL, 10);
	unsigned n = 0, generation;
	int used = 0;
	size_t at;
	char kind;
	if (sscanf(row, "xref 0 %u\n%n", &n, &used) != 1)
		abort();
	row += used;
	for (unsigned i = 0; i < n; i++, row += 20) {
		char *want;
		if (sscanf(row, "%10zu %5u %c", &at, &generation, &kind) != 3)
			abort();
		want = mem_printf("%u %u obj", i, generation);
		if (kind == 'n' && (at >= len || strncmp(text + at, want, strlen(want)) != 0))
			abort();
		free(want);
	}
	free(text);
	free(pdf);
}

static void check(struct testcase *tc, struct fuzz *edits)
{
	check_pdf(tc);
	check_opened(tc, pe_open);
	check_opened(tc, macho_open);
	check_opened(tc, sfnt_open);
	struct records *records = records_find(tc->bytes, tc->size);
	struct inflater *inflater = inflater_new();
	struct layers all;
	layers_find(tc->bytes, tc->size, records, &all);
	check_list(&all, tc->size);
	for (uint32_t i = 0; inflater && i < all.n && i < PIECES; i++)
		if (!all.list[i].stored)
			check_open(&all.list[i], tc, records, inflater);
	struct repair *said = layers_repair(&all, tc->bytes, tc->size);
	check_repair(said, tc);
	if (!records || !records->is_text) {
		struct records *joined = layers_join(records, tc->bytes, tc->size);
		check_repair(joined->repair, tc);
		check_edit(joined, tc, edits);
		records_unref(joined);
	}
	repair_unref(said);
	layers_release(&all);
	inflater_free(inflater);
	records_unref(records);
}

int target_layers(const uint8_t *data, size_t size)
{
	struct fuzz text = { data, data + size }, how = fuzz_section(&text),
		    edits = fuzz_section(&text);
	struct buf b = { 0 };
	for (unsigned i = 0; i < PIECES && how.at < how.end; i++)
		add_piece(&b, &how, &text);
	buf_add(&b, text.at, fuzz_left(&text));
	for (unsigned n = fuzz_byte(&edits) % 4; n && b.len; n--)
		b.data[fuzz_below(&edits, (uint32_t)b.len)] ^= (char)fuzz_byte(&edits);
	struct testcase *tc = fuzz_testcase(b.data, b.len);
	check(tc, &edits);
	testcase_unref(tc);
	buf_release(&b);
	return 0;
}
