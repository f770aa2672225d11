#include "binary/forest.h"

#include "base/mem.h"
#include "base/work.h"
#include "text/testcase.h"

/* Words that agree with what was found: counts, checksums, sizes of all. */

enum {
	ENOUGH = 5 * CHAIN_BIT, /* of evidence for a count */
	APART = 10 *
	        CHAIN_BIT,   /* what must speak for one that is not just in front of its records */
	SURE = 31,           /* bits of evidence for a checksum, of which there are many ways */
	SUM_SMALL = 6,       /* bytes that a sum must be of to say something */
	SUM_LARGE = 1 << 22, /* checksums of more bytes than that are not tried */
	SUM_STARTS = 20, /* bytes from the beginning of a record where what is summed may begin */
	SUM_DIGITS = 4,  /* digits of a checksum, at least */
	SUM_HEAD = 600,  /* bytes of a header in which they are looked for */
	TRAIL = 4,       /* bytes behind bodies */
};

/* A way to write a number of a given place. */
struct writing {
	uint8_t code, width;
};

static const struct writing writings[] = {
	{ CODE_BIG, 4 },    { CODE_LITTLE, 4 }, { CODE_BIG, 2 },     { CODE_LITTLE, 2 },
	{ CODE_LITTLE, 1 }, { CODE_LEB, 0 },    { CODE_LITTLE, 8 },  { CODE_BIG, 8 },
	{ CODE_BIG, 3 },    { CODE_LITTLE, 3 }, { CODE_DECIMAL, 0 },
};
enum { N_WRITINGS = sizeof writings / sizeof *writings };

/* ---- counts ---- */

/* What it says that the number BACK bytes before the chain of each grove is its count less BIAS. */
static int32_t count_bits(const struct forest *f, uint32_t first, uint32_t last, uint32_t back,
                          struct writing w, int32_t bias)
{
	int64_t bits = 0;
	for (uint32_t i = first; i < last; i++) {
		const struct grove *g = &f->groves[i];
		uint32_t at = g->chain - back, width = w.width;
		uint64_t value;
		if (g->chain < g->begin + back ||
		    !code_read(w.code, f->bytes + at, f->bytes + g->chain, &width, &value) ||
		    (int64_t)value != (int64_t)g->n + bias)
			return 0;
		for (uint32_t k = 0; k < width; k++)
			bits += f->background.bits[f->bytes[at + k]];
		bits -= bias ? 4 * CHAIN_BIT : 0;
	}
	bits -= CHAIN_BIT + 2 * chain_log(back - w.width + 1) + (back > w.width ? APART : 0);
	return bits > INT32_MAX ? INT32_MAX : (int32_t)bits;
}

/* Finds out what the groves [first, last), which are of one kind, have in front of them: counts. */
static void forest_find_counts(struct forest *f, uint32_t first, uint32_t last)
{
	struct writing best = { 0 };
	uint32_t best_back = 0, room = UINT32_MAX;
	int32_t most = 0, best_bias = 0;
	for (uint32_t i = first; i < last; i++) {
		uint32_t before = f->groves[i].chain - f->groves[i].begin;
		room = before < room ? before : room;
	}
	for (uint32_t back = 1; first < last && back <= room; back++)
		for (uint32_t k = 0; k < N_WRITINGS; k++)
			for (int32_t bias = -1; bias <= 1; bias++) {
				int32_t bits = count_bits(f, first, last, back, writings[k], bias);
				if (bits > most && writings[k].width <= back)
					most = bits, best = writings[k], best_back = back,
					best_bias = bias;
			}
	if (most < ENOUGH)
		return;
	for (uint32_t i = first; i < last; i++) {
		const struct grove *g = &f->groves[i];
		uint32_t at = g->chain - best_back, width = best.width;
		uint64_t value;
		code_read(best.code, f->bytes + at, f->bytes + g->chain, &width, &value);
		struct field count =
			field_of(FIELD_COUNT, best.code, at, width, g->chain, g->chain_end);
		count.bias = best_bias;
		count.list = i;
		found_field(&f->found, count);
	}
}

/* ---- sums ---- */

