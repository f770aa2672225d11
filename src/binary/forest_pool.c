/* Strings that the rows of a table name. */
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/forest_tables_def.h"

enum {
	FEW = 6,        /* so few are numbered right by chance */
	POOL = 1 << 20, /* bytes at most: as many are gone through for each way to lay out rows */
};

uint32_t tables_string(const struct tables *s, const struct table *t, const struct pool *p,
                       const struct number *x, uint32_t row)
{
	const uint8_t *bytes = s->f->bytes;
	uint64_t value = tables_number(s, t, x, row), at = p->base + value;
	if (p->begins)
		return value < p->n ? p->begins[value] : 0;
	bool begins = at >= t->end && at < p->limit && (at == t->end || !bytes[at - 1]);
	return begins && memchr(bytes + at, 0, p->limit - at) ? (uint32_t)at : 0;
}

/* Does X name one in each row, and not the same in all? Then NAMED are those that begin so far from
 * where the rows end. */
static bool read_names(const struct tables *s, const struct table *t, const struct pool *p,
                       const struct number *x, uint8_t *named)
{
	uint32_t i = 0, first = tables_string(s, t, p, x, 0);
	bool same = true;
	for (uint32_t at = first; i < t->n && at;
	     i++, at = i < t->n ? tables_string(s, t, p, x, i) : 0)
		same &= at == first;
	for (uint32_t k = 0; k < i && i == t->n && !same; k++)
		named[tables_string(s, t, p, x, k) - t->end] = 1;
	return i == t->n && !same;
}

/* Does X stand where rows say something else? */
static bool is_free(const struct table *t, const struct number *x)
{
	const struct number *others[] = { &t->place, &t->length };
	bool is = x->offset + x->width <= t->parts[0].width;
	for (uint32_t k = 0; k < 2; k++)
		is &= !others[k]->known || x->offset + x->width <= others[k]->offset ||
		      x->offset >= others[k]->offset + others[k]->width;
	return is;
}

/* Reads the strings that are named from its base on; false: not all there are, or none. */
static bool read_pool(const struct tables *s, const struct table *t, struct pool *p)
{
	struct number x = t->place;
	uint32_t room = p->limit - t->end;
	MEM_SCOPED uint8_t *named = mem_zero(room + (size_t)1, 1);
	work_step(room + t->n);
	for (x.offset = 0; x.offset + WORD <= t->parts[0].width; x.offset++)
		p->names[x.offset] = is_free(t, &x) && read_names(s, t, p, &x, named) ? WORD : 0;
	const uint8_t *first = memchr(named, 1, room);
	p->begin = p->end = first ? t->end + (uint32_t)(first - named) : p->limit;
	for (p->n = 0; p->end < p->limit && named[p->end - t->end]; p->n++)
		p->end += (uint32_t)strlen((const char *)s->f->bytes + p->end) + 1;
	return p->n > 1 && !memchr(named + (p->end - t->end), 1, p->limit - p->end);
}

/* Strings that fill what is between the rows and what they are about; a number in the rows says
 * which one it is of them, and is each in some row. */
static bool read_indexed(const struct tables *s, const struct table *t, struct pool *p)
{
	static const uint8_t widths[] = { 4, 2, 1 };
	const uint8_t *bytes = s->f->bytes;
	uint32_t cap = 0;
	memset(p->names, 0, sizeof p->names);
	p->begin = p->end = t->end;
	for (p->n = 0; p->end < p->limit && bytes[p->end] && p->n <= t->n;) {
		const uint8_t *zero = memchr(bytes + p->end, 0, p->limit - p->end);
		MEM_PUSH(p->begins, p->n, cap, p->end);
		p->end = zero ? (uint32_t)(zero - bytes) + 1 : p->limit + 1;
	}
	if (p->end != p->limit || p->n < FEW || p->n > t->n)
		return false;
	work_step(p->limit - t->end);
	MEM_SCOPED uint8_t *named = mem_zero(p->limit - t->end + (size_t)1, 1);
	for (uint32_t k = 0; k < 3 * t->parts[0].width; k++) {
		struct number x = t->place;
		x.width = widths[k / t->parts[0].width];
		x.offset = (uint8_t)(k % t->parts[0].width);
		uint32_t n = 0;
		if (!is_free(t, &x) || !read_names(s, t, p, &x, named))
			continue;
		while (n < p->n && named[p->begins[n] - t->end])
			n++;
		p->names[x.offset] = n == p->n ? x.width : 0;
		if (n == p->n)
			return true;
		memset(named, 0, p->limit - t->end);
	}
	return false;
}

bool tables_pool(const struct tables *s, const struct table *t, struct pool *p)
{
	const uint32_t bases[] = { t->end, 0, t->base };
	bool found = false;
	*p = (struct pool){ .limit = t->body < t->end ? s->f->size : t->body };
	if (p->limit > t->end + POOL)
		p->limit = t->end + POOL;
	for (uint32_t k = 0; k < 3 && !found && p->limit > t->end; k++) {
		p->base = bases[k];
		found = read_pool(s, t, p);
	}
	return found || (p->limit > t->end && read_indexed(s, t, p));
}
