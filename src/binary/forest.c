#include "binary/forest.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/digits.h"
#include "text/testcase.h"

enum {
	HOPS = 24 << 20, /* steps of all searches together */
	MAX_DEPTH = 24,
	MAX_LEAVES = 1 << 17,
	MAX_FORMATS = 8,
	MIN_REGION = 2,       /* smaller ones hold no records */
	MIN_SEARCHED = 16,    /* smaller ones are only tried with what is known */
	SAFE = 8 * CHAIN_BIT, /* what must speak for a chain alone */
	LOOSE = 16,           /* chains that fill nothing */
	LAST = 64,            /* bytes of a record that is seen by where it ends, at least */
	BEFORE = 16,          /* bytes before such a chain that may say something about it */
	CONTROLS = 256,       /* text has at most one control character for so many bytes */
};

/* What holds records: the inside of a record, or all. */
struct region {
	uint32_t begin, end, key;
	uint16_t format;
};

struct regions {
	uint32_t n, cap;
	struct region *list;
};

/* How a chain stands in regions of a kind: behind SKIP bytes, or behind a LEB128 and SKIP bytes. */
struct layout {
	struct format format;
	uint32_t skip;
	bool after_leb;
};

void forest_add_field(struct forest *f, struct field field)
{
	MEM_GROW(f->fields, f->n_fields, f->cap_fields);
	f->fields[f->n_fields++] = field;
}

static uint32_t chain_begin(const struct forest *f, const struct layout *l, const struct region *r)
{
	uint32_t width = 0;
	uint64_t value;
	if (l->after_leb &&
	    !code_read(CODE_LEB, f->bytes + r->begin, f->bytes + r->end, &width, &value))
		return r->end;
	return r->end - r->begin > l->skip + width ? r->begin + l->skip + width : r->end;
}

/* What speaks for LAYOUT in the regions [first, last) of one kind; 0 when many do not fit. */
static int32_t try_layout(struct forest *f, const struct layout *l, const struct region *r,
                          uint32_t n)
{
	int64_t bits = 0;
	uint32_t fits = 0, misses = 0, looked = 0, step = n / 64 + 1;
	for (uint32_t i = 0; i < n; i += step) {
		uint32_t begin = chain_begin(f, l, &r[i]), size = r[i].end - r[i].begin;
		if (size < MIN_REGION || (begin == r[i].end && size <= l->skip))
			continue;
		uint32_t k = begin < r[i].end
		                     ? chain_walk(&l->format, f->bytes, begin, r[i].end, &f->budget)
		                     : 0;
		looked++;
		fits += k > 0;
		misses += !k;
		if (k)
			bits += chain_evidence(&l->format, f->bytes, begin, r[i].end, k,
			                       &f->background);
		if (misses > 1 + looked / 8)
			return 0;
	}
	if (misses * 10 > fits)
		return 0;
	bits -= 2 * CHAIN_BIT + 2 * chain_log(1 + l->skip) + (l->after_leb ? CHAIN_BIT : 0);
	return bits > INT32_MAX ? INT32_MAX : (int32_t)bits;
}

/* What is known, nearest to the beginning: what holds a chain comes before what it holds. */
static int32_t try_known(struct forest *f, const struct region *r, uint32_t n, struct layout *best)
{
	int32_t most = 0;
	for (uint32_t k = 0; k < 2 * CHAIN_INNER && most < SAFE; k++)
		for (uint32_t i = f->n_formats; i-- > 0;) {
			struct layout l = { f->formats[i], k / 2, k % 2 };
			int32_t bits = try_layout(f, &l, r, n);
			if (bits > most)
				most = bits, *best = l;
		}
	return most >= SAFE ? most : 0;
}

static const struct region *largest(const struct region *r, uint32_t n)
{
	const struct region *most = r;
	for (uint32_t i = 1; i < n; i++)
		if (r[i].end - r[i].begin > most->end - most->begin)
			most = &r[i];
	return most;
}

