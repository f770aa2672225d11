#include "binary/layers.h"

#include "base/mem.h"
#include "base/work.h"
#include "binary/found.h"
#include "binary/records.h"
#include "text/testcase.h"

enum {
	MOST_PACKED = 1 << 22, /* bytes that are packed again: seconds, with the slowest library */
	PIECES = 1 << 12,      /* records that it goes over */
};

/* What records hold one after another. */
struct joined {
	uint8_t *bytes;
	uint32_t size, n, cap;
	struct piece {
		uint32_t end;  /* of the record */
		uint32_t size; /* of all up to here */
	} * pieces;
};

/* The innermost record whose body holds AT, or NULL. OUTER: of found_outer; NULL: all in front of
 * AT are looked at. */
static const struct record *record_at(const struct records *r, const uint32_t *outer, uint32_t at)
{
	uint32_t lo = r ? MEM_FIRST(r->list, r->n, begin, at + 1) : 0;
	for (uint32_t i = lo ? lo - 1 : FOUND_NONE; i != FOUND_NONE; i = outer ? outer[i] : i - 1)
		if (r->list[i].body <= at && at < r->list[i].body_end)
			return &r->list[i];
	return NULL;
}

static void join(struct joined *out, const uint8_t *bytes, uint32_t begin, const struct record *x)
{
	uint32_t size = x->body_end - begin;
	out->bytes = mem_resize(out->bytes, out->size + (size_t)size + 1, 1);
	memcpy(out->bytes + out->size, bytes + begin, size);
	out->size += size;
	MEM_PUSH(out->pieces, out->n, out->cap, (struct piece){ x->end, out->size });
}

/* The bytes from AT on, and those of the records behind that which AT lies in, from the same place
 * of each on. */
static void join_records(const uint8_t *bytes, const struct records *r, const uint32_t *outer,
                         uint32_t at, uint32_t head, struct joined *out)
{
	const struct record *x = record_at(r, outer, at);
	*out = (struct joined){ 0 };
	if (!x)
		return;
	uint32_t skip = head - x->body;
	join(out, bytes, at, x);
	for (const struct record *y = x + 1; y < r->list + r->n && out->n < PIECES; y++) {
		if (y->begin < x->end)
			continue;
		if (y->begin != x->end || y->depth != x->depth || y->body_end - y->body < skip)
			break;
		join(out, bytes, y->body + skip, y);
		x = y;
	}
}

static void joined_release(struct joined *joined)
{
	free(joined->bytes);
	free(joined->pieces);
}

/* Layers that are open, and opening them: what is in stored blocks. */

static const struct stored_form deflated = {
	.header = 5,
	.most = 65535,
	.code = CODE_LITTLE,
	.at = 1,
	.width = 2,
	.mask = { 0xfe },
	.has_last = true,
};

static const struct stored_form forms[] = {
	/* no sum, no length */
	[LAYER_ZSTD] = { .header = 3,
	                 .most = 1 << 17,
	                 .code = CODE_FLAGGED,
	                 .width = 3,
	                 .mask = { 6 },
	                 .has_last = true,
	                 .n_magic = 4,
	                 .n_head = 6,
	                 .head = { 0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3 } },
	/* its head and tail depend on what it holds, see below */
	[LAYER_XZ] = { .header = 3,
	               .most = 1 << 16,
	               .code = CODE_BIG,
	               .at = 1,
	               .width = 2,
	               .bias = -1,
	               .mask = { 0xfc },
	               .want = { 1 },
	               .n_magic = 6,
	               .head = { 0xfd, '7', 'z', 'X', 'Z', 0 } },
	/* blocks that do not depend on one another, no sums, no length */
	[LAYER_LZ4] = { .header = 4,
	                .most = 1 << 22,
	                .code = CODE_LITTLE,
	                .width = 3,
	                .mask = { 0, 0, 0, 0xff },
	                .want = { 0, 0, 0, 0x80 },
	                .n_magic = 4,
	                .n_head = 7,
	                .head = { 0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73 },
	                .n_tail = 4 },
	/* a byte that is skipped, which makes all of it no text; at last an empty block */
	[LAYER_BROTLI] = { .header = 3,
	                   .most = 1 << 20,
	                   .code = CODE_BROTLI,
	                   .width = 3,
	                   .n_head = 3,
	                   .head = { 0x2c, 0, 0xff },
	                   .n_tail = 1,
	                   .tail = { 3 } },
};

