#include "binary/layers.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/layers_impl.h"
#include "binary/records.h"
#include "text/testcase.h"

enum {
	LOOKED_AT = 8,         /* steps of what is looked at where a stream may begin */
	SMALLEST = 8,          /* bytes of a file with layers */
	RAW_LARGEST = 1 << 24, /* raw deflate is looked for in files up to this */
	RAW_LEAST = 4,         /* bytes that it holds */
	NEAR_BEFORE = 320,     /* where a checksum of it stands */
	NEAR_BEHIND = 24,
	WORK = 1 << 26, /* bytes that may be read and inflated, beside 32 for each byte */
	LAYERS_MAX = 1 << 12,
};

struct finder {
	const uint8_t *bytes;
	uint32_t size;
	const struct records *records;
	struct inflater *inflater;
	uint64_t work;
	struct layers *out;
};

/* ---- what is inflated ---- */

/* The innermost record whose body holds AT, or NULL. */
static const struct record *record_at(const struct records *r, uint32_t at)
{
	const struct record *found = NULL;
	for (uint32_t i = 0; r && i < r->n && r->list[i].begin <= at; i++)
		if (r->list[i].body <= at && at < r->list[i].body_end)
			found = &r->list[i];
	return found;
}

uint32_t record_pieces(const struct records *r, uint32_t at, uint32_t head,
                       struct inflate_piece out[PIECES], uint32_t ends[PIECES])
{
	const struct record *x = record_at(r, at);
	uint32_t n = 0, skip = x ? head - x->body : 0;
	if (!x)
		return 0;
	out[n] = (struct inflate_piece){ at, x->body_end };
	ends[n++] = x->end;
	for (const struct record *y = x + 1; y < r->list + r->n && n < PIECES; y++) {
		if (y->begin != x->end || y->depth != x->depth) {
			if (y->begin < x->end)
				continue;
			break;
		}
		if (y->body_end - y->body < skip)
			break;
		out[n] = (struct inflate_piece){ y->body + skip, y->body_end };
		ends[n++] = y->end;
		x = y;
	}
	return n;
}