/* A format that is new, found in the largest of the regions, and fitting all. */
static int32_t try_new(struct forest *f, const struct region *r, uint32_t n, struct layout *best)
{
	const struct region *most = largest(r, n);
	bool outermost = !most->begin || f->n_leaves == 1; /* or in what holds all */
	if (most->end - most->begin < MIN_SEARCHED || f->n_formats >= MAX_FORMATS)
		return 0;
	struct chain c = chain_find(f->bytes, most->begin, most->end,
	                            outermost ? CHAIN_HEAD : CHAIN_INNER, &f->budget);
	if (c.bits <= (outermost ? 0 : 2 * SAFE))
		return 0;
	uint32_t skip = c.begin - most->begin, width;
	uint64_t value;
	*best = (struct layout){ c.format, skip, false };
	if (code_read(CODE_LEB, f->bytes + most->begin, f->bytes + most->end, &width, &value) &&
	    width == skip && value == c.n)
		*best = (struct layout){ c.format, 0, true };
	return n > 1 && !try_layout(f, best, r, n) ? 0 : c.bits;
}

static uint32_t tag_of(const struct forest *f, const struct format *form,
                       const struct format_record *r)
{
	uint32_t at = form->offset ? r->begin : r->at + r->width, tag = 0,
		 n = form->offset && form->offset < FOREST_TAG ? form->offset : FOREST_TAG;
	for (uint32_t i = 0; i < n && at + i < r->body_end; i++) {
		uint8_t c = f->bytes[at + i];
		if (!form->offset && (c < ' ' || c > '~') && c != 0xa9)
			return 0;
		tag = tag << 8 | c;
	}
	return tag;
}

static uint16_t format_index(struct forest *f, const struct format *form)
{
	for (uint32_t i = 0; i < f->n_formats; i++)
		if (!memcmp(&f->formats[i], form, sizeof *form))
			return (uint16_t)i;
	MEM_GROW(f->formats, f->n_formats, f->cap_formats);
	f->formats[f->n_formats] = *form;
	return (uint16_t)f->n_formats++;
}

/* Does the length say what the record is? */
static bool says_its_size(const struct forest *f, const struct format *form,
                          const struct format_record *r)
{
	uint32_t width = r->width, from = code_varies(form->code) ? r->at + width : r->begin;
	uint64_t value;
	return code_read(form->code, f->bytes + r->at, f->bytes + f->size, &width, &value) &&
	       (int64_t)value + form->more == (int64_t)r->body_end - from;
}

static void add_length(struct forest *f, const struct format *form, const struct format_record *r,
                       uint16_t depth)
{
	bool varies = code_varies(form->code);
	if (!says_its_size(f, form, r))
		return;
	forest_add_field(f, (struct field){ .kind = FIELD_LENGTH,
	                                    .code = form->code,
	                                    .at = r->at,
	                                    .width = r->width,
	                                    .from = varies ? r->at + r->width : r->begin,
	                                    .to = r->body_end,
	                                    .bias = -form->more,
	                                    .depth = (uint16_t)(depth + 1) });
	if (form->align > 1)
		forest_add_field(f, (struct field){ .kind = FIELD_PADDING,
		                                    .at = r->body_end,
		                                    .width = r->end - r->body_end,
		                                    .from = r->begin,
		                                    .to = r->body_end,
		                                    .unit = form->align,
		                                    .own = form->fill,
		                                    .depth = (uint16_t)(depth + 1) });
}

