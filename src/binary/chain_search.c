#include <string.h>

#include "base/work.h"
#include "binary/chains.h"
#include "binary/sums.h"

enum {
	MORE_MAX = 32,    /* bytes that a length does not count, at most */
	MORE_BEHIND = 13, /* of LEB128 and DER, what stands before the next length included */
	SLACK = 24,       /* the last length is found to be so far behind the end, at most */
	LOOK = 32,        /* hops after which headers must begin to look like headers */
	DISTINCT = 12,    /* values in a column then, at most, in one of them */
	SURE = 10 * CHAIN_BIT,
	DOUBT = 3 * CHAIN_BIT, /* records in front of a chain may speak so much against
	                          themselves */
	FEW_UNITS = 6, /* fewer records are such by chance: most numbers are short of the end */
	UNIT_COST = 3 * CHAIN_BIT, /* a unit is one of so many */
	COUNTED = 4 * CHAIN_BIT,   /* what it costs to look for a count */
	FEW = 16,                  /* records whose checksums are needed to tell a chain */
	FIRST_SUMMED = 1 << 12,    /* bytes of the first of them */
	SUMMED = 8,                /* bytes that are summed in the time of a hop */
	LEAD_MOST = 16,            /* bytes in front of a lead, fewer; half as many behind it */
	HEAD_MOST = 24,            /* bytes in front of the first of two lengths, fewer */
	BETWEEN = 5,               /* pairs of bytes from there to the second, fewer */
	BEHIND = 5,                /* and behind that */
	LEAD_COST = 8 * CHAIN_BIT, /* where it stands, and its length, are one of so many */
	FORMATS = 32,              /* that fit a region, those for which most speaks */
};

/* What the choice of the format costs. */
static int32_t format_cost(const struct format *f, uint32_t skip)
{
	bool varies = code_varies(f->code);
	bool plain = format_is_plain(f);
	uint32_t cost = (varies ? 2u : 4u) * CHAIN_BIT + (f->align > 1 ? 3u : 1u) * CHAIN_BIT;
	cost += chain_log(1 + f->offset) + 3 * chain_log(1 + skip) / 2;
	cost += f->unit ? UNIT_COST : 0;
	cost += f->lead.kind ? LEAD_COST : 0;
	cost += (plain ? 2u : 5u) * CHAIN_BIT + (f->width == 3 ? 4u : 0u) * CHAIN_BIT;
	return (int32_t)cost;
}

struct search_region {
	const uint8_t *bytes;
	uint32_t begin, end, head;
	struct background background;
	struct chain_budget *budget;
	uint32_t n;
	struct chain best[FORMATS]; /* one of each format */
};

/* Do the chains A and B have a border in common, where they have become the same? */
static bool meet(const struct search_region *s, const struct chain *a, const struct chain *b)
{
	struct format_record r;
	uint32_t at = a->begin, to = b->begin;
	if (memcmp(&a->format, &b->format, sizeof a->format) != 0)
		return false;
	while (at != to && at < s->end && to < s->end) {
		uint32_t *least = at < to ? &at : &to;
		if (!format_at(&a->format, s->bytes, *least, s->end, &r))
			return false;
		*least = r.end;
	}
	return at == to && at < s->end;
}

/* What holds a chain is found before the chain: of what is sure the first. But records in front of
 * a chain must speak for themselves. */
static bool is_better(const struct search_region *s, const struct chain *a, const struct chain *b)
{
	bool a_sure = a->bits >= SURE, b_sure = b->bits >= SURE;
	if (a_sure != b_sure)
		return a_sure;
	if (a_sure && a->begin != b->begin && !meet(s, a, b))
		return a->begin < b->begin;
	int32_t less = a->begin < b->begin ? DOUBT : a->begin > b->begin ? -DOUBT : 0;
	return a->bits + less > b->bits;
}