/* Where a sum stands in a record and what of it is summed. */
struct summing {
	uint8_t sum, code;
	bool behind; /* at the end of the record; else OFFSET bytes from its beginning */
	uint16_t offset;
	uint8_t from; /* bytes from the beginning */
	bool to_sum;  /* up to the sum that stands behind; else to the end */
	uint8_t own;
	uint8_t width; /* of digits, which are of all that is in front of the body; 0: it is none */
	uint8_t less;  /* bytes that stand behind bodies then, not before them as it seemed */
};

/* What offsets in its header count from: a number whose width varies is in front of digits. */
static uint32_t header_base(const struct forest *f, const struct leaf *l)
{
	return code_varies(f->formats[l->format].code) ? l->r.at + l->r.width : l->r.begin;
}

static struct field sum_field(const struct forest *f, const struct leaf *l, const struct summing *s)
{
	uint32_t width = s->width ? s->width : sum_width(s->sum), end = l->r.body_end;
	uint32_t from = l->r.begin + s->from;
	uint32_t at =
		s->behind ? end - width : s->offset + (s->width ? header_base(f, l) : l->r.begin);
	end = s->width ? l->body - s->less : s->to_sum ? at : end;
	struct field field = field_of(FIELD_SUM, s->code, at, width, from, end);
	field.sum = s->sum;
	field.own = s->own;
	return field;
}

static bool fits(const struct forest *f, const struct leaf *l, const struct summing *s)
{
	struct field field = sum_field(f, l, s);
	uint32_t end = s->width ? l->body - s->less : l->r.body_end;
	return l->r.body_end >= l->r.at + l->r.width + (s->behind ? field.width : 0) &&
	       field.at + field.width <= end && field.from < field.to &&
	       field_holds(NULL, &field, f->bytes, f->size);
}

/* Whether it holds for all records looked at, and says something: what is the same again says
 * nothing new. */
static bool holds_for_all(const struct forest *f, uint32_t first, uint32_t last,
                          const struct summing *s)
{
	uint32_t n = 0, step = (last - first) / 32 + 1;
	uint64_t seen[40];
	for (uint32_t i = first; i < last; i += step) {
		struct field field = sum_field(f, &f->leaves[i], s);
		uint32_t width = field.width < 8 ? field.width : 8, k = 0;
		uint64_t value;
		if (!fits(f, &f->leaves[i], s) ||
		    !code_read(field.code, f->bytes + field.at, f->bytes + f->size, &width, &value))
			return false;
		while (k < n && seen[k] != value)
			k++;
		if (k == n && n < 40 && field.to - field.from >= SUM_SMALL)
			seen[n++] = value;
	}
	return n * 8 * sum_width(s->sum) >= SURE;
}

/* The record that is best to try on: small, but not too small. */
static const struct leaf *sample(const struct forest *f, uint32_t first, uint32_t last)
{
	const struct leaf *best = &f->leaves[first];
	for (uint32_t i = first; i < last; i++) {
		const struct leaf *l = &f->leaves[i];
		uint32_t n = l->r.body_end - l->r.begin, m = best->r.body_end - best->r.begin;
		if (n >= 16 && (n < m || m < 16))
			best = l;
	}
	return best;
}

/* The sum of a part of a record, wherever it stands in it. */
static bool find_standing(const struct forest *f, uint32_t first, uint32_t last,
                          const struct leaf *l, struct summing s, const struct sum_state *sum,
                          struct summing *out)
{
	uint32_t width = sum_width(s.sum), head = l->r.at + l->r.width - l->r.begin;
	if (l->r.body_end - l->r.begin < width)
		return false; /* smaller than the sum, perhaps with nothing before it in the file */
	uint8_t text[2][CODE_MAX], old[CODE_MAX] = { 0 };
	sum_put(sum, CODE_LITTLE, old, width, text[0]);
	sum_put(sum, CODE_BIG, old, width, text[1]);
	for (uint32_t place = 0; place <= head + 16; place++) {
		uint32_t at = place ? l->r.begin + place - 1 : l->r.body_end - width;
		bool on_length =
			place && place - 1 + width > l->r.at - l->r.begin && place - 1 < head;
		if (at + width > l->r.body_end || on_length || (s.to_sum && place))
			continue;
		for (uint32_t big = 0; big < 1u + (width > 1); big++) {
			if (memcmp(f->bytes + at, text[big], width) != 0)
				continue;
			s.behind = !place;
			s.offset = (uint8_t)(place ? place - 1 : 0);
			s.code = big ? CODE_BIG : CODE_LITTLE;
			if (fits(f, l, &s) && holds_for_all(f, first, last, &s)) {
				*out = s;
				return true;
			}
		}
	}
	return false;
}

