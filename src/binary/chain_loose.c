/* Chains that fill nothing: records of a format one after another in the midst of others. The end
 * that is hit says nothing here; what speaks for a chain is that headers are like one another.
 */

#include "base/mem.h"
#include "base/work.h"
#include "binary/chains.h"

enum {
	HEAD = 12,             /* bytes of a header before the length, at most */
	MORE = 24,             /* bytes that a length does not count, at most */
	STEPS = 24 << 20,      /* records that are looked at in all */
	WINDOW = 1 << 16,      /* bytes from the beginning in which chains are looked for */
	LINK = 6 * CHAIN_BIT,  /* two records one after the other must have as much in common */
	OTHER = CHAIN_BIT,     /* what speaks against a header is a byte that is another */
	TEXT = CHAIN_BIT / 2,  /* what bytes of text have in common by chance */
	SURE = 24 * CHAIN_BIT, /* what the choice costs, of a format and among all places */
	ROWS = 16 * CHAIN_BIT, /* more than that if all are of one size, as rows are */
	RECORDS = 3,           /* of a chain, at least */
	RELATED = 2,           /* bytes near one another are alike anyway */
};

/* Small numbers, capital letters, small letters, digits; and all else, which says nothing. */
enum { CLASSES = 5, ELSE = 4 };

static uint32_t class_of(uint8_t c)
{
	return c && c < ' '           ? 0u
	       : c >= 'A' && c <= 'Z' ? 1u
	       : c >= 'a' && c <= 'z' ? 2u
	       : c >= '0' && c <= '9' ? 3u
	                              : ELSE;
}

/* What is known of a record that begins at a place. */
struct chain_place {
	int32_t bits; /* what speaks for the chain from here on */
	uint32_t n;   /* its records; 0: there is none here */
	uint32_t end; /* of it */
	bool linked;  /* from a record before */
	bool varied;  /* not all are of one size */
};

struct search {
	const uint8_t *bytes;
	uint32_t size;
	struct background background;
	uint32_t class_bits[CLASSES]; /* of evidence that a byte is of the class */
	struct chain_place *places;   /* of one format */
	uint32_t steps;
	struct chain *out; /* none overlaps another */
	uint32_t n, most;
};

static void measure(struct search *s)
{
	uint32_t count[CLASSES] = { 0 };
	background_measure(&s->background, s->bytes, 0, s->size);
	for (uint32_t at = 0; at < s->size; at++)
		count[class_of(s->bytes[at])]++;
	for (uint32_t i = 0; i < ELSE; i++)
		s->class_bits[i] =
			chain_log((uint64_t)s->size + 1) - chain_log((uint64_t)count[i] + 1);
}

/* What the N bytes before the lengths at A and B have in common. Zeros, of which most of many files
 * is, say nothing. */
static int32_t common_bits(const struct search *s, uint32_t a, uint32_t b, uint32_t n)
{
	int32_t bits = 0;
	work_step(n);
	for (uint32_t k = 1; k <= n && k <= a && k <= b; k++) {
		uint8_t c = s->bytes[a - k], d = s->bytes[b - k];
		uint32_t class = class_of(c);
		if (c == d)
			bits += c ? (int32_t)s->background.bits[c] / RELATED : 0;
		else if (class == ELSE || class != class_of(d))
			bits -= OTHER;
		else
			bits += (int32_t)s->class_bits[class] / RELATED;
	}
	return bits;
}

/* What is best of that for up to HEAD bytes, and what the lengths themselves have in common. */
static int32_t link_bits(const struct search *s, const struct format *f,
                         const struct format_record *a, const struct format_record *b)
{
	int32_t best = 0, bits = 0;
	for (uint32_t n = 1; n <= HEAD; n++) {
		bits = common_bits(s, a->at, b->at, n);
		best = bits > best ? bits : best;
	}
	for (uint32_t k = 1; k < f->width; k++) {
		uint32_t at = f->code == CODE_BIG ? f->width - 1u - k : k;
		if (!s->bytes[a->at + at] && !s->bytes[b->at + at])
			best += (int32_t)s->background.bits[0] / RELATED;
	}
	return best;
}

static bool is_zero(const uint8_t *bytes, uint32_t n)
{
	while (n && !bytes[n - 1])
		n--;
	return !n;
}