/* What it says that the number in front of BEGIN is N. */
static int32_t count_bits(const struct search_region *s, uint32_t begin, uint32_t n)
{
	static const uint8_t widths[] = { 4, 2, 1 };
	for (uint32_t i = 0; i < 2 * sizeof widths; i++) {
		uint32_t width = widths[i / 2], bits = 0;
		uint64_t value;
		if (begin < s->begin + width ||
		    !code_read(i % 2 ? CODE_BIG : CODE_LITTLE, s->bytes + begin - width,
		               s->bytes + begin, &width, &value) ||
		    value != n)
			continue;
		for (uint32_t k = 0; k < width; k++)
			bits += s->background.bits[s->bytes[begin - width + k]];
		return bits > COUNTED ? (int32_t)bits - COUNTED : 0;
	}
	return 0;
}

/* Does each of the records end with a checksum of what it holds from FROM bytes on? */
static bool end_with_sums(const struct search_region *s, const struct format *f, uint32_t begin,
                          enum sum sum, uint32_t from)
{
	struct format_record r;
	struct sum_state state;
	bool fits[2] = { true, true };
	for (uint32_t at = begin; at < s->end; at = r.end) {
		uint32_t width = 4;
		uint64_t value;
		if (!format_at(f, s->bytes, at, s->end, &r) || r.body_end < at + from + 2 * width)
			return false;
		uint32_t n = r.body_end - width - at - from;
		if (s->budget->hops < n / SUMMED)
			return false;
		s->budget->hops -= n / SUMMED;
		sum_begin(&state, sum);
		sum_feed(&state, s->bytes + at + from, n);
		for (uint32_t k = 0; k < 2; k++)
			fits[k] &=
				code_read(k ? CODE_BIG : CODE_LITTLE, s->bytes + r.body_end - width,
			                  s->bytes + s->end, &width, &value) &&
				value == sum_end(&state);
		if (!fits[0] && !fits[1])
			return false;
	}
	return true;
}

/* What checksums say about a chain too short to say much itself. */
static int32_t sum_bits(const struct search_region *s, const struct format *f, uint32_t begin,
                        uint32_t n)
{
	struct format_record r;
	if (n < 2 || n > FEW || f->width < 2 || code_varies(f->code) ||
	    !format_at(f, s->bytes, begin, s->end, &r) || r.end - r.begin > FIRST_SUMMED)
		return 0;
	for (uint32_t sum = 0; sum <= SUM_ADLER32; sum++)
		for (uint32_t from = 0; from <= 8; from += 4)
			if (end_with_sums(s, f, begin, (enum sum)sum, from))
				return (int32_t)n * 24 * CHAIN_BIT;
	return 0;
}

/* C, unless a chain of its format is better. It is compared with those of other formats only when
 * all are known: with records in front by chance a format may beat a chain that it does not beat
 * without them. */
static void keep(struct search_region *s, struct chain c)
{
	struct chain *least = s->best;
	for (uint32_t i = 0; i < s->n; i++) {
		if (!memcmp(&s->best[i].format, &c.format, sizeof c.format)) {
			if (is_better(s, &c, &s->best[i]))
				s->best[i] = c;
			return;
		}
		if (s->best[i].bits < least->bits)
			least = &s->best[i];
	}
	if (s->n < FORMATS)
		s->best[s->n++] = c;
	else if (c.bits > least->bits)
		*least = c;
}

static struct chain best_of_all(const struct search_region *s)
{
	struct chain best = { 0 };
	for (uint32_t i = 0; i < s->n; i++)
		if (is_better(s, &s->best[i], &best))
			best = s->best[i];
	return best;
}

static void consider(struct search_region *s, const struct format *f, uint32_t begin)
{
	if (f->lead.kind && !s->budget->leads)
		return;
	s->budget->leads -= f->lead.kind != 0;
	uint32_t n = chain_walk(f, s->bytes, begin, s->end, s->budget);
	if (!n || ((f->unit || f->lead.kind) && n < FEW_UNITS))
		return;
	int32_t bits = chain_evidence(f, s->bytes, begin, s->end, n, &s->background) -
	               format_cost(f, begin - s->begin) + count_bits(s, begin, n) +
	               sum_bits(s, f, begin, n);
	keep(s, (struct chain){ *f, begin, s->end, n, bits });
}