/* Makes the leaves of a chain. */
static void plant(struct forest *f, const struct layout *l, const struct region *region,
                  uint16_t depth)
{
	uint32_t at = chain_begin(f, l, region);
	uint16_t format = format_index(f, &l->format);
	struct grove g = { region->begin, region->end, at, region->end, f->n_leaves, 0, depth };
	if (at >= region->end || !chain_walk(&l->format, f->bytes, at, region->end, &f->budget))
		return;
	for (; at < region->end && f->n_leaves < MAX_LEAVES; g.n++) {
		struct leaf leaf = { .depth = depth, .format = format };
		if (!format_at(&l->format, f->bytes, at, region->end, &leaf.r))
			break;
		leaf.body = leaf.r.at + leaf.r.width;
		leaf.body_end = leaf.r.body_end;
		if (code_in_digits(l->format.code)) {
			leaf.body = digits_body(&l->format, &leaf.r);
			leaf.body_end -= leaf.r.body_end - leaf.body < l->format.trail
			                         ? 0u
			                         : l->format.trail;
		}
		leaf.tag = tag_of(f, &l->format, &leaf.r);
		MEM_GROW(f->leaves, f->n_leaves, f->cap_leaves);
		f->leaves[f->n_leaves++] = leaf;
		add_length(f, &l->format, &leaf.r, depth);
		at = leaf.r.end;
	}
	MEM_GROW(f->groves, f->n_groves, f->cap_groves);
	f->groves[f->n_groves++] = g;
}

