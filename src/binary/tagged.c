#include "binary/finders.h"

#include "binary/found.h"

enum {
	MAX_DEPTH = 48,
	MAX_VALUES = 1 << 17,
	LEAST = 3,        /* values in a file */
	HOLDS = 0x20,     /* the bit of a tag: the value holds others */
	FOREIGN = 0xc0,   /* bits of a tag that is not one of all formats */
	LONG = 0x1f,      /* the tag goes on behind its first byte */
	LONG_MAX = 4,     /* so many bytes at most */
	TAG_LEAST = 0x10, /* EBML: the first byte of a tag, whose zeros say how many follow */
	MANY = 16,        /* values, where no tag says which of them hold others */
	LEAST_WITHIN = 4, /* bytes of a value that is looked for in one that may hold any bytes */
};

struct finder {
	const uint8_t *bytes;
	enum code code; /* of lengths: CODE_DER, or CODE_EBML and tags as that has them */
	uint32_t n_holding;
	struct found found;
};

/* Where the tag at AT ends; END: nowhere. */
static uint32_t tag_end(const struct finder *f, uint32_t at, uint32_t end)
{
	uint32_t place = at + 1;
	if (f->code == CODE_EBML)
		place = f->bytes[at] < TAG_LEAST ? end
		                                 : at + (uint32_t)__builtin_clz(f->bytes[at]) - 23;
	else if ((f->bytes[at] & LONG) == LONG)
		while (place < end && place - at < LONG_MAX && f->bytes[place++] & 0x80)
			;
	return place < end ? place : end;
}

/* The value at AT, before END; false when there is none. *LENGTH: where its length stands. */
static bool value_at(const struct finder *f, uint32_t at, uint32_t end, struct record *out,
                     uint32_t *length)
{
	uint32_t place = tag_end(f, at, end), width;
	uint64_t size;
	if (!f->bytes[at] || place >= end ||
	    !code_read(f->code, f->bytes + place, f->bytes + end, &width, &size) ||
	    size > end - place - width)
		return false;
	*length = place;
	*out = (struct record){ .begin = at, .body = place + width };
	out->end = out->body_end = out->body + (uint32_t)size;
	return true;
}

static void add(struct finder *f, struct record r, uint32_t at, uint16_t depth)
{
	struct field length = field_of(FIELD_LENGTH, f->code, at, r.body - at, r.body, r.body_end);
	length.depth = (uint16_t)(depth + 1);
	r.depth = depth;
	found_record(&f->found, r);
	found_field(&f->found, length);
}

static bool take_values(struct finder *f, uint32_t begin, uint32_t end, uint16_t depth);

/* Is all of [begin, end) one value, which any format may have, or, of EBML, values? Then it is
 * taken. */
static bool take_one(struct finder *f, uint32_t begin, uint32_t end, uint16_t depth)
{
	struct record r;
	uint32_t length, n_holding = f->n_holding;
	struct found_counts n = f->found.n;
	bool der = f->code == CODE_DER;
	if (begin + LEAST_WITHIN > end || (der && f->bytes[begin] & FOREIGN) ||
	    !value_at(f, begin, end, &r, &length) || (der && r.end != end))
		return false;
	f->n_holding += !der;
	if (take_values(f, begin, end, depth))
		return true;
	f->found.n = n;
	f->n_holding = n_holding;
	return false;
}

/* The values that fill [begin, end), and what they hold; false when some do not. What is within a
 * value is read once for it, so that all takes linear time for each of few depths. */
static bool take_values(struct finder *f, uint32_t begin, uint32_t end, uint16_t depth)
{
	struct record r;
	uint32_t length;
	for (uint32_t at = begin; at < end; at = r.end) {
		if (f->found.n.records == MAX_VALUES || !value_at(f, at, end, &r, &length))
			return false;
		add(f, r, length, depth);
		if (depth + 1 == MAX_DEPTH)
			continue;
		uint16_t inner = (uint16_t)(depth + 1);
		if (f->code == CODE_EBML) {
			take_one(f, r.body, r.end, inner);
		} else if (f->bytes[at] & HOLDS) {
			f->n_holding++;
			if (!take_values(f, r.body, r.end, inner))
				return false;
		} else if (!take_one(f, r.body, r.end, inner) && r.body < r.end &&
		           !f->bytes[r.body]) {
			take_one(f, r.body + 1, r.end, inner);
		}
	}
	return true;
}

struct records *tagged_find(const uint8_t *bytes, uint32_t size)
{
	struct finder f = { .bytes = bytes, .code = CODE_DER };
	if (size && bytes[0] & HOLDS && !(bytes[0] & FOREIGN) && take_values(&f, 0, size, 0) &&
	    f.found.n.records >= LEAST && f.n_holding > 1)
		return found_records(&f.found, false);
	f.found.n = (struct found_counts){ 0 };
	f.n_holding = 0;
	f.code = CODE_EBML;
	if (take_values(&f, 0, size, 0) && f.found.n.records >= MANY && f.n_holding > 1)
		return found_records(&f.found, false);
	found_release(&f.found);
	return NULL;
}
