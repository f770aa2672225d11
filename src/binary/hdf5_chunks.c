#include "binary/hdf5_def.h"

#include <stdlib.h>

#include "base/mem.h"
#include "binary/inflate.h"
#include "binary/sums.h"

enum {
	VALUES_MOST = HDF5_MOST, /* bytes */
	STEP = 16,               /* bytes that are a step */
	ZLIB_HEAD = 2,
	BEST = 9,   /* of deflate; what is read does not ask */
	DIRECT = 6, /* blocks that the index of what grows leads to itself, as libhdf5 makes it */
};

/* How values are laid out in chunks. */
struct grid {
	struct hdf5 *f;
	const struct hdf5_space *space;
	uint64_t each, sides[HDF5_SIDES], size; /* of a chunk */
	uint32_t n_filters, filters[HDF5_FILTERS];
	struct inflater *inflater;
	uint8_t *out;
};

/* ---- filters ---- */

uint32_t hdf5_filters(const struct hdf5 *f, const struct hdf5_message *m,
                      uint32_t filters[HDF5_FILTERS])
{
	uint32_t kept = 0;
	uint64_t first = hdf5_number(f, m->at, 1) == 1, at = m->at + (first ? 8 : 2);
	uint64_t n = hdf5_number(f, m->at + 1, 1);
	for (; n && kept < HDF5_FILTERS; n--) {
		uint32_t id = (uint32_t)hdf5_number(f, at, 2);
		bool named = first || id >= 256;
		uint64_t name = named ? hdf5_number(f, at + 2, 2) : 0;
		uint64_t values = hdf5_number(f, at + (named ? 6 : 4), 2);
		at += (named ? 8 : 6) + (first ? HDF5_ALIGNED(name) : name) + 4 * values;
		at += first && values % 2 ? 4 : 0;
		filters[kept++] = id;
	}
	return kept;
}

/* The SIZE bytes with those of the same place in each value together, or back; the caller's. */
static uint8_t *shuffled(const uint8_t *bytes, uint64_t size, uint64_t each, bool back)
{
	uint8_t *out = mem_dup(bytes, size);
	uint64_t n = each ? size / each : 0;
	for (uint64_t i = 0; i < n * each; i++)
		out[back ? i : i % each * n + i / each] = bytes[back ? i % each * n + i / each : i];
	work_step(size);
	return out;
}

static uint32_t folded(uint32_t sum)
{
	return (sum & 0xffff) + (sum >> 16);
}

/* Fletcher's sum of words of two bytes, the last one filled. */
static uint32_t fletcher(const uint8_t *bytes, size_t size)
{
	uint32_t one = 0, two = 0;
	for (size_t i = 0; i < size; i += 2) {
		one = folded(one + (uint32_t)(bytes[i] << 8 | (i + 1 < size ? bytes[i + 1] : 0)));
		two = folded(two + one);
	}
	return two << 16 | one;
}

/* As zlib packs it. */
static void deflate(struct buf *data)
{
	struct buf out = { 0 };
	uint32_t size = (uint32_t)data->len, len;
	const uint8_t *bytes = (const uint8_t *)data->data;
	MEM_SCOPED uint8_t *packed = inflate_pack(LAYER_RAW, bytes, size, 0, &len);
	buf_add(&out, "\x78\xda", ZLIB_HEAD);
	buf_add(&out, packed, packed ? len : 0);
	uint32_t sum = sum_bytes(SUM_ADLER32, bytes, size);
	for (uint32_t i = 4; i--;)
		buf_addch(&out, (char)(sum >> 8 * i));
	buf_release(data);
	*data = out;
}

static void filter(struct buf *data, uint64_t each, uint64_t id)
{
	uint8_t *bytes = (uint8_t *)data->data;
	if (id == FILTER_DEFLATE) {
		deflate(data);
	} else if (id == FILTER_SUM) {
		hdf5_put(data, fletcher(bytes, data->len), 4);
	} else {
		MEM_SCOPED uint8_t *next = shuffled(bytes, data->len, each, false);
		memcpy(bytes, next, data->len);
	}
}