/* Do bytes around the lengths at PLACES look like headers? */
static bool looks_ordered(const struct search_region *s, const uint32_t *places, uint32_t n,
                          uint32_t width)
{
	for (int64_t shift = -8; shift < 10; shift++) {
		uint64_t seen[4] = { 0 };
		uint32_t distinct = 0;
		if (shift >= 0 && shift < width)
			continue;
		work_step(n);
		for (uint32_t i = 0; i < n; i++) {
			int64_t at = places[i] + shift;
			if (at < s->begin || at >= s->end)
				continue;
			uint8_t c = s->bytes[at];
			distinct += !(seen[c / 64] >> (c % 64) & 1);
			seen[c / 64] |= (uint64_t)1 << (c % 64);
		}
		if (distinct <= DISTINCT)
			return true;
	}
	return false;
}

enum { FOLLOWED = 16 }; /* steps of work, also where nothing follows */

/* Lengths from FIRST on, each F->more bytes and what it says from the last (of those that vary:
 * from its end). Where they lead is behind the end by the bytes that stand before a length. */
static void follow(struct search_region *s, struct format f, uint32_t first)
{
	uint32_t places[LOOK], n = 0;
	bool varies = code_varies(f.code);
	uint64_t at = first, value;
	work_step(FOLLOWED);
	while (at < s->end) {
		uint32_t width = f.width;
		if (!s->budget->hops ||
		    !code_read(f.code, s->bytes + at, s->bytes + s->end, &width, &value))
			break;
		s->budget->hops--;
		value = value > s->end ? value : value * (f.unit ? f.unit : 1);
		uint64_t size =
			chain_round_up(value + (uint64_t)f.more + (varies ? width : 0), f.align);
		if (value > s->end || at + size > s->end + (uint64_t)SLACK || size < width)
			return;
		if (n < LOOK)
			places[n] = (uint32_t)at;
		if (++n == LOOK && width < 4 && !looks_ordered(s, places, n, width))
			return;
		at += size;
	}
	if (at < s->end)
		return;
	uint64_t over = at - s->end, most = first - s->begin;
	int16_t more = f.more;
	for (uint64_t pad = 0; pad < f.align && pad <= over; pad++) {
		f.offset = (uint16_t)(over - pad);
		f.more = varies ? (int16_t)(more - f.offset) : more;
		if (over - pad <= most && (!varies || f.more >= 0))
			consider(s, &f, first - f.offset);
	}
}

static void find_fixed(struct search_region *s, struct format f, uint32_t first)
{
	static const uint8_t aligns[] = { 1, 2, 4, 8 };
	uint64_t value;
	uint32_t width = f.width;
	if (!code_read(f.code, s->bytes + first, s->bytes + s->end, &width, &value) ||
	    value > s->end - first + (uint32_t)SLACK)
		return;
	uint32_t n_aligns = width == 1 ? 1 : width < 4 ? 3 : sizeof aligns;
	int16_t most = width == 1 ? MORE_MAX / 2 : width < 4 ? 3 * MORE_MAX / 4 : MORE_MAX;
	for (f.more = 0; f.more <= most; f.more++)
		for (uint32_t i = 0; i < n_aligns; i++) {
			f.align = aligns[i];
			follow(s, f, first);
		}
}

static void find_varying(struct search_region *s, enum code code, uint32_t first)
{
	struct format f = { .code = (uint8_t)code, .align = 1 };
	for (f.more = 0; f.more < MORE_BEHIND; f.more++)
		follow(s, f, first);
}

/* Likewise lengths that count words or blocks, all of them or what stands behind a head of some. */
static void find_units(struct search_region *s)
{
	static const uint16_t units[] = { 4, 2, 8, 16, 512 };
	for (uint32_t i = 0; i < 4 * sizeof units / sizeof *units; i++)
		for (uint32_t at = s->begin; at < s->begin + s->head; at++) {
			struct format f = { .code = i % 2 ? CODE_BIG : CODE_LITTLE,
				            .width = i / 2 % 2 ? 4 : 2,
				            .align = 1,
				            .unit = units[i / 4] };
			for (; f.more <= MORE_MAX; f.more = (int16_t)(f.more + 2))
				follow(s, f, at);
		}
}

/* Records of which the length is only that of the last part: there is a lead, which has a length of
 * its own or a zero behind it, or is a number of any width. */
