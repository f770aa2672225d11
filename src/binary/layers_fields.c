/* What a file says about its layers: lengths of theirs, sums of what they hold. */
#include "binary/layers.h"

#include "base/mem.h"
#include "binary/anew.h"
#include "binary/forest.h"
#include "binary/finders.h"
#include "binary/found.h"
#include "binary/records.h"
#include "binary/record.h"
#include "binary/schema.h"

/* What an open layer holds is N rows of SIZE bytes, as the number at AT says. */
struct rows {
	uint32_t at, n, size;
	uint8_t code;
};

/* Rows of a fixed size in a layer, as those of a picture: height and width stand in front of it. */

enum {
	ROWS_IN_FRONT = 1 << 12, /* bytes in which the numbers are */
	WORD = 4,
	CELL_MAX = 8, /* bytes of a row for each of its width */
	LEAST = 2,    /* rows, and columns */
	ROW_LEAST = 3,
};

static bool is_wide(uint32_t row, uint64_t width)
{
	for (uint32_t cell = 1; cell <= CELL_MAX && width >= LEAST; cell++)
		if (row == width * cell || row == width * cell + 1)
			return true;
	return false;
}

/* Finds the rows of L: two numbers stand in front of it, of which the first says how wide a row is,
 * with a byte more or not, and the second how many there are. */
static bool rows_find(const struct layer *l, const uint8_t *bytes, struct rows *out)
{
	uint32_t from = l->head > ROWS_IN_FRONT ? l->head - ROWS_IN_FRONT : 0;
	for (uint32_t at = from; l->stored && at + 2 * WORD <= l->head; at++)
		for (uint32_t big = 0; big < 2; big++) {
			enum code code = big ? CODE_BIG : CODE_LITTLE;
			const uint8_t *p = bytes + at, *end = bytes + l->head;
			uint32_t width = WORD;
			uint64_t wide, high;
			if (!code_read(code, p, end, &width, &wide) ||
			    !code_read(code, p + WORD, end, &width, &high) || high < LEAST ||
			    high > l->size || l->size % high)
				continue;
			uint32_t row = l->size / (uint32_t)high;
			if (row < ROW_LEAST || row > UINT16_MAX || !is_wide(row, wide))
				continue;
			*out = (struct rows){ at + WORD, (uint32_t)high, row, (uint8_t)code };
			return true;
		}
	return false;
}

/* How many rows there are, when LIST is what they are in. */
static struct field rows_field(const struct rows *rows, const struct layer *l, uint32_t list)
{
	struct field f = field_of(FIELD_LENGTH, rows->code, rows->at, WORD, l->begin, l->end);
	f.unit = (uint16_t)rows->size;
	f.list = list;
	f.listed = true;
	return f;
}

/* Adds the rows that lie in the N BLOCKS whole as records so DEPTH. */
static void rows_add(const struct rows *rows, const struct element *blocks, uint32_t n,
                     uint16_t depth, struct records *r)
{
	uint32_t skip = 0; /* bytes of a row that began in the block before */
	r->list = mem_resize(r->list, r->n + (size_t)rows->n + 1, sizeof *r->list);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = blocks[i].end - blocks[i].begin, at = skip;
		for (; at + rows->size <= size; at += rows->size) {
			uint32_t begin = blocks[i].begin + at, end = begin + rows->size;
			r->list[r->n] = record_plain(begin, end);
			r->list[r->n++].depth = depth;
		}
		skip = at > size ? at - size : size - at ? rows->size - (size - at) : 0;
	}
	r->max_depth = depth > r->max_depth ? depth : r->max_depth;
}

enum {
	BY_SUM = 8,    /* bytes around a checksum where lengths stand that are not large */
	IN_FRONT = 64, /* bytes before a layer where lengths stand */
	BEHIND = 16,
	IN_TEXT = 256,     /* digits */
	LARGE = 64,        /* lengths that say something alone */
	SEARCHED = 1 << 30 /* bytes searched for checksums at most */
};