/* The chain of F from AT on, where those behind it are known. */
static void look(struct search *s, const struct format *f, uint32_t at)
{
	struct format_record r, next;
	struct chain_place *p = &s->places[at];
	*p = (struct chain_place){ 0 };
	if (!format_at(f, s->bytes, at, s->size, &r) || r.body_end <= r.at + r.width ||
	    is_zero(s->bytes + r.at, r.width))
		return;
	*p = (struct chain_place){ .n = 1, .end = r.end };
	struct chain_place *q = r.end < s->size ? &s->places[r.end] : NULL;
	if (!q || !q->n || !format_at(f, s->bytes, r.end, s->size, &next))
		return;
	int32_t bits = link_bits(s, f, &r, &next);
	if (bits < LINK)
		return;
	q->linked = true;
	p->bits = q->bits + bits > INT32_MAX / 4 ? INT32_MAX / 4 : q->bits + bits;
	p->n = q->n + 1;
	p->end = q->end;
	p->varied = q->varied || r.end - r.begin != next.end - next.begin;
}

/* Does it overlap one for which no less speaks? */
static bool is_beaten(const struct search *s, const struct chain *c)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->out[i].begin < c->end && c->begin < s->out[i].end &&
		    s->out[i].bits >= c->bits)
			return true;
	return false;
}

/* C in place of those that it overlaps, for which less speaks. */
static void keep(struct search *s, struct chain c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->out[i].end <= c.begin || c.end <= s->out[i].begin)
			s->out[n++] = s->out[i];
	if (n < s->most)
		s->out[n++] = c;
	s->n = n;
}

/* How many bytes before the lengths belong to the records of a chain that was found from its first
 * length on: those that are alike, as far as what the lengths say allows for it. */
static uint32_t head_of(struct search *s, const struct chain *c)
{
	const struct format *f = &c->format;
	uint32_t best = 0;
	int64_t most = 0;
	if (s->steps / HEAD < c->n)
		return 0;
	s->steps -= HEAD * c->n; /* many chains may end as one */
	for (uint32_t n = 1; n <= HEAD && n <= c->begin; n++) {
		struct format_record r;
		int64_t bits = 0;
		uint32_t last = c->begin;
		if (f->more && n + f->width > (uint32_t)f->more && n != (uint32_t)f->more)
			continue;
		for (uint32_t at = c->begin; at < c->end; last = at, at = r.end) {
			if (!format_at(f, s->bytes, at, s->size, &r))
				break;
			bits += at > c->begin ? common_bits(s, last, at, n) - (int32_t)n * TEXT : 0;
		}
		bits += n + f->width == (uint32_t)f->more ? bits / 2 : 0; /* what most formats do */
		if (bits > most)
			most = bits, best = n;
	}
	return best;
}

/* The chains of F. HEADED: F says how long headers are before the length. */
static void try_format(struct search *s, struct format f, bool headed)
{
	int32_t cost = SURE + (int32_t)chain_log(s->size);
	if (s->steps < s->size)
		return;
	s->steps -= s->size;
	for (uint32_t at = s->size; at-- > 0;)
		look(s, &f, at);
	for (uint32_t at = 0; at < s->size; at++) {
		const struct chain_place *p = &s->places[at];
		int32_t bits = p->bits - cost - (p->varied ? 0 : ROWS);
		struct chain c = { f, at, p->end, p->n, bits };
		if (p->linked || p->n < RECORDS || bits <= 0 || is_beaten(s, &c))
			continue;
		uint32_t head = headed ? 0 : head_of(s, &c);
		c.begin -= head;
		c.end -= head;
		c.format.offset = (uint16_t)(c.format.offset + head);
		if (!is_beaten(s, &c))
			keep(s, c);
	}
}

/* Lengths of WIDTH bytes, and what they may count. */
static void try_fixed(struct search *s, enum code code, uint32_t width)
{
	struct format f = { .code = (uint8_t)code, .width = (uint8_t)width, .align = 1 };
	for (f.more = 0; f.more <= MORE; f.more++)
		try_format(s, f, false);
	for (f.align = 2; f.align <= 4; f.align = (uint16_t)(2 * f.align))
		for (f.offset = 0; f.offset <= HEAD; f.offset = (uint16_t)(f.offset + 2)) {
			f.more = (int16_t)(f.offset + width);
			try_format(s, f, true);
		}
}

uint32_t chain_find_loose(const uint8_t *bytes, uint32_t size, struct chain *out, uint32_t most)
{
	struct search s = {
		.bytes = bytes, .size = size, .steps = STEPS, .out = out, .most = most
	};
	if (s.size > WINDOW)
		s.size = WINDOW;
	measure(&s);
	s.places = mem_alloc(((size_t)s.size + 1) * sizeof *s.places);
	for (uint32_t width = 4; width > 1; width /= 2) {
		try_fixed(&s, CODE_BIG, width);
		try_fixed(&s, CODE_LITTLE, width);
	}
	free(s.places);
	MEM_SORT_BY(out, s.n, begin);
	return s.n;
}
