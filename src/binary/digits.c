/* Chains of records whose lengths are in digits. */
#include "binary/chains.h"

#include "base/mem.h"
#include "base/work.h"

enum {
	HOPS = 8 << 20,        /* steps of a search */
	HEAD = 640,            /* bytes at the beginning in which the first number stands */
	MORE_WIDE = 600,       /* bytes that a number of a given width does not count, at most */
	MORE_VARYING = 40,     /* likewise of one that is as wide as it needs */
	COST = 52 * CHAIN_BIT, /* of the choice among all that is tried */
	FEW = 128,             /* records that are looked at */
	TRAIL = 4,             /* bytes behind bodies */
	AROUND = 16,           /* bytes before and behind a number */
	TAIL = 16,             /* so many zeros at the end are no record */
	BLOCK = 16,            /* padding that must be what it seems */
	SURE = 8,              /* records behind which something else may come, */
	REST = 512,            /* so many bytes at most */
};

struct finder {
	const uint8_t *bytes;
	uint32_t size;
	uint32_t zeros; /* where nothing but zeros begins */
	uint32_t hops;
	struct background background;
	uint32_t class_bits[3]; /* that a byte is a digit: octal, decimal, hexadecimal */
	struct chain best;
};

static uint32_t class_of(enum code code)
{
	return code == CODE_OCTAL ? 0 : code == CODE_HEX || code == CODE_HEX_WIDE ? 2 : 1;
}

static void measure(struct finder *s)
{
	static const enum code codes[] = { CODE_OCTAL, CODE_DECIMAL, CODE_HEX };
	background_measure(&s->background, s->bytes, 0, s->size);
	for (uint32_t k = 0; k < 3; k++) {
		uint64_t n = 0;
		for (uint32_t i = 0; i < s->size; i++) {
			work_step(1);
			n += code_digit(codes[k], s->bytes[i]) >= 0;
		}
		s->class_bits[k] = chain_log((uint64_t)s->size + 1) - chain_log(n + 1);
	}
	s->zeros = s->size;
	while (s->zeros && !s->bytes[s->zeros - 1])
		s->zeros--;
	if (s->size - s->zeros < TAIL)
		s->zeros = s->size;
}

/* What a byte SHIFT from the number says that is the same in all records; 0 when it is not. */
static uint32_t same_bits(const struct finder *s, const struct format_record *list, uint32_t n,
                          int32_t shift)
{
	uint8_t c = 0;
	for (uint32_t i = 0; i < n; i++) {
		int64_t at = shift < 0 ? (int64_t)list[i].at + shift
		                       : (int64_t)list[i].at + list[i].width + shift;
		if (at < list[i].begin || at >= list[i].body_end || (i && s->bytes[at] != c))
			return 0;
		c = s->bytes[at];
	}
	return s->background.bits[c];
}

/* What separates a number from what it counts, and that from the next record. */
static bool is_separator(uint8_t c)
{
	return c && c <= '`' && strchr(" \t\r\n:;,`", c);
}

/* How many bytes of the header stand behind each number that are the same separators. */
static int32_t lead_of(const struct finder *s, const struct format_record *list, uint32_t n)
{
	int32_t lead = 0;
	while (lead < AROUND && same_bits(s, list, n, lead) &&
	       is_separator(s->bytes[list->at + list->width + (uint32_t)lead]))
		lead++;
	return lead;
}

/* Do all headers end with the N bytes that all records do, as lines do? REST: bytes of a record
 * that its number neither is nor counts. */
static bool ends_alike(const struct finder *s, const struct format_record *list, uint32_t n_list,
                       uint32_t rest, uint32_t n)
{
	bool alike = n && rest > 2 * n;
	for (uint32_t i = 0; i < n_list && alike; i++)
		alike = !memcmp(s->bytes + list[i].at + list[i].width + rest - 2 * n,
		                s->bytes + list[0].body_end - n, n);
	return alike;
}

/* The bytes behind the bodies: separators that end all records. */
static uint8_t trail_of(const struct finder *s, const struct format *f,
                        const struct format_record *list, uint32_t n)
{
	int32_t rest = code_varies(f->code) ? f->more : f->more - f->offset - (int32_t)f->width;
	int32_t lead = lead_of(s, list, n), trail = 0;
	for (; trail < rest - (lead ? lead : 1) && trail < TRAIL; trail++) {
		uint8_t c = s->bytes[list[0].body_end - 1 - (uint32_t)trail];
		bool all = is_separator(c);
		for (uint32_t i = 0; i < n && all; i++)
			all = s->bytes[list[i].body_end - 1 - (uint32_t)trail] == c;
		if (!all)
			break;
	}
	bool alike = ends_alike(s, list, n, (uint32_t)rest, (uint32_t)trail);
	return alike || lead + trail == rest ? (uint8_t)trail : 0;
}

/* Is the header whole blocks? */
static bool in_blocks(const struct format *f)
{
	return !code_varies(f->code) && f->more && f->align > BLOCK && f->more % f->align == 0;
}

