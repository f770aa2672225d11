#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/repair.h"
#include "binary/repair_impl.h"

/* ---- where things are ---- */

uint32_t repair_parts_before(struct edit edit, uint32_t at)
{
	uint32_t lo = 0, hi = edit.n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (edit.parts[mid].begin < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int64_t *repair_shifts(struct edit edit)
{
	int64_t *shift = mem_alloc((edit.n + (size_t)1) * sizeof *shift);
	shift[0] = 0;
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		shift[i + 1] = shift[i] + p->len - (int64_t)(p->end - p->begin);
	}
	return shift;
}

/* K: how many parts begin before AT. */
static uint32_t moved_behind(struct edit edit, const int64_t *shift, uint32_t k, uint32_t at)
{
	if (!k)
		return at;
	const struct edit_part *p = &edit.parts[k - 1];
	if (p->end <= at)
		return (uint32_t)(at + shift[k]);
	uint32_t into = at - p->begin < p->len ? at - p->begin : p->len;
	return (uint32_t)(p->begin + shift[k - 1]) + into;
}

uint32_t repair_moved(struct edit edit, const int64_t *shift, uint32_t at)
{
	return moved_behind(edit, shift, repair_parts_before(edit, at), at);
}

/* K: how many parts begin before the end. */
static bool is_touched_behind(struct edit edit, uint32_t k, uint32_t begin)
{
	return k && edit.parts[k - 1].end > begin;
}

bool repair_touched(struct edit edit, uint32_t begin, uint32_t end)
{
	return is_touched_behind(edit, repair_parts_before(edit, end), begin);
}

/* K: how many parts begin no later than BEGIN. */
static bool is_cut_behind(struct edit edit, uint32_t k, uint32_t begin, uint32_t end)
{
	return k && !edit.parts[k - 1].len && edit.parts[k - 1].end >= end && begin < end;
}

bool repair_is_cut(struct edit edit, uint32_t begin, uint32_t end)
{
	return is_cut_behind(edit, repair_parts_before(edit, begin + 1), begin, end);
}

/* ---- after an edit ---- */

/* The part that replaces just [at, at + width), or NULL. K: how many parts begin before AT. */
static const struct edit_part *part_at(struct edit edit, uint32_t k, uint32_t at, uint32_t width)
{
	for (; k < edit.n && edit.parts[k].begin == at; k++)
		if (edit.parts[k].end == at + width && edit.parts[k].len)
			return edit.parts + k;
	return NULL;
}

struct moves moves_make(const struct repair *repair, struct edit edit)
{
	struct moves m = { .edit = edit, .shift = repair_shifts(edit) };
	uint32_t cap = 0;
	for (uint32_t i = 0; i < repair->n; i++) {
		const struct field *f = &repair->fields[i];
		const struct edit_part *p =
			f->kind == FIELD_PADDING && !f->width
				? part_at(edit, repair_parts_before(edit, f->at), f->at, 0)
				: NULL;
		if (!p)
			continue;
		MEM_GROW(m.pads, m.n_pads, cap);
		m.pads[m.n_pads] = *f;
		m.pads[m.n_pads++].width = p->len;
	}
	return m;
}

void moves_release(struct moves *m)
{
	free(m->shift);
	free(m->pads);
}

/* As repair_parts_before; *NEAR: what that was last. */
static uint32_t parts_before(const struct moves *m, uint32_t *near, uint32_t at)
{
	const struct edit_part *parts = m->edit.parts;
	uint32_t k = *near, n = m->edit.n;
	bool follows = !k || parts[k - 1].begin < at;
	if (follows && k < n && parts[k].begin < at)
		k++;
	if (!follows || (k < n && parts[k].begin < at))
		k = repair_parts_before(m->edit, at);
	return *near = k;
}

static uint32_t moved(const struct moves *m, uint32_t *near, uint32_t at)
{
	return moved_behind(m->edit, m->shift, parts_before(m, near, at), at);
}

static bool is_cut(struct moves *m, uint32_t begin, uint32_t end)
{
	return is_cut_behind(m->edit, parts_before(m, &m->near, begin + 1), begin, end);
}

static uint32_t begin_of(const struct moves *m, uint32_t *near, uint32_t begin)
{
	uint32_t at = moved(m, near, begin);
	for (uint32_t i = 0; i < m->n_pads; i++) /* what pads ends before it */
		if (m->pads[i].at == begin && m->pads[i].from < begin)
			return at + m->pads[i].width; /* others in this place are the same bytes */
	return at;
}

static uint32_t end_of(const struct moves *m, uint32_t *near, uint32_t end, uint16_t depth)
{
	uint32_t at = moved(m, near, end);
	for (uint32_t i = 0; i < m->n_pads; i++)
		if (m->pads[i].at == end && depth < m->pads[i].depth)
			return at + m->pads[i].width;
	return at;
}

uint32_t moves_begin(struct moves *m, uint32_t begin)
{
	return begin_of(m, &m->near, begin);
}

uint32_t moves_end(struct moves *m, uint32_t end, uint16_t depth)
{
	return end_of(m, &m->near, end, depth);
}

static bool map_field(struct moves *m, const struct field *f, struct field *out)
{
	uint32_t end = f->at + f->width, before = parts_before(m, &m->near, f->at);
	const struct edit_part *p = part_at(m->edit, before, f->at, f->width);
	*out = *f;
	if (p)
		out->width = p->len;
	else if (f->kind == FIELD_PADDING && is_cut(m, f->at, end) && !is_cut(m, f->from, f->at))
		out->width = 0;
	else if (is_touched_behind(m->edit, parts_before(m, &m->near, end), f->at))
		return false;
	out->at = f->kind == FIELD_PADDING ? moved(m, &m->near, f->at) : moves_begin(m, f->at);
	out->from = begin_of(m, &m->near_from, f->from);
	out->to = end_of(m, &m->near_to, f->to, f->depth);
	return out->from <= out->to;
}

static uint32_t map_elements(const struct repair *r, struct moves *m, struct element *to,
                             struct element_list *lists)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->n_lists; i++) {
		lists[i] = (struct element_list){ .first = n,
			                          .depth = r->lists[i].depth,
			                          .table = r->lists[i].table };
		for (uint32_t k = 0; k < r->lists[i].n; k++) {
			struct element e = r->elements[r->lists[i].first + k];
			bool gone = is_cut(m, e.begin, e.end);
			e.begin = moves_begin(m, e.begin);
			e.end = moves_end(m, e.end, lists[i].depth);
			if (!gone && e.begin < e.end)
				to[n++] = e;
		}
		lists[i].n = n - lists[i].first;
	}
	return n;
}

