#include "binary/chains.h"

#include <string.h>

#include "base/work.h"

enum {
	SAMPLE = 256, /* records that are looked at */
	COLUMNS = 28, /* bytes of a header that are looked at */
	AFTER = 48,   /* of these behind its length */
	RANGE = 32,
	EMPTY = 2 * CHAIN_BIT,
	RUN = 16, /* of one byte again and again only so many are counted: a few large records are
	           * not what the others are compared with */
	STRING = 512, /* bytes at most */
	RELATED = 2,  /* bytes near one another are alike anyway */
};

uint32_t chain_log(uint64_t x)
{
	uint32_t k = 0;
	if (!x)
		return 0;
	while (x >> (k + 1))
		k++;
	uint64_t rest = k >= 4 ? x >> (k - 4) : x << (4 - k);
	return CHAIN_BIT * k + (uint32_t)(rest & 15);
}

void background_measure(struct background *b, const uint8_t *bytes, uint32_t begin, uint32_t end)
{
	uint32_t count[256] = { 0 }, step = (end - begin) / 65536 + 1;
	uint64_t n = 256, sum = 0;
	for (uint32_t at = begin, run = 0; at < end; at += step) {
		run = at > begin && bytes[at] == bytes[at - step] ? run + 1 : 0;
		count[bytes[at]] += run < RUN;
		n += run < RUN;
	}
	for (uint32_t i = 0; i < 256; i++) {
		b->bits[i] = chain_log(n) - chain_log(count[i] + 1);
		sum += (uint64_t)(count[i] + 1) * b->bits[i];
	}
	b->mean = (uint32_t)(sum / n);
}

uint64_t chain_round_up(uint64_t n, uint32_t align)
{
	return align > 1 ? (n + align - 1) / align * align : n;
}

bool part_read(const struct part *p, const uint8_t *bytes, uint32_t at, uint32_t end,
               struct cell *c)
{
	uint32_t width = p->width;
	uint64_t value = 0;
	*c = (struct cell){ at, at, at + width };
	if (at > end)
		return false;
	if (p->kind == PART_BYTES)
		return width <= end - at;
	if (p->kind >= PART_STRING) {
		uint32_t room = end - at < STRING ? end - at : STRING;
		const uint8_t *zero = memchr(bytes + at, p->kind == PART_LINE ? '\n' : 0, room);
		c->end = zero ? (uint32_t)(zero - bytes) + 1 : 0;
		return zero && zero > bytes + at;
	}
	if (!code_read(p->code, bytes + at, bytes + end, &width, &value))
		return false;
	c->body = at + width;
	value = p->kind == PART_SIZED ? value : 0;
	c->end = c->body + (uint32_t)value;
	return value <= end - c->body;
}

bool format_lead(const struct format *f, const uint8_t *bytes, uint32_t at, uint32_t end,
                 struct cell *c)
{
	uint32_t width = f->lead.width;
	uint64_t value;
	if (f->said == f->ahead)
		return part_read(&f->lead, bytes, at + f->ahead, end, c);
	*c = (struct cell){ at + f->said, at + f->ahead, end };
	if (c->body > end ||
	    !code_read(f->lead.code, bytes + c->begin, bytes + end, &width, &value) ||
	    value > end - c->body)
		return false;
	c->end = c->body + (uint32_t)value;
	return true;
}

bool format_at(const struct format *f, const uint8_t *bytes, uint32_t at, uint32_t end,
               struct format_record *out)
{
	struct cell lead = { 0, 0, 0 };
	if (f->lead.kind && !format_lead(f, bytes, at, end, &lead))
		return false;
	uint32_t head = lead.end - (f->said < f->ahead ? lead.body : lead.begin);
	uint64_t value, place = (uint64_t)at + f->offset + (f->offset < f->ahead ? 0 : head);
	uint32_t width = f->width;
	if (place >= end || !code_read(f->code, bytes + place, bytes + end, &width, &value) ||
	    value > end)
		return false;
	uint64_t from = head + (code_varies(f->code) ? f->offset + (uint64_t)width : 0);
	value *= f->unit ? f->unit : 1;
	int64_t size = (int64_t)(from + value) + f->more;
	if (code_in_digits(f->code) && !f->more && size < f->offset + (int64_t)width)
		size = f->offset + (int64_t)width; /* a mark: it says less than it is */
	if (size < (int64_t)head + f->offset + width || at + size > end)
		return false;
	uint64_t next = at + chain_round_up((uint64_t)size, f->align);
	*out = (struct format_record){ .begin = at,
		                       .at = (uint32_t)place,
		                       .width = width,
		                       .from = at + (uint32_t)from,
		                       .body_end = at + (uint32_t)size };
	out->end = next > end ? out->body_end : (uint32_t)next;
	for (uint32_t i = out->body_end; i < out->end; i++)
		if (bytes[i] != f->fill)
			return false;
	return next <= end || out->body_end == end;
}