/* Padding to large blocks only fills the last one: most bodies end with another byte than padding
 * has, unless headers fill whole blocks, too. */
static bool is_tight(const struct finder *s, const struct format *f,
                     const struct format_record *list, uint32_t n)
{
	uint32_t padded = 0, tight = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (list[i].end == list[i].body_end)
			continue;
		padded++;
		tight += s->bytes[list[i].body_end - 1] != f->fill;
	}
	return f->align < BLOCK || in_blocks(f) || tight * 4 >= padded * 3;
}

/* One number that leads to the end of the file: forest_grow_digits asks for the sum of its header.
 */
static bool is_alone(const struct format *f, uint32_t n)
{
	return n == 1 && f->code == CODE_OCTAL && f->width >= 8 && in_blocks(f);
}

/* Are all records but the first and the last the same, as in 1,1,1,...? Then that one leads to the
 * next says nothing. */
static bool is_one_over_and_over(const struct finder *s, const struct format_record *list,
                                 uint32_t n)
{
	for (uint32_t i = 2; i + 1 < n; i++) {
		uint32_t len = list[i].end - list[i].begin;
		if (len != list[1].end - list[1].begin ||
		    memcmp(s->bytes + list[i].begin, s->bytes + list[1].begin, len) != 0)
			return false;
	}
	return n > 3;
}

/* What speaks for the N records that begin the chain. */
static int32_t evidence(const struct finder *s, const struct format *f,
                        const struct format_record *list, uint32_t n)
{
	uint32_t sizes = 0, values = 0;
	int64_t bits = 0;
	for (uint32_t i = 1; i < n; i++) {
		bool new_size = list[i].end - list[i].begin != list[0].end - list[0].begin;
		bool new_value =
			list[i].body_end - list[i].begin != list[0].body_end - list[0].begin;
		sizes += new_size;
		values += new_value;
		bits += (int64_t)list[i].width * s->class_bits[class_of(f->code)];
		if (f->align > 1 && list[i].end > list[i].body_end)
			bits += (int64_t)s->background.bits[f->fill] / 2;
	}
	if (!values || (!sizes && f->align < BLOCK) || !is_tight(s, f, list, n) ||
	    is_one_over_and_over(s, list, n))
		return 0;
	for (int32_t shift = -AROUND; shift < AROUND; shift++)
		bits += (int64_t)(n - 1) * same_bits(s, list, n, shift) / 2;
	return bits > INT32_MAX / 4 ? INT32_MAX / 4 : (int32_t)bits;
}

/* The byte behind the number of R. */
static uint8_t behind(const struct finder *s, const struct format_record *r)
{
	return r->at + r->width < s->size ? s->bytes[r->at + r->width] : 0;
}

/* May a chain of N records end at AT? */
static bool may_end(const struct finder *s, uint64_t at, uint32_t n)
{
	return n >= SURE && at < s->size && s->size - at <= REST;
}

/* The chain of F from BEGIN on. */
static void consider(struct finder *s, struct format f, uint32_t begin)
{
	struct format_record list[FEW], r;
	uint32_t n = 0, at = begin;
	bool alike = true; /* the bytes behind their numbers */
	for (; at < s->size && at < s->zeros; at = r.end, n++) {
		bool is_record = s->hops && format_at(&f, s->bytes, at, s->size, &r);
		bool other = n && is_record && behind(s, &r) != behind(s, list);
		if (may_end(s, at, n) && (!is_record || (alike && other)))
			break;
		if (!is_record)
			return;
		alike &= !other;
		s->hops--;
		if (code_varies(f.code) && r.at &&
		    code_digit(CODE_DECIMAL, s->bytes[r.at - 1]) >= 0)
			return;
		if (n < FEW)
			list[n] = r;
	}
	if (n < 2 && !is_alone(&f, n))
		return;
	uint32_t few = n < FEW ? n : FEW;
	int32_t bits =
		evidence(s, &f, list, few) - COST - (int32_t)chain_log(begin + 1) -
		(int32_t)chain_log((uint64_t)(in_blocks(&f) ? f.more / f.align : f.more) + 1);
	if (is_alone(&f, n))
		bits = 1;
	/* Of two for which the same speaks, wider padding says more. */
	bool wider = bits > 0 && bits == s->best.bits && f.align > s->best.format.align;
	if (bits <= s->best.bits && !wider)
		return;
	f.trail = trail_of(s, &f, list, few);
	s->best = (struct chain){ f, begin, at, n, bits };
}

/* What padding may be filled with. */
static void consider_fills(struct finder *s, struct format f, uint32_t begin)
{
	static const uint8_t fills[] = { 0, '\n', ' ' };
	for (uint32_t i = 0; i < (f.align > 1 ? sizeof fills : 1u); i++) {
		f.fill = fills[i];
		consider(s, f, begin);
	}
}