const struct stored_form *stored_form(uint8_t kind)
{
	return kind <= LAYER_GZIP ? &deflated : &forms[kind];
}

/* The length of the data behind the header at P; false when it is none of a stored block. */
static bool stored_length(const struct stored_form *f, const uint8_t *p, uint32_t *length)
{
	uint32_t width = f->width;
	uint64_t value;
	for (uint32_t i = 0; i < sizeof f->mask && i < f->header; i++)
		if ((p[i] ^ f->want[i]) & f->mask[i])
			return false;
	if (!code_read(f->code, p + f->at, p + f->header, &width, &value))
		return false;
	*length = (uint32_t)((int64_t)value - f->bias);
	return f->header < 5 || ((p[1] ^ p[3]) == 0xff && (p[2] ^ p[4]) == 0xff);
}

uint32_t stored_blocks(const uint8_t *bytes, uint8_t kind, uint32_t begin, uint32_t end,
                       struct element *out, uint32_t max)
{
	const struct stored_form *f = stored_form(kind);
	uint32_t n = 0, at = begin, length;
	for (; at + f->header <= end; n++) {
		bool last = f->has_last && bytes[at] & 1;
		if (!stored_length(f, bytes + at, &length) || length > end - at - f->header)
			return 0;
		at += f->header + length;
		if (n < max)
			out[n] = (struct element){ at - length, at };
		if (last)
			return at == end ? n + 1 : 0;
	}
	return !f->has_last && at == end ? n : 0;
}

uint32_t stored_list(const uint8_t *bytes, uint8_t kind, uint32_t begin, uint32_t end,
                     struct element **out)
{
	uint32_t n = stored_blocks(bytes, kind, begin, end, NULL, 0);
	*out = mem_alloc((n + (size_t)1) * sizeof **out);
	return stored_blocks(bytes, kind, begin, end, *out, n);
}

/* The header at TO of a block of N bytes. */
static void put_header(const struct stored_form *f, uint32_t n, bool last, uint8_t *to)
{
	uint8_t old[CODE_MAX] = { 0 };
	memcpy(to, f->want, f->header < sizeof f->want ? f->header : sizeof f->want);
	old[0] = to[0] |= f->has_last && last;
	code_write(f->code, old, f->width, (uint64_t)((int64_t)n + f->bias), to + f->at);
	if (f->header == 5) {
		to[3] = (uint8_t)~n;
		to[4] = (uint8_t)(~n >> 8);
	}
}

/* DATA in stored blocks at TO; returns their size. */
static uint32_t store(uint8_t kind, const uint8_t *data, uint32_t size, uint8_t *to)
{
	const struct stored_form *f = stored_form(kind);
	uint32_t done = 0, at = 0;
	if (!size && !f->has_last)
		return 0;
	do {
		uint32_t n = size - done < f->most ? size - done : f->most;
		put_header(f, n, done + n == size, to + at);
		memcpy(to + at + f->header, data + done, n);
		done += n;
		at += f->header + n;
	} while (done < size);
	return at;
}

static bool open_packed(const struct layer *l, const uint8_t *bytes, struct inflater *inflater,
                        struct arena *arena, struct edit_part *out)
{
	const struct stored_form *f = stored_form(l->kind);
	struct inflated in;
	if (!inflater_unpack(inflater, l->kind, bytes + l->head, l->tail - l->head, INFLATE_MOST,
	                     &in))
		return false;
	uint8_t *text = arena_alloc(arena, in.size + f->header * ((size_t)in.size / f->most + 1) +
	                                           f->n_head + f->n_tail);
	memcpy(text, f->head, f->n_head);
	uint32_t len = f->n_head + store(l->kind, in.data, in.size, text + f->n_head);
	memcpy(text + len, f->tail, f->n_tail);
	*out = (struct edit_part){ l->head, l->tail, len + f->n_tail, text };
	return true;
}