uint32_t chain_walk(const struct format *f, const uint8_t *bytes, uint32_t begin, uint32_t end,
                    struct chain_budget *budget)
{
	struct format_record r;
	uint32_t n = 0, at = begin;
	for (; at < end && budget->hops && format_at(f, bytes, at, end, &r); at = r.end, n++)
		budget->hops--;
	work_step(n + 1);
	return at < end ? 0 : n;
}

/* ---- evidence ---- */

struct columns {
	uint32_t n; /* records */
	uint16_t count[COLUMNS][256];
};

int32_t chain_column(const uint16_t count[256], uint32_t n, const struct background *b,
                     uint32_t clearly)
{
	int64_t bits = 0;
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t k = count[i];
		bits += (int64_t)k * b->bits[i];
		if (k)
			bits -= (int64_t)k * (chain_log(n) - chain_log(k)) + 8 * CHAIN_BIT;
	}
	return bits > (int64_t)n * clearly ? (int32_t)bits : 0;
}

/* What it says that the bytes of a column are all small numbers. */
static int32_t range_bits(const struct columns *c, uint32_t column, const struct background *b)
{
	int64_t bits = -8 * CHAIN_BIT;
	uint32_t most = 0;
	for (uint32_t i = 0; i < 256; i++)
		if (c->count[column][i]) {
			bits += (int64_t)c->count[column][i] * b->bits[i];
			most = i;
		}
	bits -= (int64_t)c->n * chain_log(most + 1);
	return most < RANGE && bits > (int64_t)c->n * CHAIN_BIT ? (int32_t)bits : 0;
}

/* Bytes at the top of a length of WIDTH that are 0 in any length within ROOM. */
static uint32_t idle_bytes(uint32_t width, uint32_t room)
{
	uint32_t used = 1;
	while (used < 4 && room >> (8 * used))
		used++;
	return width > used ? width - used : 0;
}

/* Zeros, or a piece of a run of any byte, which looks like a header anywhere. */
static bool is_empty(const uint8_t *bytes, const struct format_record *r)
{
	uint32_t end = r->at + r->width, behind = r->end - end < AFTER ? r->end - end : AFTER;
	if (bytes[r->begin])
		end += behind;
	for (uint32_t at = r->begin; at < end; at++)
		if (bytes[at] != bytes[r->begin])
			return false;
	return !bytes[r->begin] || end - r->begin > AFTER;
}

bool format_is_plain(const struct format *f)
{
	if (code_varies(f->code))
		return f->more == 0;
	return f->more == 0 || f->more == f->offset || f->more == f->offset + f->width;
}

int32_t chain_evidence(const struct format *f, const uint8_t *bytes, uint32_t begin, uint32_t end,
                       uint32_t n, const struct background *b)
{
	struct columns columns;
	struct format_record r;
	int64_t bits = 0;
	if (n < 2) /* a number that is not just a length of all is one by chance */
		return n && format_is_plain(f) && format_at(f, bytes, begin, end, &r) &&
		                       r.body_end > r.at + r.width
		               ? (int32_t)(8 * r.width * CHAIN_BIT)
		               : 0;
	uint32_t idle = b->mean < 3 * b->bits[0] ? b->mean : 3 * b->bits[0];
	uint32_t size = format_at(f, bytes, begin, end, &r) ? r.end - r.begin : 0;
	bool same_size = true; /* rows look like records with lengths that are all the same */
	memset(&columns, 0, sizeof columns);
	for (uint32_t at = begin, i = 0; i < SAMPLE && at < end; i++, at = r.end) {
		if (!format_at(f, bytes, at, end, &r))
			return 0;
		if (is_empty(bytes, &r))
			continue;
		if (r.body_end - r.at <= r.width)
			bits -= i ? EMPTY : 4 * EMPTY;
		if (!code_varies(f->code) && n < 3)
			bits += (int64_t)idle_bytes(f->width, end - at) * idle;
		for (uint32_t k = 1; k < f->width && !code_varies(f->code); k++)
			columns.count[20 + k]
				     [bytes[r.at + (f->code == CODE_BIG ? f->width - 1 - k : k)]]++;
		for (uint32_t k = 0; k < f->offset && k < 12; k++)
			columns.count[k][bytes[k < f->ahead ? at + k : r.at - f->offset + k]]++;
		for (uint32_t k = 12; k < 20 && r.at + r.width + k - 12 < r.end; k++)
			columns.count[k][bytes[r.at + r.width + k - 12]]++;
		columns.n++;
		same_size &= r.end - r.begin == size;
	}
	for (uint32_t k = 0; k < COLUMNS && columns.n > 2 && !same_size; k++) {
		int32_t few = chain_column(columns.count[k], columns.n, b, CHAIN_CLEARLY),
			small = (k < f->offset && k < 12) || k >= 20 ? range_bits(&columns, k, b)
		                                                     : 0;
		bits += (few > small ? few : small) / RELATED;
	}
	bits += chain_log((end - begin) / n);
	return bits > INT32_MAX / 4 ? INT32_MAX / 4 : (int32_t)bits;
}