static void find_led(struct search_region *s)
{
	static const struct part leads[] = {
		{ PART_SIZED, CODE_LITTLE, 1 }, { PART_STRING, 0, 0 },
		{ PART_NUMBER, CODE_LEB, 0 },   { PART_NUMBER, CODE_VLQ, 0 },
		{ PART_SIZED, CODE_LITTLE, 2 }, { PART_SIZED, CODE_BIG, 2 },
		{ PART_SIZED, CODE_LEB, 0 },
	};
	static const struct format lengths[] = {
		{ .code = CODE_LITTLE, .width = 2 },
		{ .code = CODE_LITTLE, .width = 4 },
		{ .code = CODE_BIG, .width = 2 },
		{ .code = CODE_BIG, .width = 4 },
		{ .code = CODE_LEB },
		{ .code = CODE_VLQ },
	};
	enum { N = sizeof leads / sizeof *leads, WAYS = N * sizeof lengths / sizeof *lengths };
	for (uint32_t i = 0; i < WAYS * LEAD_MOST && s->budget->leads; i++)
		for (uint32_t at = s->begin; at < s->begin + s->head; at++) {
			struct format f = lengths[i % WAYS / N];
			f.align = 1;
			f.lead = leads[i % N];
			f.said = (uint8_t)(i / WAYS);
			f.ahead = f.said;
			for (; f.offset <= f.ahead + LEAD_MOST / 2; f.offset++) {
				bool before = f.offset < f.ahead, varies = code_varies(f.code);
				uint32_t end = f.offset + f.width;
				if (before && (end > f.ahead || varies))
					continue;
				f.more = (int16_t)(varies ? 0 : before ? f.ahead : end);
				consider(s, &f, at);
			}
		}
}

/* Likewise where both lengths stand in front of the lead. */
static void find_said(struct search_region *s)
{
	static const uint8_t widths[][2] = { { 2, 2 }, { 2, 4 }, { 4, 4 }, { 1, 2 }, { 1, 4 } };
	enum { WAYS = 2 * sizeof widths / sizeof *widths };
	for (uint32_t i = 0; i < WAYS * HEAD_MOST * BETWEEN * BEHIND && s->budget->leads; i++)
		for (uint32_t at = s->begin; at < s->begin + s->head; at++) {
			uint32_t k = i / WAYS;
			uint8_t code = i % 2 ? CODE_BIG : CODE_LITTLE,
				lead = widths[i % WAYS / 2][0];
			struct format f = { .code = code,
				            .width = widths[i % WAYS / 2][1],
				            .align = 1,
				            .lead = { PART_SIZED, code, lead },
				            .said = (uint8_t)(k % HEAD_MOST) };
			f.offset = (uint16_t)(f.said + lead + 2 * (k / HEAD_MOST % BETWEEN));
			f.ahead = (uint16_t)(f.offset + f.width + 2 * (k / HEAD_MOST / BETWEEN));
			f.more = (int16_t)f.ahead;
			consider(s, &f, at);
		}
}

struct chain chain_find(const uint8_t *bytes, uint32_t begin, uint32_t end, uint32_t head,
                        struct chain_budget *budget)
{
	static const uint8_t widths[] = { 4, 2, 8, 3, 1 };
	struct search_region s = {
		.bytes = bytes, .begin = begin, .end = end, .head = head, .budget = budget
	};
	background_measure(&s.background, bytes, begin, end);
	if (head > end - begin)
		s.head = head = end - begin;
	for (uint32_t at = begin; at < begin + head; at++) {
		find_varying(&s, CODE_DER, at);
		find_varying(&s, CODE_LEB, at);
	}
	for (uint32_t i = 0; i < sizeof widths; i++)
		for (uint32_t at = begin; at < begin + head; at++) {
			struct format f = { .code = CODE_LITTLE, .width = widths[i] };
			find_fixed(&s, f, at);
			f.code = CODE_BIG;
			if (f.width > 1)
				find_fixed(&s, f, at);
		}
	struct chain best = best_of_all(&s);
	if (best.bits <= 0 && head >= CHAIN_HEAD) {
		s.n = 0;
		find_units(&s);
		best = best_of_all(&s);
	}
	if (best.bits <= 0 && !budget->plain) {
		s.n = 0;
		find_led(&s);
		find_said(&s);
		best = best_of_all(&s);
	}
	return best;
}