/* Streams of xz as layers. A stream is opened as one block of LZMA2 whose chunks are uncompressed:
 *
 *     magic, no checksum of what it holds | block header | chunks, 0, padding | index | footer
 *
 * The index says how long the block is, with its header and without padding, and how much it holds;
 * the footer how long the index is. The chunks are the stored blocks: each begins with 1 (forget
 * what was), and its length less one in two bytes, the most significant first. */

enum {
	BLOCK = 12, /* where the block begins */
	DATA = 24,  /* and its chunks */
	FOOTER = 12,
	LEAST_INDEX = 8,
	UNIT = 4, /* all parts are multiples of it */
};

/* No checksum; one filter, LZMA2 with 64 KB of memory. */
static const uint8_t open_head[DATA] = {
	0xfd, '7', 'z',  'X',  'Z', 0, 0, 0, 0xff, 0x12, 0xd9, 0x41, /* stream */
	2,    0,   0x21, 0x01, 8,   0, 0, 0, 0,    0,    0,    0,    /* block, without its sum */
};

/* Of a stream that is open. */
struct borders {
	uint32_t pad, index; /* behind the chunks; the padding goes to the index */
	uint32_t size, size_width, held, held_width;
	uint32_t index_pad, sum, footer;
};

static uint32_t up(uint32_t n)
{
	return (n + UNIT - 1) / UNIT * UNIT;
}

/* Finds the borders in a stream that xz's own library has read; false when it is not one block
 * with these headers. */
static bool find_borders(const uint8_t *bytes, const struct layer *l, struct borders *b)
{
	uint64_t value;
	const uint8_t *foot = bytes + l->tail - FOOTER, *end = foot;
	if (l->tail - l->head < DATA + 1 + LEAST_INDEX + FOOTER ||
	    memcmp(bytes + l->head, open_head, DATA - 4) != 0)
		return false;
	uint64_t size = ((uint64_t)(foot[4] | foot[5] << 8 | foot[6] << 16) + 1) * UNIT;
	if (foot[7] || size > l->tail - l->head - DATA - FOOTER || size < LEAST_INDEX)
		return false;
	b->footer = l->tail - FOOTER;
	b->sum = b->footer - 4;
	b->index = b->footer - (uint32_t)size;
	b->size = b->index + 2;
	if (bytes[b->index] || bytes[b->index + 1] != 1 ||
	    !code_read(CODE_LEB, bytes + b->size, end, &b->size_width, &value) ||
	    value < DATA - BLOCK + 1 || value > b->index - l->head - BLOCK)
		return false;
	b->pad = l->head + BLOCK + (uint32_t)value;
	b->held = b->size + b->size_width;
	if (!code_read(CODE_LEB, bytes + b->held, end, &b->held_width, &value))
		return false;
	b->index_pad = b->held + b->held_width;
	return b->index_pad <= b->sum && l->head + up(b->pad - l->head) == b->index;
}

/* Sets begin and end of L to those of its blocks when it is as xz_open writes it. */
static void xz_borders(const uint8_t *bytes, struct layer *l)
{
	struct borders b;
	struct layer inner = *l;
	if (!find_borders(bytes, l, &b))
		return;
	inner.begin = l->head + DATA;
	inner.end = b.pad - 1; /* before the 0 behind the last chunk */
	if (stored_blocks(bytes, inner.kind, inner.begin, inner.end, NULL, 0))
		*l = inner;
}

/* ---- writing ---- */

/* VALUE at AT; returns what is behind it. */
static uint32_t put(enum code code, uint8_t *to, uint32_t at, uint32_t value)
{
	return at + code_write(code, to + at, code == CODE_LEB ? 1 : 4, value, to + at);
}

static uint32_t put_zeros(uint8_t *to, uint32_t at)
{
	while (at % UNIT)
		to[at++] = 0;
	return at;
}