bool hdf5_pack(struct buf *data, uint64_t each, const char *said, struct buf *message)
{
	size_t count = message->len + 1;
	hdf5_put(message, 2, 2);
	for (char *next; (uint8_t)message->data[count] < HDF5_FILTERS; said = next) {
		uint64_t id = strtoull(said, &next, 10);
		if (next == said)
			break;
		if (id < FILTER_DEFLATE || id > FILTER_SUM)
			continue;
		filter(data, each, id);
		message->data[count]++;
		hdf5_put(message, id, 4);
		hdf5_put(message, id != FILTER_SUM, 2);
		if (id != FILTER_SUM)
			hdf5_put(message, id == FILTER_SHUFFLE ? each : BEST, 4);
	}
	return message->data[count];
}

/* ---- what is in a chunk ---- */

/* The SIZE bytes at AT without the filters, but for those that MASK names; the caller's. NULL:
 * there is one that is not known. */
static uint8_t *unfiltered(struct grid *g, uint64_t at, uint64_t size, uint32_t mask)
{
	if (!hdf5_there(g->f, at, size))
		return NULL;
	uint8_t *data = mem_dup(g->f->bytes + at, size);
	for (uint32_t i = g->n_filters; data && i--;) {
		struct inflated in = { 0 };
		uint8_t *next = NULL;
		if (mask >> i & 1)
			continue;
		if (g->filters[i] == FILTER_SUM && size > 4)
			next = mem_dup(data, size -= 4);
		else if (g->filters[i] == FILTER_SHUFFLE)
			next = shuffled(data, size, g->each, true);
		else if (g->filters[i] == FILTER_DEFLATE && size > ZLIB_HEAD &&
		         inflater_unpack(g->inflater, LAYER_RAW, data + ZLIB_HEAD,
		                         (uint32_t)size - ZLIB_HEAD, VALUES_MOST, &in))
			next = mem_dup(in.data, size = in.size);
		free(data);
		data = next;
	}
	if (data && size >= g->size)
		return data;
	free(data);
	return NULL;
}

/* Puts a chunk, whose first value has those coordinates, where it belongs. */
static void put_chunk(struct grid *g, const uint64_t *first, uint64_t at, uint64_t size,
                      uint32_t mask)
{
	const struct hdf5_space *s = g->space;
	uint64_t n = g->size / g->each, last = s->rank - 1;
	MEM_SCOPED uint8_t *data = hdf5_step(g->f) ? unfiltered(g, at, size, mask) : NULL;
	work_step(g->size);
	for (uint64_t i = 0; data && i < n; i += g->sides[last]) {
		uint64_t to = 0, rest = i, scale = 1, run = g->sides[last];
		bool inside = first[last] < s->sides[last];
		for (uint32_t d = s->rank; d--; scale *= s->sides[d]) {
			uint64_t here = first[d] + rest % g->sides[d];
			rest /= g->sides[d];
			inside &= here < s->sides[d];
			to += here * scale;
		}
		if (inside && run > s->sides[last] - first[last])
			run = s->sides[last] - first[last];
		if (inside)
			memcpy(g->out + to * g->each, data + i * g->each, run * g->each);
	}
}

/* The I-th chunk in the order of an index that has a place for each; how many there are. */
static void put_nth(struct grid *g, uint64_t i, uint64_t at, uint64_t size, uint32_t mask)
{
	uint64_t first[HDF5_SIDES];
	for (uint32_t d = g->space->rank; d--;) {
		uint64_t n = (g->space->most[d] + g->sides[d] - 1) / g->sides[d];
		bool grows = !d || !n;
		first[d] = (grows ? i : i % n) * g->sides[d];
		i = grows ? 0 : i / n;
	}
	put_chunk(g, first, at, size, mask);
}

/* ---- indexes of chunks ---- */