/* Sums of all parts of a record that may be summed, until one holds for all. */
static bool find_summing(const struct forest *f, uint32_t first, uint32_t last, struct summing *out)
{
	const struct leaf *l = sample(f, first, last);
	uint32_t head = l->r.at + l->r.width - l->r.begin, size = l->r.body_end - l->r.begin;
	if (size > SUM_LARGE / 64)
		return false;
	for (uint32_t sum = 0; sum < SUM_N; sum++) {
		struct sum_state empty, state;
		uint32_t width = sum_width((enum sum)sum);
		sum_begin(&empty, (enum sum)sum);
		for (uint32_t k = 0; k < 2 * (head + 8) && k < 2 * SUM_STARTS; k++) {
			struct summing s = { .sum = (uint8_t)sum,
				             .from = (uint8_t)(k / 2),
				             .to_sum = !(k & 1) };
			uint32_t less = s.to_sum ? width : 0;
			if (size < s.from + less + 1)
				continue;
			state = empty;
			sum_feed(&state, f->bytes + l->r.begin + s.from, size - s.from - less);
			if (find_standing(f, first, last, l, s, &state, out))
				return true;
		}
	}
	return false;
}

static void take_sums(struct forest *f, uint32_t first, uint32_t last, const struct summing *s)
{
	for (uint32_t i = first; i < last; i++) {
		struct leaf *l = &f->leaves[i];
		if (!fits(f, l, s))
			continue;
		found_field(&f->found, sum_field(f, l, s));
		uint32_t width = sum_width(s->sum);
		if (s->behind)
			l->body_end = l->r.body_end - width;
		else if (s->offset >= l->body - l->r.begin)
			l->body = l->r.begin + s->offset + width;
		l->body -= s->less;
		l->body_end -= s->less;
	}
}

bool forest_find_sums(struct forest *f, uint32_t first, uint32_t last)
{
	struct summing s;
	if (first == last || !find_summing(f, first, last, &s))
		return false;
	take_sums(f, first, last, &s);
	return true;
}

/* ---- sums in digits ---- */

static bool find_digits_of(const struct forest *f, uint32_t first, uint32_t last, struct summing *s)
{
	static const uint8_t sums[] = { SUM_ADD32, SUM_CRC32, SUM_ADLER32, SUM_CRC32C };
	static const uint8_t owns[] = { ' ', '0', 0 };
	bool found = false;
	for (uint32_t k = 0; k < sizeof sums * sizeof owns * (TRAIL + 1) && !found; k++) {
		s->less = (uint8_t)(k % (TRAIL + 1));
		s->own = owns[k / (TRAIL + 1) % sizeof owns];
		s->sum = sums[k / (TRAIL + 1) / sizeof owns];
		found = fits(f, &f->leaves[first], s) && holds_for_all(f, first, last, s);
	}
	return found;
}

/* At OFFSET of the header, in all ways that digits stand there. */
static bool find_digits(const struct forest *f, uint32_t first, uint32_t last, struct summing *s)
{
	static const enum code codes[] = { CODE_OCTAL, CODE_HEX_WIDE, CODE_ZEROS };
	const struct leaf *l = &f->leaves[first];
	for (uint32_t k = 0; k < 3; k++) {
		uint32_t n = 0, at = header_base(f, l) + s->offset;
		while (n < 12 && at + n < l->body && code_digit(codes[k], f->bytes[at + n]) >= 0)
			n++;
		s->code = (uint8_t)codes[k];
		for (uint32_t more = 0; more < 3 && n >= SUM_DIGITS; more++) {
			s->width = (uint8_t)(k == 1 && n > 8 ? 8 : n + (k ? 0 : 2 - more));
			if (find_digits_of(f, first, last, s))
				return true;
			more += k ? 2 : 0;
		}
	}
	return false;
}

