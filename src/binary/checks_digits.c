/* Checksums in digits, in the headers of records. */
#include "binary/forest.h"

enum {
	FEW = 128,         /* records that are looked at */
	TRAIL = 4,         /* bytes behind bodies */
	SUM_DIGITS = 4,    /* digits of a checksum, at least */
	SUM_MAX = 1 << 20, /* bytes summed at most to find one */
	SUM_HEAD = 600,    /* bytes of a header in which one is looked for */
};

/* Where one stands in a record, and of what it is. */
struct summing {
	uint32_t offset, width;
	uint8_t code, sum, own;
	uint8_t less; /* bytes that stand behind bodies, not before them as it seemed */
	bool of_body; /* else of what stands before it */
};

static bool sum_field(const struct forest *f, const struct leaf *l, const struct summing *s,
                      struct field *out)
{
	*out = (struct field){ .kind = FIELD_SUM,
		               .code = s->code,
		               .sum = s->sum,
		               .own = s->own,
		               .at = l->r.begin + s->offset,
		               .width = s->width,
		               .from = s->of_body ? l->body - s->less : l->r.begin,
		               .to = s->of_body ? l->body_end - s->less : l->body - s->less };
	return out->at + out->width <= l->body - s->less && out->from <= out->to &&
	       out->to - out->from <= SUM_MAX && field_holds(NULL, out, f->bytes, f->size);
}

static bool holds_for_all(const struct forest *f, uint32_t first, uint32_t last,
                          const struct summing *s)
{
	struct field field;
	uint32_t some = 0;
	for (uint32_t i = first; i < last && i < first + FEW; i++) {
		if (!sum_field(f, &f->leaves[i], s, &field))
			return false;
		some += field.to > field.from;
	}
	return some > 1;
}

static bool find_at(const struct forest *f, uint32_t first, uint32_t last, struct summing *s)
{
	static const uint8_t sums[] = { SUM_ADD32, SUM_CRC32, SUM_ADLER32, SUM_CRC32C };
	static const uint8_t owns[] = { ' ', '0', 0 };
	for (uint32_t i = 0; i < sizeof sums; i++)
		for (uint32_t k = 0; k < (sizeof owns + 1) * (TRAIL + 1); k++) {
			s->sum = sums[i];
			s->of_body = k / (TRAIL + 1) == sizeof owns;
			s->own = s->of_body ? 0 : owns[k / (TRAIL + 1)];
			s->less = (uint8_t)(k % (TRAIL + 1));
			if (holds_for_all(f, first, last, s))
				return true;
		}
	return false;
}

/* At OFFSET of the header, in all ways that digits stand there. */
static bool find_sum(const struct forest *f, uint32_t first, uint32_t last, struct summing *s)
{
	static const enum code codes[] = { CODE_OCTAL, CODE_HEX_WIDE, CODE_ZEROS };
	const struct leaf *l = &f->leaves[first];
	for (uint32_t k = 0; k < 3; k++) {
		uint32_t n = 0, at = l->r.begin + s->offset;
		while (n < 12 && at + n < l->body && code_digit(codes[k], f->bytes[at + n]) >= 0)
			n++;
		s->code = (uint8_t)codes[k];
		for (uint32_t more = 0; more < 3 && n >= SUM_DIGITS; more++) {
			s->width = k == 1 && n > 8 ? 8 : n + (k ? 0 : 2 - more);
			if (find_at(f, first, last, s))
				return true;
			more += k ? 2 : 0;
		}
	}
	return false;
}

void forest_find_digit_sums(struct forest *f, uint32_t first, uint32_t last)
{
	struct summing s = { 0 };
	struct field field;
	if (last - first < 2)
		return;
	const struct leaf *l = &f->leaves[first];
	uint32_t room = l->body - l->r.begin;
	while (s.offset < room && s.offset < SUM_HEAD && !find_sum(f, first, last, &s))
		s.offset++;
	for (uint32_t i = first; i < last && s.offset < room && s.offset < SUM_HEAD; i++) {
		struct leaf *x = &f->leaves[i];
		if (!sum_field(f, x, &s, &field))
			continue;
		forest_add_field(f, field);
		x->body -= s.less;
		x->body_end -= s.less;
	}
}