struct notes {
	const uint8_t *bytes;
	uint32_t size;
	uint64_t work;
	struct found found;
};

static void note(struct notes *s, struct field f)
{
	f.depth = UINT16_MAX; /* padding behind it is not its own */
	found_field(&s->found, f);
}

/* The length of a block, and its inverse where there is one. */
static void note_block(struct notes *s, const struct layer *l, struct element block)
{
	const struct stored_form *form = stored_form(l->kind);
	struct field f = field_of(FIELD_LENGTH, form->code, block.begin - form->header + form->at,
	                          form->width, block.begin, block.end);
	f.bias = form->bias;
	note(s, f);
	f.code = CODE_INVERTED;
	f.at += f.width;
	if (f.at + f.width == block.begin && form->header == 5)
		note(s, f);
}

/* The data of a stored layer as a list of elements, with the lengths of its blocks. */
static uint32_t note_blocks(struct notes *s, const struct layer *l)
{
	struct element *blocks;
	uint32_t n = stored_list(s->bytes, l->kind, l->begin, l->end, &blocks);
	for (uint32_t i = 0; i < n; i++) {
		found_listed(&s->found, s->found.n.lists, blocks[i].begin, blocks[i].end);
		note_block(s, l, blocks[i]);
	}
	free(blocks);
	return s->found.n.lists++;
}

static void note_sum(struct notes *s, const struct layer *l, uint32_t list, enum sum sum,
                     enum code code, uint32_t at)
{
	struct field f = field_of(FIELD_SUM, code, at, 4, l->begin, l->end);
	f.sum = (uint8_t)sum;
	f.list = list;
	f.listed = true;
	note(s, f);
}

/* The number at AT when it is one of the lengths of L; returns how wide it is. */
static uint32_t note_length(struct notes *s, const struct layer *l, uint32_t list, uint32_t at,
                            struct field f, uint32_t least)
{
	uint32_t whole = l->tail - l->head, inner = l->end - l->begin;
	uint64_t value;
	if (!code_read(f.code, s->bytes + at, s->bytes + s->size, &f.width, &value) ||
	    value < least)
		return 0;
	f.kind = FIELD_LENGTH;
	f.at = at;
	f.from = value == inner ? l->begin : l->head;
	f.to = value == inner ? l->end : l->tail;
	if (value != inner && value != whole) {
		if (!l->stored || value != l->size)
			return 0;
		f.from = l->begin;
		f.to = l->end;
		f.list = list;
		f.listed = true;
	}
	note(s, f);
	return f.width;
}

static void note_lengths(struct notes *s, const struct layer *l, uint32_t list, uint32_t from,
                         uint32_t to, uint32_t least)
{
	static const struct field writings[] = { { .code = CODE_LITTLE, .width = 4 },
		                                 { .code = CODE_BIG, .width = 4 },
		                                 { .code = CODE_LITTLE, .width = 2 },
		                                 { .code = CODE_BIG, .width = 2 } };
	for (uint32_t at = from; at < to;) {
		uint32_t width = 0;
		for (uint32_t k = 0; k < 4 && !width; k++)
			if (at + writings[k].width <= to && (least > 1 || writings[k].width == 4))
				width = note_length(s, l, list, at, writings[k], least);
		at += width ? width : 1;
	}
}

/* In digits, with none before them. */
static void note_digits(struct notes *s, const struct layer *l, uint32_t list)
{
	uint32_t from = l->head > IN_TEXT ? l->head - IN_TEXT : 0;
	for (uint32_t at = from; at < l->head; at++)
		if (is_digit(s->bytes[at]) && (!at || !is_digit(s->bytes[at - 1])))
			note_length(s, l, list, at, (struct field){ .code = CODE_DECIMAL }, 10);
}

