/* Words that agree with what was found: counts, checksums, sizes of all. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/forest.h"

enum {
	ENOUGH = 5 * CHAIN_BIT, /* of evidence for a count */
	APART = 10 *
	        CHAIN_BIT,   /* what must speak for one that is not just in front of its records */
	SURE = 31,           /* bits of evidence for a checksum, of which there are many ways */
	SUM_SMALL = 6,       /* bytes that a sum must be of to say something */
	SUM_LARGE = 1 << 22, /* checksums of more bytes than that are not tried */
	SUM_STARTS = 20, /* bytes from the beginning of a record where what is summed may begin */
	FRAME_HEAD = 96,
	FRAME_WORK = 48 << 20, /* bytes summed to find a checksum of all */
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

void forest_find_counts(struct forest *f, uint32_t first, uint32_t last)
{
	struct writing best = { 0 };
	uint32_t best_back = 0, room = UINT32_MAX;
	int32_t most = 0, best_bias = 0;
	f->counted = mem_resize(f->counted, last + (size_t)1, sizeof *f->counted);
	for (uint32_t i = first; i < last; i++) {
		uint32_t before = f->groves[i].chain - f->groves[i].begin;
		f->counted[i] = false;
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
		f->counted[i] = true;
		forest_add_field(f, (struct field){ .kind = FIELD_COUNT,
		                                    .code = best.code,
		                                    .at = at,
		                                    .width = width,
		                                    .from = g->chain,
		                                    .to = g->chain_end,
		                                    .bias = best_bias,
		                                    .list = i });
	}
}

/* ---- sums ---- */

/* Where a sum stands in a record and what of it is summed. */
struct summing {
	uint8_t sum, code;
	bool behind; /* at the end of the record; else OFFSET bytes from its beginning */
	uint8_t offset;
	uint8_t from; /* bytes from the beginning */
	bool to_sum;  /* up to the sum that stands behind; else to the end */
	uint8_t own;
};

static struct field sum_field(const struct leaf *l, const struct summing *s)
{
	uint32_t width = sum_width(s->sum), end = l->r.body_end;
	uint32_t from = l->r.begin + s->from;
	uint32_t at = s->behind ? end - width : l->r.begin + s->offset;
	return (struct field){ .kind = FIELD_SUM,
		               .sum = s->sum,
		               .code = s->code,
		               .at = at,
		               .width = width,
		               .from = from,
		               .to = s->to_sum ? at : end,
		               .own = s->own };
}

static bool fits(const struct forest *f, const struct leaf *l, const struct summing *s)
{
	uint32_t width = sum_width(s->sum);
	if (l->r.body_end < l->r.at + l->r.width + (s->behind ? width : 0) ||
	    l->r.begin + s->offset + width > l->r.body_end)
		return false;
	struct field field = sum_field(l, s);
	return field.from < field.to && field_holds(NULL, &field, f->bytes, f->size);
}

/* Whether it holds for all records looked at, and says something: what is the same again says
 * nothing new. */
static bool holds_for_all(const struct forest *f, uint32_t first, uint32_t last,
                          const struct summing *s)
{
	uint32_t n = 0, step = (last - first) / 32 + 1;
	uint64_t seen[40];
	for (uint32_t i = first; i < last; i += step) {
		struct field field = sum_field(&f->leaves[i], s);
		uint32_t width = field.width, k = 0;
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
                          const struct leaf *l, struct summing s, uint32_t value,
                          struct summing *out)
{
	uint32_t width = sum_width(s.sum), head = l->r.at + l->r.width - l->r.begin;
	if (l->r.body_end - l->r.begin < width)
		return false; /* smaller than the sum, perhaps with nothing before it in the file */
	uint8_t text[2][CODE_MAX], old[8] = { 0 };
	code_write(CODE_LITTLE, old, width, value, text[0]);
	code_write(CODE_BIG, old, width, value, text[1]);
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
			if (find_standing(f, first, last, l, s, sum_end(&state), out))
				return true;
		}
	}
	return false;
}

bool forest_find_sums(struct forest *f, uint32_t first, uint32_t last)
{
	struct summing s;
	if (first == last || !find_summing(f, first, last, &s))
		return false;
	for (uint32_t i = first; i < last; i++) {
		struct leaf *l = &f->leaves[i];
		if (!fits(f, l, &s))
			continue;
		forest_add_field(f, sum_field(l, &s));
		uint32_t width = sum_width(s.sum);
		if (s.behind)
			l->body_end = l->r.body_end - width;
		else if (s.offset >= l->body - l->r.begin)
			l->body = l->r.begin + s.offset + width;
	}
	return true;
}

/* ---- what stands around all ---- */