int64_t repair_listed(const struct repair *r, const struct field *f)
{
	int64_t n = 0;
	for (uint32_t i = 0; i < r->lists[f->list].n; i++) {
		const struct element *e = &r->elements[r->lists[f->list].first + i];
		n += (int64_t)e->end - e->begin;
	}
	return n;
}

bool field_holds(const struct repair *r, const struct field *f, const uint8_t *bytes, uint32_t size)
{
	uint32_t width = f->width;
	uint64_t value;
	if (f->at > size || f->to > size || f->from > f->to || f->at + f->width > size)
		return false;
	if (f->kind == FIELD_PADDING)
		return true;
	if (!code_read(f->code, bytes + f->at, bytes + size, &width, &value) || width != f->width)
		return false;
	if (f->kind == FIELD_SUM)
		return value == repair_sum(r, f, bytes, EDIT_NONE);
	if (f->kind == FIELD_COUNT)
		return (int64_t)value == (int64_t)r->lists[f->list].n + f->bias;
	if (f->kind == FIELD_PLACE)
		return (int64_t)value >= f->bias && (int64_t)value - f->bias < r->lists[f->list].n;
	uint32_t unit = f->unit ? f->unit : 1;
	int64_t length = f->listed ? repair_listed(r, f) : (int64_t)f->to - f->from;
	return (int64_t)value == (length + f->bias) / unit;
}

/* Most stay as they were. */
static bool in_order(const struct field *fields, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (repair_order(&fields[i - 1], &fields[i]) > 0)
			return false;
	return true;
}

struct repair *repair_map(const struct repair *r, struct moves *m, const uint8_t *bytes,
                          uint32_t size)
{
	struct field *fields = mem_alloc((r->n + (size_t)1) * sizeof *fields);
	struct element *elements = mem_alloc((r->n_elements + (size_t)1) * sizeof *elements);
	struct element_list *lists = mem_alloc((r->n_lists + (size_t)1) * sizeof *lists);
	uint32_t n = 0, n_elements = map_elements(r, m, elements, lists);
	struct repair *out = repair_new(NULL, 0, elements, n_elements, lists, r->n_lists);
	for (uint32_t i = 0; i < r->n; i++)
		n += map_field(m, &r->fields[i], &fields[n]) &&
		     field_holds(out, &fields[n], bytes, size);
	out->fields = fields;
	out->n = n;
	if (!in_order(fields, n)) /* which keeps the order of equals */
		qsort(fields, n, sizeof *fields, repair_order);
	return out;
}