static int by_key(const void *a, const void *b)
{
	const struct region *x = a, *y = b;
	if (x->format != y->format)
		return x->format < y->format ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The insides of the leaves from FIRST on, those of a kind beside one another. */
static void insides(struct forest *f, uint32_t first, struct regions *out)
{
	out->n = 0;
	for (uint32_t i = first; i < f->n_leaves; i++) {
		const struct leaf *l = &f->leaves[i];
		if (f->digits && l->body < l->body_end &&
		    bytes_are_text(f->bytes + l->body, l->body_end - l->body))
			continue;
		MEM_GROW(out->list, out->n, out->cap);
		out->list[out->n++] = (struct region){ l->body, l->body_end, l->tag, l->format };
	}
	if (out->n)
		qsort(out->list, out->n, sizeof *out->list, by_key);
}

/* The outermost chain ends before the file does: at a number that says how many records there are,
 * perhaps when each begins some bytes later than it seemed. */
static bool find_count_behind(struct forest *f, struct layout *l, struct region *r,
                              struct field *count)
{
	for (uint32_t k = 0; k <= 2u * l->format.offset + 1 && !l->after_leb; k++) {
		uint32_t less = k / 2, end = r->end + less, width = f->size - end;
		enum code code = k % 2 ? CODE_BIG : CODE_LITTLE;
		struct layout later = *l;
		uint64_t value;
		later.skip += less;
		later.format.offset = (uint16_t)(l->format.offset - less);
		later.format.more =
			(int16_t)(l->format.more + (int)(code_varies(l->format.code) ? less : 0));
		if (end >= f->size || width > 4 || width == 3 ||
		    !code_read(code, f->bytes + end, f->bytes + f->size, &width, &value) ||
		    value < 2 ||
		    value != chain_walk(&later.format, f->bytes, r->begin + later.skip, end,
		                        &f->budget))
			continue;
		*count = (struct field){ .kind = FIELD_COUNT,
			                 .code = (uint8_t)code,
			                 .at = end,
			                 .width = width,
			                 .from = r->begin + later.skip,
			                 .to = end,
			                 .list = f->n_groves };
		*l = later;
		r->end = end;
		return true;
	}
	return false;
}

/* Chains in regions of one kind. */
static void grow_kind(struct forest *f, const struct region *r, uint32_t n, uint16_t depth)
{
	struct layout l;
	uint32_t groves = f->n_groves, leaves = f->n_leaves;
	int32_t found = 0;
	int32_t bits = depth ? try_known(f, r, n, &l) : 0;
	if (!bits)
		found = try_new(f, r, n, &l);
	if (!bits && !found)
		return;
	if (f->n_leaves < 2)
		f->weak = found < 2 * SAFE;
	struct region first = *r;
	struct field count;
	bool behind = !depth && n == 1 && find_count_behind(f, &l, &first, &count);
	for (uint32_t i = 0; i < n; i++)
		plant(f, &l, i ? &r[i] : &first, depth);
	forest_find_counts(f, groves, f->n_groves);
	if (behind)
		forest_add_field(f, count);
	if (forest_find_sums(f, leaves, f->n_leaves))
		f->weak = false;
}

/* The outermost region ends where the file does, or a few bytes before. */
static void grow_outermost(struct forest *f)
{
	uint32_t tails[] = { forest_tail(f), 0, 4, 2, 1, 8, 16, 20, 32 };
	for (uint32_t i = !tails[0]; i < sizeof tails / sizeof *tails && !f->n_leaves; i++) {
		struct region all = { 0, f->size - tails[i], 0, 0 };
		if (f->size >= MIN_SEARCHED + tails[i])
			grow_kind(f, &all, 1, 0);
	}
}

bool bytes_are_text(const uint8_t *bytes, uint32_t size)
{
	uint32_t odd = 0;
	for (uint32_t i = 0; i < size; i++)
		odd += bytes[i] < '\t' || (bytes[i] > '\r' && bytes[i] < ' ' && bytes[i] != 27);
	return !odd || (odd <= size / CONTROLS && testcase_utf8(bytes, size));
}

bool forest_grow_digits(struct forest *f)
{
	struct chain c = digits_find(f->bytes, f->size);
	struct layout l = { c.format, c.begin, false };
	struct region all = { 0, c.end, 0, 0 };
	if (c.bits <= 0)
		return false;
	f->digits = true;
	f->budget.hops = HOPS;
	background_measure(&f->background, f->bytes, 0, f->size);
	plant(f, &l, &all, 0);
	forest_find_counts(f, 0, f->n_groves);
	forest_find_digit_sums(f, 0, f->n_leaves);
	return f->n_leaves > 0;
}

/* What is nested in the leaves. */
static void grow_insides(struct forest *f)
{
	struct regions next = { 0 };
	uint32_t first = 0;
	for (uint16_t depth = 1; depth < MAX_DEPTH && first < f->n_leaves; depth++) {
		insides(f, first, &next);
		first = f->n_leaves;
		for (uint32_t i = 0, k; i < next.n; i = k) {
			for (k = i; k < next.n && next.list[k].key == next.list[i].key &&
			            next.list[k].format == next.list[i].format;)
				k++;
			grow_kind(f, &next.list[i], k - i, depth);
		}
	}
	free(next.list);
}

/* The first number from BEGIN on that says how far it is to the end, as a record. */
static void plant_last(struct forest *f, uint32_t begin)
{
	for (uint32_t at = begin; at + 4 + LAST <= f->size; at++)
		for (uint32_t k = 0; k < 2; k++) {
			struct layout l = { .format = { .code = k ? CODE_BIG : CODE_LITTLE,
				                        .width = 4,
				                        .align = 1,
				                        .more = 4 } };
			struct region r = { at, f->size, 0, 0 };
			uint32_t groves = f->n_groves;
			if (chain_walk(&l.format, f->bytes, at, f->size, &f->budget) != 1)
				continue;
			plant(f, &l, &r, 0);
			forest_find_counts(f, groves, f->n_groves);
			return;
		}
}

bool forest_grow_loose(struct forest *f)
{
	struct chain list[LOOSE];
	uint32_t n = chain_find_loose(f->bytes, f->size, list, LOOSE);
	f->n_leaves = f->n_groves = f->n_fields = f->n_formats = 0; /* of what was too weak */
	f->budget.hops = HOPS;
	background_measure(&f->background, f->bytes, 0, f->size);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t groves = f->n_groves, room = list[i].begin - (i ? list[i - 1].end : 0);
		struct layout l = { list[i].format, room < BEFORE ? room : BEFORE, false };
		struct region r = { list[i].begin - l.skip, list[i].end, 0, 0 };
		plant(f, &l, &r, 0);
		forest_find_counts(f, groves, f->n_groves);
		if (groves < f->n_groves)
			forest_find_sizes(f, groves);
	}
	plant_last(f, n ? list[n - 1].end : 0);
	grow_insides(f);
	return f->n_leaves > 0;
}

void forest_grow(struct forest *f)
{
	f->budget.hops = HOPS;
	background_measure(&f->background, f->bytes, 0, f->size);
	if (!forest_grow_digits(f))
		grow_outermost(f);
	grow_insides(f);
	if (f->weak && f->n_groves < 2)
		f->n_leaves = 0;
}