/* Those in headers that are written in digits, of records whose lengths are. Is there one? */
static bool find_digit_sums(struct forest *f, uint32_t first, uint32_t last)
{
	struct summing s = { 0 };
	if (last == first)
		return false;
	const struct leaf *l = &f->leaves[first];
	uint32_t room = l->body - l->r.begin;
	room = room < SUM_HEAD ? room : SUM_HEAD;
	while (s.offset < room && !find_digits(f, first, last, &s))
		s.offset++;
	if (s.offset == room)
		return false;
	take_sums(f, first, last, &s);
	struct leaf behind = f->leaves[last - 1]; /* what ends them may have such a header */
	uint32_t size = behind.r.end - behind.r.begin;
	behind.r.begin += size, behind.r.at += size, behind.body += size;
	behind.r.body_end = behind.body;
	if (behind.body <= f->size && fits(f, &behind, &s))
		found_field(&f->found, sum_field(f, &behind, &s));
	return true;
}

uint32_t forest_tail(const struct forest *f)
{
	for (uint32_t sum = 0; sum < SUM_CRC16 && f->size <= SUM_LARGE; sum++) {
		uint32_t width = sum_width((enum sum)sum);
		for (uint32_t k = 0; k < 6 && f->size > width + 28; k++) {
			struct field field =
				field_of(FIELD_SUM, k % 2 ? CODE_BIG : CODE_LITTLE, f->size - width,
			                 width, k / 2 * 4, f->size - width);
			field.sum = (uint8_t)sum;
			if (field_holds(NULL, &field, f->bytes, f->size))
				return width;
		}
	}
	return 0;
}

enum {
	HOPS = 24 << 20, /* steps of all searches together */
	LEADS = 4 << 20, /* places of leads, of three regions */
	MAX_DEPTH = 24,
	MAX_LEAVES = 1 << 17,
	MAX_FORMATS = 8,
	MIN_REGION = 2,       /* smaller ones hold no records */
	MIN_SEARCHED = 16,    /* smaller ones are only tried with what is known */
	SAFE = 8 * CHAIN_BIT, /* what must speak for a chain alone */
	ALIKE = 6,            /* regions of one kind that seem to be of many */
	MANY = 4,       /* records of a chain that fewer are by chance in all that are alike */
	LOOSE = 16,     /* chains that fill nothing */
	LAST = 64,      /* bytes of a record that is seen by where it ends, at least */
	BEFORE = 16,    /* bytes before such a chain that may say something about it */
	CONTROLS = 256, /* text has at most one control character for so many bytes */
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
	bool many = outermost || (n > 1 && c.n >= MANY);
	if (c.bits <= (many ? 0 : 2 * SAFE))
		return 0;
	uint32_t skip = c.begin - most->begin, width;
	uint64_t value;
	*best = (struct layout){ c.format, skip, false };
	if (code_read(CODE_LEB, f->bytes + most->begin, f->bytes + most->end, &width, &value) &&
	    width == skip && value == c.n)
		*best = (struct layout){ c.format, 0, true };
	if (n == 1)
		return c.bits;
	int32_t bits = try_layout(f, best, r, n); /* what each says little of, all may */
	return bits > 2 * SAFE ? bits : bits && c.bits > 2 * SAFE ? c.bits : 0;
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
	MEM_PUSH(f->formats, f->n_formats, f->cap_formats, *form);
	return (uint16_t)(f->n_formats - 1);
}

/* Does the length say what the record is? */
static bool says_its_size(const struct forest *f, const struct format *form,
                          const struct format_record *r)
{
	uint32_t width = r->width;
	uint64_t value;
	return code_read(form->code, f->bytes + r->at, f->bytes + f->size, &width, &value) &&
	       (int64_t)value * (form->unit ? form->unit : 1) + form->more ==
	               (int64_t)r->body_end - r->from;
}