static uint32_t put_index(uint8_t *to, uint32_t at, uint32_t block, uint32_t held)
{
	uint32_t index = at;
	to[at++] = 0;
	to[at++] = 1;
	at = put_zeros(to, put(CODE_LEB, to, put(CODE_LEB, to, at, block), held));
	at = put(CODE_LITTLE, to, at, sum_bytes(SUM_CRC32, to + index, at - index));
	uint32_t foot = at;
	put(CODE_LITTLE, to, foot + 4, (foot - index) / UNIT - 1);
	to[foot + 8] = to[foot + 9] = 0;
	put(CODE_LITTLE, to, foot, sum_bytes(SUM_CRC32, to + foot + 4, 6));
	memcpy(to + foot + 10, "YZ", 2);
	return foot + FOOTER;
}

static uint32_t write_open(const uint8_t *data, uint32_t size, uint8_t *to)
{
	uint32_t at = DATA;
	memcpy(to, open_head, DATA);
	put(CODE_LITTLE, to, DATA - 4, sum_bytes(SUM_CRC32, to + BLOCK, DATA - 4 - BLOCK));
	at += store(LAYER_XZ, data, size, to + at);
	to[at++] = 0;
	return put_index(to, put_zeros(to, at), at - BLOCK, size);
}

static bool xz_open(const struct layer *l, const uint8_t *bytes, struct inflater *inflater,
                    struct arena *arena, struct edit_part *out)
{
	struct inflated in;
	const struct stored_form *f = &forms[LAYER_XZ];
	if (!inflater_unpack(inflater, l->kind, bytes + l->head, l->tail - l->head, INFLATE_MOST,
	                     &in))
		return false;
	size_t chunks = (size_t)in.size / f->most + 1;
	uint8_t *text = arena_alloc(arena, in.size + f->header * chunks + DATA + 64);
	*out = (struct edit_part){ l->head, l->tail, write_open(in.data, in.size, text), text };
	return true;
}

bool layer_open(const struct layer *l, const uint8_t *bytes, const struct records *records,
                struct inflater *inflater, struct arena *arena, struct edit_part *out)
{
	if (l->kind == LAYER_XZ)
		return xz_open(l, bytes, inflater, arena, out);
	if (l->kind > LAYER_GZIP)
		return open_packed(l, bytes, inflater, arena, out);
	struct joined joined = { 0 };
	const uint8_t *packed = bytes + l->begin;
	uint32_t size = l->end - l->begin;
	struct inflated in;
	if (l->n_records > 1) {
		join_records(bytes, records, NULL, l->begin, l->head, &joined);
		packed = joined.bytes;
		size = joined.size;
	}
	bool fine = inflater_unpack(inflater, LAYER_RAW, packed, size, INFLATE_MOST, &in);
	if (fine) {
		uint8_t *text = arena_alloc(
			arena, in.size + deflated.header * (in.size / deflated.most + 1) + 4);
		uint32_t len = store(l->kind, in.data, in.size, text);
		uint32_t sum = sum_bytes(SUM_ADLER32, in.data, in.size);
		for (int shift = 24; l->n_records > 1 && shift >= 0; shift -= 8)
			text[len++] = (uint8_t)(sum >> shift);
		*out = (struct edit_part){ l->begin, l->end, len, text };
	}
	joined_release(&joined);
	return fine;
}

bool layer_pack(const struct layer *l, const uint8_t *bytes, struct arena *arena,
                struct edit_part *out)
{
	const struct stored_form *f = stored_form(l->kind);
	bool raw = l->kind <= LAYER_GZIP;
	uint32_t size = 0, len = 0, n, at = l->begin;
	MEM_SCOPED uint8_t *data = mem_alloc(l->end - l->begin + (size_t)1);
	for (; at + f->header <= l->end; at += f->header + n) {
		if (!stored_length(f, bytes + at, &n))
			return false;
		if (n > l->end - at - f->header) /* that was cut off */
			n = l->end - at - f->header;
		memcpy(data + size, bytes + at + f->header, n);
		size += n;
	}
	*out = raw ? (struct edit_part){ l->begin, l->end, 0, NULL }
	           : (struct edit_part){ l->head, l->tail, 0, NULL };
	MEM_SCOPED uint8_t *packed =
		size <= MOST_PACKED ? inflate_pack(raw ? LAYER_RAW : l->kind, data, size, 0, &len)
				    : NULL;
	if (!packed || len >= out->end - out->begin)
		return false;
	uint8_t *text = arena_alloc(arena, len);
	memcpy(text, packed, len);
	out->text = text;
	out->len = len;
	return true;
}