/* Checksums of what is in L, wherever they stand, and lengths beside them. */
static void note_sums(struct notes *s, const struct layer *l, uint32_t list)
{
	uint8_t text[4];
	if (s->work < s->size || l->size < 4)
		return;
	s->work -= s->size;
	for (uint32_t big = 0; big < 2; big++) {
		for (uint32_t i = 0; i < 4; i++)
			text[i] = (uint8_t)(l->crc >> 8 * (big ? 3 - i : i));
		for (uint32_t at = 0; at + 4 <= s->size; at++) {
			const uint8_t *next = memchr(s->bytes + at, text[0], s->size - at - 3);
			if (!next)
				break;
			at = (uint32_t)(next - s->bytes);
			if (memcmp(next, text, 4) || (at + 4 > l->begin && at < l->end))
				continue;
			if (l->stored)
				note_sum(s, l, list, SUM_CRC32, big ? CODE_BIG : CODE_LITTLE, at);
			uint32_t from = at > BY_SUM ? at - BY_SUM : 0, to = at + 4 + BY_SUM;
			note_lengths(s, l, list, from, at, 1);
			note_lengths(s, l, list, at + 4, to < s->size ? to : s->size, 1);
		}
	}
}

/* A digest of L as it stands in the file, not far from it. */
static void note_digest(struct notes *s, const struct layer *l)
{
	uint32_t from = l->head > IN_FRONT ? l->head - IN_FRONT : 0;
	uint32_t to = s->size - l->tail < IN_FRONT ? s->size : l->tail + IN_FRONT;
	for (uint32_t k = 0; k < SUM_ALL; k++) {
		struct sum_state sum;
		uint8_t text[CODE_MAX];
		uint32_t width = sum_width((enum sum)k), size = l->tail - l->head;
		if (!sum_is_digest((enum sum)k) || s->work < size)
			continue;
		s->work -= size;
		sum_begin(&sum, (enum sum)k);
		sum_feed(&sum, s->bytes + l->head, size);
		sum_put(&sum, CODE_BIG, text, width, text);
		const uint8_t *p = memmem(s->bytes + from, to - from, text, width);
		struct field f = field_of(FIELD_SUM, CODE_BIG, p ? (uint32_t)(p - s->bytes) : 0,
		                          width, l->head, l->tail);
		f.sum = (uint8_t)k;
		if (p && (f.at >= l->tail || f.at + width <= l->head))
			note(s, f);
	}
}

static void note_layer(struct notes *s, const struct layer *l)
{
	uint32_t list = l->stored ? note_blocks(s, l) : 0;
	if (l->n_records > 1)
		return;
	note_digest(s, l);
	struct rows rows;
	if (rows_find(l, s->bytes, &rows))
		note(s, rows_field(&rows, l, list));
	if (l->stored && l->kind == LAYER_XZ && l->tail > l->end) {
		struct field fields[XZ_FIELDS];
		xz_fields(l, s->bytes, list, fields);
		for (uint32_t i = 0; i < XZ_FIELDS; i++)
			found_field(&s->found, fields[i]);
	}
	if (l->stored && l->kind == LAYER_ZLIB)
		note_sum(s, l, list, SUM_ADLER32, CODE_BIG, l->end);
	if (l->kind == LAYER_RAW) {
		note_sums(s, l, list);
		return;
	}
	if (l->kind == LAYER_GZIP && l->stored) {
		note_sum(s, l, list, SUM_CRC32, CODE_LITTLE, l->end);
		note_length(s, l, list, l->end + 4,
		            (struct field){ .code = CODE_LITTLE, .width = 4 }, 0);
	}
	uint32_t from = l->head > IN_FRONT ? l->head - IN_FRONT : 0, to = l->tail + BEHIND;
	note_lengths(s, l, list, from, l->head, LARGE);
	note_lengths(s, l, list, l->tail, to < s->size ? to : s->size, LARGE);
	note_digits(s, l, list);
}