static void add_length(struct forest *f, const struct format *form, const struct format_record *r,
                       uint16_t depth)
{
	struct cell lead;
	uint32_t more = form->lead.kind ? (uint32_t)form->more : 0;
	if (!says_its_size(f, form, r))
		return;
	struct field length =
		field_of(FIELD_LENGTH, form->code, r->at, r->width, r->from + more, r->body_end);
	struct field pad = field_of(FIELD_PADDING, CODE_LITTLE, r->body_end, r->end - r->body_end,
	                            r->begin, r->body_end);
	length.bias = (int32_t)more - form->more;
	length.unit = form->unit;
	pad.unit = form->align;
	pad.own = form->fill;
	length.depth = pad.depth = (uint16_t)(depth + 1);
	found_field(&f->found, length);
	if (form->align > 1)
		found_field(&f->found, pad);
	if (form->lead.kind != PART_SIZED || !format_lead(form, f->bytes, r->begin, r->end, &lead))
		return;
	length = field_of(FIELD_LENGTH, form->lead.code, lead.begin,
	                  form->lead.width ? form->lead.width : lead.body - lead.begin, lead.body,
	                  lead.end);
	length.depth = pad.depth;
	found_field(&f->found, length);
}

/* Makes the leaves of a chain. */
static void plant(struct forest *f, const struct layout *l, const struct region *region,
                  uint16_t depth)
{
	uint32_t at = chain_begin(f, l, region);
	uint16_t format = format_index(f, &l->format);
	struct grove g = { region->begin, region->end, at,    region->end, f->n_leaves, 0,
		           depth,         0,           false, false };
	if (at >= region->end || !chain_walk(&l->format, f->bytes, at, region->end, &f->budget))
		return;
	for (; at < region->end && f->n_leaves < MAX_LEAVES; g.n++) {
		struct leaf leaf = { .depth = depth, .format = format };
		if (!format_at(&l->format, f->bytes, at, region->end, &leaf.r))
			break;
		leaf.body = l->format.lead.kind ? leaf.r.from + (uint32_t)l->format.more
		                                : leaf.r.at + leaf.r.width;
		leaf.body_end = leaf.r.body_end;
		if (code_in_digits(l->format.code)) {
			leaf.body = digits_body(&l->format, &leaf.r);
			leaf.body_end -= leaf.r.body_end - leaf.body < l->format.trail
			                         ? 0u
			                         : l->format.trail;
		}
		leaf.tag = tag_of(f, &l->format, &leaf.r);
		MEM_PUSH(f->leaves, f->n_leaves, f->cap_leaves, leaf);
		add_length(f, &l->format, &leaf.r, depth);
		at = leaf.r.end;
	}
	MEM_PUSH(f->groves, f->n_groves, f->cap_groves, g);
}

void forest_begin(struct forest *f, uint32_t begin, uint32_t end, uint32_t with)
{
	struct grove g = { begin, end, begin, end, f->n_leaves, 0, 0, with, false, false };
	MEM_PUSH(f->groves, f->n_groves, f->cap_groves, g);
}

void forest_plant(struct forest *f, const struct format *format, uint32_t begin, uint32_t end)
{
	struct layout l = { *format, 0, false };
	struct region r = { begin, end, 0, 0 };
	plant(f, &l, &r, 0);
}

static int by_key(const void *a, const void *b)
{
	const struct region *x = a, *y = b;
	int order = MEM_ORDER_TWO(x, y, format, key);
	return order ? order : MEM_ORDER(x, y, begin);
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
		MEM_PUSH(out->list, out->n, out->cap,
		         (struct region){ l->body, l->body_end, l->tag, l->format });
	}
	MEM_SORT(out->list, out->n, by_key);
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
	for (uint32_t i = 0; i < n; i++)
		plant(f, &l, &r[i], depth);
	forest_find_counts(f, groves, f->n_groves);
	if (forest_find_sums(f, leaves, f->n_leaves))
		f->weak = false;
}