/* Numbers from FIRST on, each F->more bytes and what it says behind the last; where they lead at
 * last is behind the end by the bytes that stand before a number. */
static void follow(struct finder *s, struct format f, uint32_t first)
{
	uint64_t at = first, value;
	uint32_t n = 0;
	bool varies = code_varies(f.code);
	for (; at < s->size && s->hops; n++) {
		uint32_t width = f.width;
		if (!code_read(f.code, s->bytes + at, s->bytes + s->size, &width, &value))
			break;
		s->hops--;
		uint64_t size = (varies ? width : 0) + value + (uint64_t)f.more;
		size = !f.more && !varies && size < width ? width : size;
		size = f.align > 1 ? (size + f.align - 1) / f.align * f.align : size;
		if (value > s->size || size < width || at + size > s->size + (uint64_t)HEAD) {
			if (!may_end(s, at, n))
				return;
			break;
		}
		at += size;
	}
	if (s->hops && may_end(s, at, n)) { /* where it begins if it is what is in front of all */
		f.offset = (uint16_t)(varies ? 0 : first);
		consider_fills(s, f, varies ? first : 0);
		return;
	}
	uint64_t over = at >= s->size ? at - s->size : first;
	if ((n < 2 && !is_alone(&f, n)) || !s->hops || over > first)
		return;
	if (at < s->size && (at - first < s->zeros || s->zeros == s->size))
		return;
	if (varies && f.more < (int16_t)over)
		return;
	f.offset = (uint16_t)over;
	f.more = (int16_t)(varies ? f.more - (int16_t)over : f.more);
	consider_fills(s, f, first - (uint32_t)over);
}

static void try_writing(struct finder *s, enum code code, uint32_t width, uint32_t first)
{
	static const uint16_t aligns[] = { 1, 2, 4, 512, 128 };
	struct format f = { .code = (uint8_t)code, .width = (uint8_t)width };
	uint64_t value;
	bool varies = code_varies(code);
	if (!code_read(code, s->bytes + first, s->bytes + s->size, &width, &value) ||
	    value >= s->size - first)
		return;
	int16_t most = varies ? MORE_VARYING : MORE_WIDE;
	for (uint32_t i = 0; i < sizeof aligns / sizeof *aligns; i++)
		for (f.more = 0; f.more <= most; f.more++) {
			f.align = aligns[i];
			follow(s, f, first);
		}
}

/* How many digits there are from AT on, at most 16. */
static uint32_t run_at(const struct finder *s, enum code code, uint32_t at)
{
	uint32_t n = 0;
	while (n < 16 && at + n < s->size && code_digit(code, s->bytes[at + n]) >= 0)
		n++;
	return n;
}

static uint32_t blanks_at(const struct finder *s, uint32_t at)
{
	uint32_t n = 0;
	while (n < 12 && at + n < s->size && s->bytes[at + n] == ' ')
		n++;
	return n;
}

/* All ways to read a number at AT. */
static void try_number(struct finder *s, uint32_t at)
{
	static const uint8_t widths[] = { 4, 5, 6, 8 };
	uint32_t octal = run_at(s, CODE_OCTAL, at), digits = run_at(s, CODE_DECIMAL, at),
		 hex = run_at(s, CODE_HEX, at);
	bool first = !at || code_digit(CODE_DECIMAL, s->bytes[at - 1]) < 0,
	     first_hex = !at || code_digit(CODE_HEX, s->bytes[at - 1]) < 0;
	if (first && digits && digits < 10)
		try_writing(s, CODE_DECIMAL, 0, at);
	if (first_hex && hex && hex < 8)
		try_writing(s, CODE_HEX, 0, at);
	if (first && octal >= 4 && octal == digits && s->bytes[at] == '0')
		try_writing(s, CODE_OCTAL, octal, at);
	if (first && digits && digits < 12 && blanks_at(s, at + digits) > 1)
		try_writing(s, CODE_PADDED, digits + blanks_at(s, at + digits), at);
	for (uint32_t i = 0; i < sizeof widths; i++) {
		if (digits >= widths[i] && s->bytes[at] == '0')
			try_writing(s, CODE_ZEROS, widths[i], at);
		if (hex >= widths[i] && s->bytes[at] == '0')
			try_writing(s, CODE_HEX_WIDE, widths[i], at);
	}
}

struct chain digits_find(const uint8_t *bytes, uint32_t size)
{
	struct finder s = { .bytes = bytes, .size = size, .hops = HOPS };
	measure(&s);
	for (uint32_t at = 0; at < HEAD && at < size && s.hops; at++)
		if (code_digit(CODE_HEX, bytes[at]) >= 0)
			try_number(&s, at);
	return s.best;
}

uint32_t digits_body(const struct format *f, const struct format_record *r)
{
	uint32_t behind = r->at + r->width;
	int64_t body = (int64_t)(code_varies(f->code) ? behind : r->begin) + f->more - f->trail;
	return body > r->body_end ? r->body_end : body > behind ? (uint32_t)body : behind;
}