struct repair *layers_repair(const struct layers *layers, const uint8_t *bytes, uint32_t size)
{
	struct notes s = { .bytes = bytes, .size = size, .work = SEARCHED };
	for (uint32_t i = 0; i < layers->n; i++)
		note_layer(&s, &layers->list[i]);
	struct repair *r = s.found.n.fields ? found_repair(&s.found) : NULL;
	found_release(&s.found);
	return r;
}

/* ---- what is open, as records ---- */

static uint16_t depth_of(const struct records *r, uint32_t at)
{
	uint16_t depth = 0;
	for (uint32_t i = 0; r && i < r->n && r->list[i].begin <= at; i++)
		if (at < r->list[i].end && r->list[i].depth >= depth)
			depth = (uint16_t)(r->list[i].depth + 1);
	return depth;
}

static void add_blocks(struct records *r, const struct records *known, const uint8_t *bytes,
                       const struct layer *l)
{
	struct element *blocks;
	uint32_t n = stored_list(bytes, l->kind, l->begin, l->end, &blocks);
	uint16_t depth = depth_of(known, l->begin);
	r->list = mem_resize(r->list, r->n + (size_t)n + 1, sizeof *r->list);
	for (uint32_t i = 0; i < n; i++)
		r->list[r->n++] =
			(struct record){ .begin = blocks[i].begin - stored_form(l->kind)->header,
			                 .end = blocks[i].end,
			                 .body = n > 1 ? blocks[i].end : blocks[i].begin,
			                 .body_end = blocks[i].end,
			                 .depth = depth,
			                 .stored = l->kind };
	r->max_depth = depth > r->max_depth ? depth : r->max_depth;
	struct rows rows;
	if (rows_find(l, bytes, &rows))
		rows_add(&rows, blocks, n, (uint16_t)(depth + 1), r);
	free(blocks);
}

struct records *layers_join(const struct records *known, const uint8_t *bytes, uint32_t size)
{
	struct layers layers;
	struct records *r = mem_zero(1, sizeof *r);
	layers_find(bytes, size, known, &layers);
	struct repair *more = layers_repair(&layers, bytes, size);
	*r = (struct records){ .refs = 1, .is_text = true };
	if (known) {
		*r = *known;
		r->refs = 1;
		r->list = mem_alloc((r->n + (size_t)1) * sizeof *r->list);
		memcpy(r->list, known->list, r->n * sizeof *r->list);
	}
	for (uint32_t i = 0; i < layers.n; i++)
		if (layers.list[i].stored)
			add_blocks(r, known, bytes, &layers.list[i]);
	found_sort(r);
	r->repair = more    ? repair_join(known ? known->repair : NULL, more)
	            : known ? repair_ref(known->repair)
	                    : repair_new(NULL, 0, NULL, 0, NULL, 0);
	repair_unref(more);
	layers_release(&layers);
	return r;
}

/* The one that has more records; the other one goes. Either may be NULL. */
static struct records *better_of(struct records *found, struct records *loose)
{
	bool is_found = !loose || (found && found->n >= loose->n);
	records_unref(is_found ? loose : found);
	return is_found ? found : loose;
}

struct records *layers_records(const struct schema *schema, const uint8_t *bytes, uint32_t size)
{
	struct records *known = NULL, *loose, *all;
	uint32_t farthest;
	if (anew_is_open(bytes, size))
		return NULL; /* what can go of it is of what it says */
	if (schema)
		known = schema_records(schema, bytes, size, false, &farthest);
	bool sure = known;
	if (!sure) {
		known = records_find(bytes, size);
		loose = schema ? schema_records(schema, bytes, size, true, &farthest) : NULL;
		if (loose && !loose->is_text)
			about_add(loose, bytes, size, false);
		known = better_of(known, loose);
	}
	if (known && known->is_text && bytes_are_text(bytes, size))
		return known;
	if (sure)
		about_add(known, bytes, size, true);
	all = layers_join(known, bytes, size);
	records_unref(known);
	if (all->n)
		return all;
	records_unref(all);
	return NULL;
}