static uint32_t big(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t little(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* What was tried counts, whether it was a stream or not. */
static void charge(struct finder *f, const struct inflated *tried)
{
	uint64_t cost = (uint64_t)tried->used + tried->size + 1;
	f->work -= cost < f->work ? cost : f->work;
}

static bool run(struct finder *f, const struct inflate_piece *pieces, uint32_t n,
                struct inflated *out)
{
	bool yes = inflater_run(f->inflater, f->bytes, pieces, n, MOST_HELD, out);
	charge(f, out);
	return yes;
}

/* ---- finding ---- */

static void add(struct finder *f, struct layer l, const struct inflated *in)
{
	l.size = in->size;
	l.crc = inflate_crc32(in->data, in->size);
	l.stored = l.n_records == 1 && stored_blocks(f->bytes, &l, NULL, 0) > 0;
	MEM_GROW(f->out->list, f->out->n, f->out->cap);
	f->out->list[f->out->n++] = l;
}

static bool zlib_header(const uint8_t *p)
{
	return (p[0] & 15) == 8 && p[0] >> 4 <= 7 && !(p[1] & 0x20) && (p[0] << 8 | p[1]) % 31 == 0;
}

static bool find_whole_zlib(struct finder *f, uint32_t at)
{
	struct inflate_piece rest = { at + 2, f->size };
	struct inflated in;
	if (!run(f, &rest, 1, &in))
		return false;
	uint32_t end = at + 2 + in.used;
	if (end + 4 > f->size || big(f->bytes + end) != inflate_adler32(in.data, in.size))
		return false;
	add(f,
	    (struct layer){ .head = at,
	                    .begin = at + 2,
	                    .end = end,
	                    .tail = end + 4,
	                    .kind = LAYER_ZLIB,
	                    .n_records = 1 },
	    &in);
	return true;
}

/* Which of the pieces holds the byte that is N bytes behind their beginning, the last of them; 0:
 * none ends just there. */
static uint32_t piece_ending(const struct inflate_piece *pieces, uint32_t n, uint64_t length)
{
	for (uint32_t k = 0; k < n && length; k++) {
		uint32_t size = pieces[k].end - pieces[k].begin;
		if (length == size)
			return k + 1;
		if (length < size)
			break;
		length -= size;
	}
	return 0;
}

static uint32_t trailer_of(const uint8_t *bytes, const struct inflate_piece *pieces, uint32_t n)
{
	uint8_t last[4] = { 0 };
	uint32_t have = 0;
	for (uint32_t k = n; k-- > 0 && have < 4;)
		for (uint32_t at = pieces[k].end; at > pieces[k].begin && have < 4; have++)
			last[3 - have] = bytes[--at];
	return big(last);
}

/* One that goes over several records, and fills them. */
static bool find_split_zlib(struct finder *f, uint32_t at)
{
	struct inflate_piece *pieces = mem_alloc(PIECES * sizeof *pieces);
	uint32_t *ends = mem_alloc(PIECES * sizeof *ends);
	struct inflated in;
	uint32_t n = record_pieces(f->records, at + 2, at, pieces, ends), k = 0;
	if (n > 1 && run(f, pieces, n, &in))
		k = piece_ending(pieces, n, (uint64_t)in.used + 4);
	if (k > 1 && trailer_of(f->bytes, pieces, k) == inflate_adler32(in.data, in.size))
		add(f,
		    (struct layer){ .head = at,
		                    .begin = at + 2,
		                    .end = pieces[0].end,
		                    .tail = ends[0],
		                    .kind = LAYER_ZLIB,
		                    .n_records = k,
		                    .last = ends[k - 1] },
		    &in);
	else
		k = 0;
	free(pieces);
	free(ends);
	return k > 1;
}

/* Where the header of gzip at AT ends; 0: there is none. */
static uint32_t gzip_header(const uint8_t *bytes, uint32_t at, uint32_t size)
{
	const uint8_t *p = bytes + at;
	if (size - at < 18 || p[0] != 0x1f || p[1] != 0x8b || p[2] != 8 || p[3] & 0xe0)
		return 0;
	uint32_t end = at + 10;
	if (p[3] & 4)
		end += 2u + (p[10] | (uint32_t)p[11] << 8);
	for (uint32_t text = 8; text <= 16; text *= 2) {
		if (!(p[3] & text))
			continue;
		while (end < size && bytes[end])
			end++;
		end++;
	}
	end += p[3] & 2 ? 2 : 0;
	return end < size ? end : 0;
}

static bool find_gzip(struct finder *f, uint32_t at)
{
	struct inflate_piece rest = { gzip_header(f->bytes, at, f->size), f->size };
	struct inflated in;
	if (!rest.begin || !run(f, &rest, 1, &in))
		return false;
	uint32_t end = rest.begin + in.used;
	if (end + 8 > f->size || little(f->bytes + end) != inflate_crc32(in.data, in.size) ||
	    little(f->bytes + end + 4) != in.size)
		return false;
	add(f,
	    (struct layer){ .head = at,
	                    .begin = rest.begin,
	                    .end = end,
	                    .tail = end + 8,
	                    .kind = LAYER_GZIP,
	                    .n_records = 1 },
	    &in);
	return true;
}

/* Do the lengths of the code of codes at P, behind 17 bits, use up all codes? */
static bool codes_are_full(const uint8_t *p, uint32_t n)
{
	uint32_t used = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t bit = 17 + 3 * i, word = p[bit / 8] | (uint32_t)p[bit / 8 + 1] << 8;
		uint32_t length = word >> (bit % 8) & 7;
		used += length ? 128u >> length : 0;
	}
	return used == 128;
}

/* Might raw deflate begin at P? Most of what is none is told by its first bytes. */
static bool raw_header(const uint8_t *p, uint32_t left)
{
	switch (p[0] >> 1 & 3) {
	case 0:
		return left >= 5 && p[0] <= 1 && (p[1] ^ p[3]) == 0xff && (p[2] ^ p[4]) == 0xff;
	case 1:
		return left > 4;
	case 2:
		return left > 16 && p[0] >> 3 <= 29 && (p[1] & 31) <= 29 &&
		       codes_are_full(p, 4 + (p[1] >> 5 | (p[2] & 1u) << 3));
	default:
		return false;
	}
}

static bool stands_near(const struct finder *f, uint32_t word, uint32_t begin, uint32_t end)
{
	uint32_t from = begin > NEAR_BEFORE ? begin - NEAR_BEFORE : 0;
	for (uint32_t at = from; at + 4 <= begin; at++)
		if (big(f->bytes + at) == word || little(f->bytes + at) == word)
			return true;
	for (uint32_t at = end; at + 4 <= f->size && at + 4 <= end + NEAR_BEHIND; at++)
		if (big(f->bytes + at) == word || little(f->bytes + at) == word)
			return true;
	return false;
}

static bool find_raw(struct finder *f, uint32_t at)
{
	struct inflate_piece rest = { at, f->size };
	struct inflated in;
	if (!raw_header(f->bytes + at, f->size - at) || !run(f, &rest, 1, &in) ||
	    in.size < RAW_LEAST)
		return false;
	uint32_t end = at + in.used;
	if (!stands_near(f, inflate_crc32(in.data, in.size), at, end))
		return false;
	add(f,
	    (struct layer){ .head = at,
	                    .begin = at,
	                    .end = end,
	                    .tail = end,
	                    .kind = LAYER_RAW,
	                    .n_records = 1 },
	    &in);
	return true;
}

static bool find_zstd(struct finder *f, uint32_t at)
{
	struct inflated in;
	if (f->size - at < ZSTD_HEAD + 3u || memcmp(f->bytes + at, zstd_open, 4))
		return false;
	bool yes = inflater_zstd(f->inflater, f->bytes + at, f->size - at, MOST_HELD, &in);
	charge(f, &in);
	if (!yes)
		return false;
	bool plain = !memcmp(f->bytes + at, zstd_open, ZSTD_HEAD);
	add(f,
	    (struct layer){ .head = at,
	                    .begin = plain ? at + ZSTD_HEAD : at,
	                    .end = at + in.used,
	                    .tail = at + in.used,
	                    .kind = LAYER_ZSTD,
	                    .n_records = 1 },
	    &in);
	return true;
}

static bool find_xz(struct finder *f, uint32_t at)
{
	struct inflated in;
	if (!xz_begins(f->bytes, at, f->size))
		return false;
	bool yes = inflater_xz(f->inflater, f->bytes + at, f->size - at, MOST_HELD, &in);
	charge(f, &in);
	if (!yes)
		return false;
	struct layer l = { .head = at,
		           .begin = at,
		           .end = at + in.used,
		           .tail = at + in.used,
		           .kind = LAYER_XZ,
		           .n_records = 1 };
	xz_borders(f->bytes, &l);
	add(f, l, &in);
	return true;
}

static bool find_at(struct finder *f, uint32_t at)
{
	const uint8_t *p = f->bytes + at;
	if (zlib_header(p) && (find_whole_zlib(f, at) || find_split_zlib(f, at)))
		return true;
	if ((p[0] == 0x1f && find_gzip(f, at)) || (p[0] == zstd_open[0] && find_zstd(f, at)) ||
	    find_xz(f, at))
		return true;
	return f->size <= RAW_LARGEST && find_raw(f, at);
}

void layers_find(const uint8_t *bytes, uint32_t size, const struct records *records,
                 struct layers *out)
{
	struct finder f = {
		bytes, size, records, NULL, WORK + 32 * (uint64_t)size, out,
	};
	*out = (struct layers){ 0 };
	if (size < SMALLEST || testcase_utf8(bytes, size))
		return;
	f.inflater = inflater_new();
	for (uint32_t at = 0; f.inflater && at + 2 < size && f.work && out->n < LAYERS_MAX;) {
		work_step(LOOKED_AT);
		if (!find_at(&f, at)) {
			at++;
			continue;
		}
		const struct layer *l = &out->list[out->n - 1];
		at = l->n_records > 1 ? l->last : l->stored ? l->begin + stored_header(l) : l->tail;
	}
	inflater_free(f.inflater);
}

void layers_release(struct layers *layers)
{
	free(layers->list);
}