static void read_tree(struct grid *g, uint64_t at, uint32_t depth)
{
	struct hdf5 *f = g->f;
	uint32_t rank = g->space->rank;
	uint64_t n = hdf5_number(f, at + 6, 2), key = 8 + 8 * ((uint64_t)rank + 1);
	uint64_t level = hdf5_number(f, at + 5, 1), first[HDF5_SIDES];
	if (!hdf5_begins(f, at, "TREE") || depth > HDF5_DEPTH)
		return;
	at += 8 + 2 * f->width;
	for (; n && hdf5_step(f); n--, at += key + f->width) {
		uint64_t child = hdf5_word(f, at + key);
		for (uint32_t d = 0; d < rank; d++)
			first[d] = hdf5_number(f, at + 8 + 8 * d, 8);
		if (level)
			read_tree(g, child, depth + 1);
		else
			put_chunk(g, first, child, hdf5_number(f, at, 4),
			          (uint32_t)hdf5_number(f, at + 4, 4));
	}
}

/* An entry of WIDTH bytes: where the I-th chunk is, and, if that is not said for all, its size. */
static void read_entry(struct grid *g, uint64_t at, uint64_t width, uint64_t i)
{
	struct hdf5 *f = g->f;
	uint64_t size = g->size;
	uint32_t mask = 0;
	if (width > f->width + 4) {
		size = hdf5_number(f, at + f->width, (uint32_t)width - f->width - 4);
		mask = (uint32_t)hdf5_number(f, at + width - 4, 4);
	}
	put_nth(g, i, hdf5_word(f, at), size, mask);
}

/* A table of a fixed number, in pages if it is long. */
static void read_table(struct grid *g, uint64_t at)
{
	struct hdf5 *f = g->f;
	uint64_t width = hdf5_number(f, at + 6, 1), n = hdf5_word(f, at + 8);
	uint64_t page = (uint64_t)1 << (hdf5_number(f, at + 7, 1) & 31);
	uint64_t entries = hdf5_word(f, at + 8 + f->width);
	if (!hdf5_begins(f, at, "FAHD") || !hdf5_begins(f, entries, "FADB"))
		return;
	entries += 6 + f->width;
	bool paged = n > page;
	if (paged)
		entries += ((n + page - 1) / page + 7) / 8 + 4;
	for (uint64_t i = 0; i < n && hdf5_step(f); i++)
		read_entry(g, entries + i * width + (paged ? i / page * 4 : 0), width, i);
}

/* One that grows: the first entries, then blocks of more. */
static void read_growing(struct grid *g, uint64_t at)
{
	static const uint8_t scale[DIRECT] = { 1, 2, 2, 2, 4, 4 };
	struct hdf5 *f = g->f;
	uint64_t width = hdf5_number(f, at + 6, 1), n = hdf5_number(f, at + 8, 1), i = 0;
	uint64_t least = hdf5_number(f, at + 9, 1), head = 6 + f->width;
	uint64_t index = hdf5_word(f, at + 12 + 6 * f->width);
	if (!hdf5_begins(f, at, "EAHD") || !hdf5_begins(f, index, "EAIB"))
		return;
	index += head;
	for (; i < n && hdf5_step(f); i++)
		read_entry(g, index + i * width, width, i);
	for (uint32_t b = 0; b < DIRECT; b++) {
		uint64_t block = hdf5_word(f, index + n * width + (uint64_t)b * f->width);
		uint64_t here = least * scale[b];
		for (uint64_t k = 0; hdf5_begins(f, block, "EADB") && k < here && hdf5_step(f); k++)
			read_entry(g, block + head + 4 + k * width, width, i + k);
		i += here;
	}
}

/* A tree of the newer kind that is one leaf. */
static void read_leaf(struct grid *g, uint64_t at)
{
	struct hdf5 *f = g->f;
	uint32_t rank = g->space->rank;
	uint64_t width = hdf5_number(f, at + 10, 2), leaf = hdf5_word(f, at + 16);
	uint64_t n = hdf5_number(f, at + 16 + f->width, 2), first[HDF5_SIDES];
	bool filtered = hdf5_number(f, at + 5, 1) == 11;
	uint64_t place = width - 8 * (uint64_t)rank;
	if (!hdf5_begins(f, at, "BTHD") || !hdf5_begins(f, leaf, "BTLF") || place > 32)
		return;
	for (leaf += 6; n && hdf5_step(f); n--, leaf += width) {
		uint64_t size = g->size;
		for (uint32_t d = 0; d < rank; d++)
			first[d] = hdf5_number(f, leaf + place + 8 * d, 8) * g->sides[d];
		if (filtered)
			size = hdf5_number(f, leaf + f->width, (uint32_t)place - f->width - 4);
		put_chunk(g, first, hdf5_word(f, leaf), size,
		          filtered ? (uint32_t)hdf5_number(f, leaf + place - 4, 4) : 0);
	}
}

