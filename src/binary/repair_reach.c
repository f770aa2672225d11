/* Records that reach up to one another, and what some of a list are said to be, see repair.h. */
#include "binary/repair.h"

#include "base/mem.h"

/* Where element I of the list of F stands: F's own number in it is as far from its begin as F from
 * that of element OWN. */
static uint32_t length_at(const struct repair *r, const struct field *f, uint32_t own, uint32_t i)
{
	const struct element *e = r->elements + r->lists[f->list].first;
	return e[i].begin + (f->at - e[own].begin);
}

static bool read_number(const struct field *f, const uint8_t *bytes, const struct element *of,
                        uint32_t at, int64_t *out)
{
	uint32_t width = f->width;
	uint64_t value;
	if (at < of->begin || at > of->end || of->end - at < width ||
	    !code_read(f->code, bytes + at, bytes + of->end, &width, &value) || value > INT32_MAX)
		return false;
	*out = (int64_t)value;
	return true;
}

/* Where element I begins, as it says, and how much it says that it is. */
static bool extent(const struct repair *r, const struct field *f, const uint8_t *bytes,
                   uint32_t own, uint32_t i, int64_t *begin, int64_t *length)
{
	const struct element *of = &r->elements[r->lists[f->list].first + i];
	uint32_t at = length_at(r, f, own, i);
	return read_number(f, bytes, of, at, length) &&
	       read_number(f, bytes, of, (uint32_t)((int64_t)at + f->bias), begin);
}

bool repair_reach(const struct repair *r, const struct field *f, const uint8_t *bytes,
                  const uint32_t *gone, int64_t *value)
{
	uint32_t n = r->lists[f->list].n, own = 0, next;
	const struct element *e = r->elements + r->lists[f->list].first;
	int64_t begin, length, to, more;
	while (own < n && (e[own].begin > f->at || e[own].end <= f->at))
		own++;
	for (next = own + 1; next < n && gone[next + 1] != gone[next]; next++)
		;
	if (own >= n || gone[own + 1] != gone[own] || next == own + 1)
		return false;
	bool last = next == n;
	if (!extent(r, f, bytes, own, own, &begin, &length) ||
	    !extent(r, f, bytes, own, next - last, &to, &more))
		return false;
	*value = to + (last ? more : 0) - begin;
	return *value >= length;
}

bool repair_part(const struct repair *r, const struct field *f, const uint32_t *gone,
                 uint32_t *left)
{
	const struct element *e = r->elements + r->lists[f->list].first;
	uint32_t n = r->lists[f->list].n;
	uint32_t lo = MEM_FIRST(e, n, begin, f->from), hi = MEM_FIRST(e, n, begin, f->to);
	*left = hi - lo - (gone ? gone[hi] - gone[lo] : 0);
	return !gone || gone[hi] != gone[lo];
}

bool repair_part_row(const struct repair *r, const struct field *f, struct element *row)
{
	const struct element *e = r->elements + r->lists[f->unit].first;
	uint32_t k = MEM_FIRST(e, r->lists[f->unit].n, begin, f->at + 1);
	if (!k || e[k - 1].end < f->at + f->width)
		return false;
	*row = e[k - 1];
	return true;
}