/* ---- what it says ---- */

static struct field padding(uint32_t at, uint32_t end, uint32_t from)
{
	struct field f = field_of(FIELD_PADDING, CODE_LITTLE, at, end - at, from, at);
	f.unit = UNIT;
	f.depth = UINT16_MAX;
	return f;
}

void xz_fields(const struct layer *l, const uint8_t *bytes, uint32_t list,
               struct field out[XZ_FIELDS])
{
	struct borders b = { 0 };
	find_borders(bytes, l, &b);
	out[0] = padding(b.pad, b.index, l->head + BLOCK);
	out[1] = field_of(FIELD_LENGTH, CODE_LEB, b.size, b.size_width, l->head + BLOCK, b.pad);
	out[1].depth = UINT16_MAX; /* without the padding */
	out[2] = field_of(FIELD_LENGTH, CODE_LEB, b.held, b.held_width, l->begin, l->end);
	out[2].list = list;
	out[2].listed = true;
	out[2].depth = UINT16_MAX;
	out[3] = padding(b.index_pad, b.sum, b.index);
	out[3].aligned = true;
	out[4] = field_of(FIELD_SUM, CODE_LITTLE, b.sum, 4, b.index, b.sum);
	out[4].aligned = true;
	out[5] = field_of(FIELD_LENGTH, CODE_LITTLE, b.footer + 4, 4, b.index, b.footer);
	out[5].bias = -UNIT;
	out[5].unit = UNIT;
	out[6] = field_of(FIELD_SUM, CODE_LITTLE, b.footer, 4, b.footer + 4, b.footer + 10);
}

enum {
	LOOKED_AT = 8,         /* steps of what is looked at where a stream may begin */
	SMALLEST = 8,          /* bytes of a file with layers */
	RAW_LARGEST = 1 << 24, /* raw deflate is looked for in files up to this */
	RAW_LEAST = 4,         /* bytes that it holds */
	NEAR_BEFORE = 320,     /* where a checksum of it stands */
	NEAR_BEHIND = 24,
	UNMARKED_HEAD = 64,   /* bytes in which the length of what has no mark stands */
	UNMARKED_MOST = 1024, /* where that begins at most */
	WORK = 1 << 26,       /* bytes that may be read and inflated, beside 32 for each byte */
	LAYERS_MAX = 1 << 12,
};

struct finder {
	const uint8_t *bytes;
	uint32_t size;
	const struct records *records;
	uint32_t *outer; /* of each of them the one around it, or FOUND_NONE */
	struct inflater *inflater;
	uint64_t work;
	struct layers *out;
};

/* ---- what is inflated ---- */

/* What was tried counts, whether it was a stream or not. */
static void charge(struct finder *f, const struct inflated *tried)
{
	uint64_t cost = (uint64_t)tried->used + tried->size + 1;
	f->work -= cost < f->work ? cost : f->work;
}

/* What is deflated from BEGIN on, before END. */
static bool run(struct finder *f, uint32_t begin, uint32_t end, struct inflated *out)
{
	bool yes = inflater_unpack(f->inflater, LAYER_RAW, f->bytes + begin, end - begin,
	                           INFLATE_MOST, out);
	charge(f, out);
	return yes;
}

/* ---- finding ---- */

static void add(struct finder *f, struct layer l, const struct inflated *in)
{
	l.n_records = l.n_records ? l.n_records : 1;
	l.size = in->size;
	l.crc = sum_bytes(SUM_CRC32, in->data, in->size);
	l.stored = l.n_records == 1 && stored_blocks(f->bytes, l.kind, l.begin, l.end, NULL, 0) > 0;
	MEM_PUSH(f->out->list, f->out->n, f->out->cap, l);
}

static bool zlib_header(const uint8_t *p)
{
	return (p[0] & 15) == 8 && p[0] >> 4 <= 7 && !(p[1] & 0x20) && (p[0] << 8 | p[1]) % 31 == 0;
}