/* ---- layouts ---- */

/* The index behind the sides of chunks, in the newer layout. */
static void read_index(struct grid *g, uint64_t at, uint64_t flags)
{
	struct hdf5 *f = g->f;
	uint64_t kind = hdf5_number(f, at, 1), n = 1;
	bool filtered = kind == 1 && flags & 2;
	at += 1 + (filtered ? f->width + 4 : kind == 3 ? 1 : kind == 4 ? 5 : kind == 5 ? 6 : 0);
	uint64_t to = hdf5_word(f, at);
	for (uint32_t d = 0; d < g->space->rank; d++)
		n *= (g->space->sides[d] + g->sides[d] - 1) / g->sides[d];
	if (kind == 1)
		put_nth(g, 0, to, filtered ? hdf5_word(f, at - f->width - 4) : g->size,
		        filtered ? (uint32_t)hdf5_number(f, at - 4, 4) : 0);
	for (uint64_t i = 0; kind == 2 && i < n && hdf5_step(f); i++)
		put_nth(g, i, to + i * g->size, g->size, 0);
	if (kind == 3)
		read_table(g, to);
	if (kind == 4)
		read_growing(g, to);
	if (kind == 5)
		read_leaf(g, to);
}

static void read_chunks(struct grid *g, uint64_t at, bool newer)
{
	struct hdf5 *f = g->f;
	uint64_t sides = newer ? at + 5 : at + 3 + f->width;
	uint32_t width = newer ? (uint32_t)hdf5_number(f, at + 4, 1) : 4;
	uint64_t rank = hdf5_number(f, at + (newer ? 3 : 2), 1);
	g->size = g->each;
	if (!g->space->rank || rank != g->space->rank + (uint64_t)1 || width > 8)
		return;
	for (uint32_t d = 0; d < g->space->rank; d++) {
		g->sides[d] = hdf5_number(f, sides + (uint64_t)d * width, width);
		if (!g->sides[d] || g->sides[d] > VALUES_MOST / g->size)
			return;
		g->size *= g->sides[d];
	}
	if (newer)
		read_index(g, sides + rank * width, hdf5_number(f, at + 2, 1));
	else
		read_tree(g, hdf5_word(f, at + 3), 0);
}

uint8_t *hdf5_values(struct hdf5 *f, const struct hdf5_message *layout,
                     const struct hdf5_message *filters, const struct hdf5_space *space,
                     uint64_t each, uint64_t *size)
{
	uint64_t version = hdf5_number(f, layout->at, 1), kind = hdf5_number(f, layout->at + 1, 1);
	uint64_t at = layout->at + 4;
	if (version < 3 || version > 5 || kind > 2 || each > VALUES_MOST || !space->n ||
	    space->n > VALUES_MOST / each)
		return NULL;
	*size = space->n * each;
	if (f->steps < *size / STEP)
		return NULL;
	f->steps -= (uint32_t)(*size / STEP);
	if (kind == 1)
		at = hdf5_word(f, layout->at + 2);
	if (kind < 2)
		return hdf5_there(f, at, *size) ? mem_dup(f->bytes + at, *size) : NULL;
	struct grid g = { .f = f, .space = space, .each = each };
	g.out = mem_zero(*size, 1);
	g.inflater = inflater_new();
	if (filters)
		g.n_filters = hdf5_filters(f, filters, g.filters);
	read_chunks(&g, layout->at, version > 3);
	inflater_free(g.inflater);
	return g.out;
}