/* A count that reaches into the word [at, at + width) before it is narrower than it seemed. */
static void narrow_counts(struct forest *f, uint32_t at, uint32_t width)
{
	for (uint32_t i = 0; i < f->n_fields; i++) {
		struct field *c = &f->fields[i];
		uint32_t over = c->at < at + width ? at + width - c->at : 0;
		if (c->kind == FIELD_COUNT && c->code == CODE_BIG && c->at >= at && over &&
		    over < c->width) {
			c->at += over;
			c->width -= over;
		}
	}
}

static void find_sizes(struct forest *f, const struct grove *g, uint32_t from, uint32_t to)
{
	for (uint32_t at = from; at < to; at++)
		for (uint32_t k = 0; k < N_WRITINGS; k++) {
			struct writing w = writings[k];
			uint32_t width = w.width,
				 begins[] = { 0, at + w.width, g->chain, g->begin },
				 ends[] = { f->size, g->chain_end };
			uint64_t value;
			if (w.width < 2 ||
			    !code_read(w.code, f->bytes + at, f->bytes + to, &width, &value) ||
			    value < (w.width < 4 ? 256u : 16u))
				continue;
			for (uint32_t b = 0; b < 8; b++)
				if (ends[b / 4] >= begins[b % 4] &&
				    value == ends[b / 4] - begins[b % 4]) {
					forest_add_field(f, (struct field){ .kind = FIELD_LENGTH,
					                                    .code = w.code,
					                                    .at = at,
					                                    .width = width,
					                                    .from = begins[b % 4],
					                                    .to = ends[b / 4] });
					narrow_counts(f, at, width);
					at += width - 1;
					k = N_WRITINGS;
					break;
				}
		}
}

void forest_find_sizes(struct forest *f, uint32_t grove)
{
	struct grove g = f->groves[grove];
	find_sizes(f, &g, g.begin, g.chain);
}

/* What may be summed for a word at AT, before or behind the chain. */
static uint32_t frame_ranges(const struct forest *f, const struct grove *g, uint32_t at,
                             uint32_t width, struct element out[8])
{
	bool behind = at >= g->chain_end;
	uint32_t ends[] = { behind ? at : f->size, g->chain_end }, n = 0;
	uint32_t begins[] = { g->chain, 0, behind ? 4 : at + width };
	for (uint32_t i = 0; i < 6; i++) {
		struct element e = { begins[i / 2], ends[i % 2] };
		if (e.begin + SUM_SMALL <= e.end && !(i % 2 && ends[0] == ends[1]))
			out[n++] = e;
	}
	return n;
}

/* Narrow words that fit by chance are too many, unless they are where one expects them. */
static bool find_sum_at(struct forest *f, const struct grove *g, uint32_t at, uint64_t *work)
{
	for (uint32_t sum = 0; sum < SUM_ADD16; sum++) {
		struct element ranges[8];
		uint32_t width = sum_width((enum sum)sum);
		bool stands = at + width == g->chain || at == g->chain_end || at + width == f->size;
		uint32_t n = width < 4 && !stands ? 0 : frame_ranges(f, g, at, width, ranges);
		for (uint32_t k = 0; k < 2 * n && at + width <= f->size; k++) {
			struct field field = { .kind = FIELD_SUM,
				               .sum = (uint8_t)sum,
				               .code = k & 1 ? CODE_BIG : CODE_LITTLE,
				               .at = at,
				               .width = width,
				               .from = ranges[k / 2].begin,
				               .to = ranges[k / 2].end };
			uint32_t cost = field.to - field.from;
			if (*work < cost)
				return false;
			*work -= cost;
			if (!field_holds(NULL, &field, f->bytes, f->size))
				continue;
			forest_add_field(f, field);
			return true;
		}
	}
	return false;
}

uint32_t forest_tail(const struct forest *f)
{
	for (uint32_t sum = 0; sum < SUM_CRC16; sum++)
		for (uint32_t from = 0; from <= 8 && f->size > 32; from += 4)
			for (uint32_t big = 0; big < 2; big++) {
				struct field field = { .kind = FIELD_SUM,
					               .sum = (uint8_t)sum,
					               .code = big ? CODE_BIG : CODE_LITTLE,
					               .at = f->size - 4,
					               .width = 4,
					               .from = from,
					               .to = f->size - 4 };
				if (f->size <= SUM_LARGE &&
				    field_holds(NULL, &field, f->bytes, f->size))
					return 4;
			}
	return 0;
}

void forest_find_frame(struct forest *f)
{
	if (!f->n_groves || f->groves[0].depth)
		return;
	struct grove g = f->groves[0];
	uint32_t head = g.chain < FRAME_HEAD ? g.chain : FRAME_HEAD;
	find_sizes(f, &g, 0, head);
	if (g.chain_end < f->size)
		find_sizes(f, &g, g.chain_end, f->size);
	uint64_t work = FRAME_WORK;
	bool found = false;
	for (uint32_t at = g.chain_end; at + 2 <= f->size && !found; at++)
		found = find_sum_at(f, &g, at, &work);
	for (uint32_t at = 0; at + 4 <= head && !found; at += 2)
		found = find_sum_at(f, &g, at, &work);
}