static bool find_whole_zlib(struct finder *f, uint32_t at)
{
	struct inflated in;
	if (!run(f, at + 2, f->size, &in))
		return false;
	uint32_t end = at + 2 + in.used;
	if (end + 4 > f->size ||
	    code_big(f->bytes + end) != sum_bytes(SUM_ADLER32, in.data, in.size))
		return false;
	add(f,
	    (struct layer){
		    .head = at, .begin = at + 2, .end = end, .tail = end + 4, .kind = LAYER_ZLIB },
	    &in);
	return true;
}

/* One that goes over several records, and fills them. */
static bool find_split_zlib(struct finder *f, uint32_t at)
{
	const struct record *x = record_at(f->records, f->outer, at + 2);
	struct joined joined;
	struct inflated in;
	uint32_t k = 1;
	if (!x || run(f, at + 2, x->body_end, &in) || in.used < x->body_end - at - 2)
		return false;
	join_records(f->bytes, f->records, f->outer, at + 2, at, &joined);
	bool yes = joined.n > 1 && inflater_unpack(f->inflater, LAYER_RAW, joined.bytes,
	                                           joined.size, INFLATE_MOST, &in);
	charge(f, &in);
	while (yes && k < joined.n && joined.pieces[k].size < in.used + 4)
		k++;
	yes = yes && k < joined.n && joined.pieces[k].size == in.used + 4 &&
	      code_big(joined.bytes + in.used) == sum_bytes(SUM_ADLER32, in.data, in.size);
	if (yes)
		add(f,
		    (struct layer){ .head = at,
		                    .begin = at + 2,
		                    .end = x->body_end,
		                    .tail = x->end,
		                    .kind = LAYER_ZLIB,
		                    .n_records = k + 1,
		                    .last = joined.pieces[k].end },
		    &in);
	joined_release(&joined);
	return yes;
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
	uint32_t begin = gzip_header(f->bytes, at, f->size);
	struct inflated in;
	if (!begin || !run(f, begin, f->size, &in))
		return false;
	uint32_t end = begin + in.used;
	if (end + 8 > f->size ||
	    code_little(f->bytes + end) != sum_bytes(SUM_CRC32, in.data, in.size) ||
	    code_little(f->bytes + end + 4) != in.size)
		return false;
	add(f,
	    (struct layer){
		    .head = at, .begin = begin, .end = end, .tail = end + 8, .kind = LAYER_GZIP },
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
		if (code_big(f->bytes + at) == word || code_little(f->bytes + at) == word)
			return true;
	for (uint32_t at = end; at + 4 <= f->size && at + 4 <= end + NEAR_BEHIND; at++)
		if (code_big(f->bytes + at) == word || code_little(f->bytes + at) == word)
			return true;
	return false;
}

static bool find_raw(struct finder *f, uint32_t at)
{
	struct inflated in;
	if (!raw_header(f->bytes + at, f->size - at) || !run(f, at, f->size, &in) ||
	    in.size < RAW_LEAST)
		return false;
	uint32_t end = at + in.used;
	if (!stands_near(f, sum_bytes(SUM_CRC32, in.data, in.size), at, end))
		return false;
	add(f,
	    (struct layer){ .head = at, .begin = at, .end = end, .tail = end, .kind = LAYER_RAW },
	    &in);
	return true;
}

/* What is packed in the way of KIND, and is only this when it ends at END (0: anywhere). */
static bool find_packed(struct finder *f, uint32_t at, uint8_t kind, uint32_t end)
{
	const struct stored_form *form = stored_form(kind);
	const uint8_t *p = f->bytes + at;
	struct inflated in;
	if (f->size - at < form->n_magic || memcmp(p, form->head, form->n_magic) != 0)
		return false;
	bool yes = inflater_unpack(f->inflater, kind, p, f->size - at, INFLATE_MOST, &in);
	charge(f, &in);
	if (!yes || (end && (at + in.used != end || in.size < RAW_LEAST)))
		return false;
	struct layer l = {
		.head = at, .begin = at, .end = at + in.used, .tail = at + in.used, .kind = kind
	};
	if (kind == LAYER_XZ)
		xz_borders(f->bytes, &l);
	else if (in.used > form->n_head + form->n_tail && !memcmp(p, form->head, form->n_head) &&
	         !memcmp(p + in.used - form->n_tail, form->tail, form->n_tail)) {
		l.begin += form->n_head;
		l.end -= form->n_tail;
	}
	add(f, l, &in);
	return true;
}

/* brotli has no mark: it is all of a file, or what a length in the first bytes says that goes up to
 * the end, but for padding. */
static bool find_unmarked(struct finder *f, uint32_t at)
{
	uint32_t left = f->size - at;
	if (!inflate_has(LAYER_BROTLI))
		return false;
	if (!at && find_packed(f, at, LAYER_BROTLI, f->size))
		return true;
	for (uint32_t k = 0; k + 4 <= UNMARKED_HEAD && k + 4 <= at; k++)
		for (uint32_t pad = 0; pad < 4 && pad < left; pad++) {
			const uint8_t *p = f->bytes + k;
			if ((code_big(p) == left - pad || code_little(p) == left - pad) &&
			    find_packed(f, at, LAYER_BROTLI, f->size - pad))
				return true;
		}
	return false;
}

/* The blocks of one that was open before the end of it went, or what is around it. */
static bool find_rest(struct finder *f, uint32_t at)
{
	const struct records *r = f->records;
	uint32_t k = r ? MEM_FIRST(r->list, r->n, begin, at) : 0, end = at, n;
	while (r && k < r->n && r->list[k].begin == at && !r->list[k].stored)
		k++;
	if (!r || k == r->n || r->list[k].begin != at)
		return false;
	uint8_t kind = r->list[k].stored;
	const struct stored_form *form = stored_form(kind);
	uint32_t front = kind == LAYER_XZ ? DATA : form->n_head;
	for (uint32_t i = 0; i < f->out->n; i++)
		if (at < f->out->list[i].tail)
			return false;
	if (at < front || memcmp(f->bytes + at - front, form->head, form->n_magic) != 0)
		return false;
	while (end + form->header <= f->size && stored_length(form, f->bytes + end, &n))
		end = n < f->size - end - form->header ? end + form->header + n : f->size;
	struct layer l = { .head = at - front,
		           .begin = at,
		           .end = end,
		           .tail = end,
		           .size = end - at,
		           .kind = kind > LAYER_GZIP ? kind : LAYER_RAW,
		           .stored = true,
		           .n_records = 1 };
	MEM_PUSH(f->out->list, f->out->n, f->out->cap, l);
	return true;
}

static bool find_at(struct finder *f, uint32_t at)
{
	const uint8_t *p = f->bytes + at;
	if (zlib_header(p) && (find_whole_zlib(f, at) || find_split_zlib(f, at)))
		return true;
	if (p[0] == 0x1f && find_gzip(f, at))
		return true;
	for (uint8_t kind = LAYER_ZSTD; kind < LAYER_BROTLI; kind++)
		if (p[0] == stored_form(kind)->head[0] && find_packed(f, at, kind, 0))
			return true;
	if (at < UNMARKED_MOST && find_unmarked(f, at))
		return true;
	return (f->size <= RAW_LARGEST && find_raw(f, at)) || find_rest(f, at);
}

void layers_find(const uint8_t *bytes, uint32_t size, const struct records *records,
                 struct layers *out)
{
	struct finder f = {
		bytes, size, records, NULL, NULL, WORK + 32 * (uint64_t)size, out,
	};
	*out = (struct layers){ 0 };
	if (size < SMALLEST || testcase_utf8(bytes, size))
		return;
	f.outer = records ? found_outer(records) : NULL;
	f.inflater = inflater_new();
	for (uint32_t at = 0; at + 2 < size && f.work && out->n < LAYERS_MAX;) {
		work_step(LOOKED_AT);
		if (!find_at(&f, at)) {
			at++;
			continue;
		}
		const struct layer *l = &out->list[out->n - 1];
		at = l->n_records > 1 ? l->last
		     : l->stored      ? l->begin + stored_form(l->kind)->header
		                      : l->tail;
	}
	inflater_free(f.inflater);
	free(f.outer);
}

void layers_release(struct layers *layers)
{
	free(layers->list);
}