/* The outermost region ends where the file does, or a few bytes before. */
static void grow_outermost(struct forest *f)
{
	uint32_t tails[] = { forest_tail(f), 0, 4, 2, 1, 8, 16, 20, 32 };
	for (uint32_t i = !tails[0]; i < sizeof tails / sizeof *tails && !f->n_leaves; i++) {
		f->budget.plain = i > 1; /* the others are tried for little */
		struct region all = { 0, f->size - tails[i], 0, 0 };
		if (f->size >= MIN_SEARCHED + tails[i])
			grow_kind(f, &all, 1, 0);
	}
}

/* Is it a control character that text does not have? */
static inline uint8_t is_control(uint8_t byte)
{
	return (byte < '\t') | ((byte > '\r') & (byte < ' ') & (byte != 27));
}

uint32_t bytes_controls(const uint8_t *bytes, uint32_t size)
{
	enum { TOGETHER = 128 }; /* bytes that the compiler looks at side by side */
	const uint8_t *end = bytes + size;
	uint32_t odd = 0;
	work_step(size);
	for (; end - bytes >= TOGETHER; bytes += TOGETHER) {
		uint8_t n = 0;
		for (int k = 0; k < TOGETHER; k++)
			n = (uint8_t)(n + is_control(bytes[k]));
		odd += n;
	}
	for (; bytes < end; bytes++)
		odd += is_control(*bytes);
	return odd;
}

bool bytes_are_text(const uint8_t *bytes, uint32_t size)
{
	uint32_t odd = bytes_controls(bytes, size);
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
	f->budget.leads = LEADS;
	background_measure(&f->background, f->bytes, 0, f->size);
	plant(f, &l, &all, 0);
	forest_find_counts(f, 0, f->n_groves);
	f->digits = find_digit_sums(f, 0, f->n_leaves) || f->n_leaves > 1;
	if (!f->digits) {
		found_release(&f->found);
		f->n_leaves = f->n_groves = f->n_formats = 0;
	}
	return f->digits;
}

/* Where those of the format of region I end, if that is the first of them and what seems to say
 * what they are is different in all: it may be a number. Else I. */
static uint32_t apart_from(const struct regions *r, uint32_t i)
{
	uint32_t k = i, format = r->list[i].format;
	for (; k < r->n && r->list[k].format == format; k++)
		if (k > i ? r->list[k].key == r->list[k - 1].key
		          : i && r->list[k - 1].format == format)
			return i;
	return k;
}

/* What is nested in the leaves. */
static void grow_insides(struct forest *f)
{
	f->budget.plain = false;
	struct regions next = { 0 };
	uint32_t first = 0;
	for (uint16_t depth = 1; depth < MAX_DEPTH && first < f->n_leaves; depth++) {
		insides(f, first, &next);
		first = f->n_leaves;
		for (uint32_t i = 0, k; i < next.n; i = k) {
			uint32_t leaves = f->n_leaves;
			k = apart_from(&next, i);
			if (k - i >= ALIKE)
				grow_kind(f, &next.list[i], k - i, depth);
			if (f->n_leaves > leaves)
				continue;
			for (k = i + 1; k < next.n && next.list[k].key == next.list[i].key &&
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
	f->n_leaves = f->n_groves = f->found.n.fields = f->n_formats = 0; /* of what was too weak */
	f->budget.hops = HOPS;
	f->budget.leads = LEADS;
	background_measure(&f->background, f->bytes, 0, f->size);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t groves = f->n_groves, room = list[i].begin - (i ? list[i - 1].end : 0);
		struct layout l = { list[i].format, room < BEFORE ? room : BEFORE, false };
		struct region r = { list[i].begin - l.skip, list[i].end, 0, 0 };
		plant(f, &l, &r, 0);
		forest_find_counts(f, groves, f->n_groves);
	}
	plant_last(f, n ? list[n - 1].end : 0);
	grow_insides(f);
	return f->n_leaves > 0;
}

void forest_grow(struct forest *f)
{
	f->budget.hops = HOPS;
	f->budget.leads = LEADS;
	background_measure(&f->background, f->bytes, 0, f->size);
	if (!f->n_leaves)
		grow_outermost(f);
	grow_insides(f);
	if (f->weak && f->n_groves < 2)
		f->n_leaves = 0;
}
