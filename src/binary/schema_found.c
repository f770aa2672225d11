#include "binary/schema_found.h"

#include <stdlib.h>

#include "base/mem.h"
#include "binary/records.h"

enum { MAX_DEPTH = 64 };

void found_record(struct found *f, struct record record)
{
	MEM_GROW(f->records, f->n.records, f->cap_records);
	f->records[f->n.records++] = record;
}

void found_field(struct found *f, struct field field)
{
	MEM_GROW(f->fields, f->n.fields, f->cap_fields);
	f->fields[f->n.fields++] = field;
}

void found_pair(struct found *f, struct pairing pair)
{
	MEM_GROW(f->pairs, f->n.pairs, f->cap_pairs);
	f->pairs[f->n.pairs++] = pair;
}

uint32_t found_listed(struct found *f, uint32_t list, uint32_t begin, uint32_t end)
{
	MEM_GROW(f->listed, f->n.listed, f->cap_listed);
	f->listed[f->n.listed] = (struct listed){ begin, end, list };
	return f->n.listed++;
}

bool found_number(const struct amount *a, enum field_kind kind, struct field *out)
{
	if (!a->number.width || a->crooked || a->mul < 1 || a->add > INT32_MAX ||
	    a->add < -INT32_MAX)
		return false;
	*out = (struct field){ .kind = (uint8_t)kind,
		               .code = a->number.code,
		               .at = a->number.at,
		               .width = a->number.width,
		               .bias = -(int32_t)a->add,
		               .unit = (uint16_t)a->mul };
	return true;
}

void found_length(struct found *found, uint32_t depth, const struct amount *a, uint32_t from,
                  uint32_t to)
{
	struct field f;
	if (a->has_base || !found_number(a, FIELD_LENGTH, &f))
		return;
	f.from = from;
	f.to = to;
	f.depth = (uint16_t)depth;
	found_field(found, f);
}

void found_offset(struct found *found, uint32_t depth, const struct amount *a, uint32_t to)
{
	struct field f;
	if (!found_number(a, FIELD_LENGTH, &f) || a->base > to)
		return;
	f.from = (uint32_t)a->base;
	f.to = to;
	f.depth = (uint16_t)depth;
	found_field(found, f);
}

void found_zero(struct found *found, uint32_t depth, const struct amount *a, uint32_t begin,
                uint32_t from, uint32_t to)
{
	const struct binding *b = &a->number;
	if (!b->width || (code_varies(b->code) && b->width > 1) || b->at < begin ||
	    b->at + b->width > from || from >= to)
		return;
	found_record(found, (struct record){ .begin = b->at,
	                                     .end = b->at + b->width,
	                                     .body = b->at + b->width,
	                                     .body_end = b->at + b->width,
	                                     .twin = from,
	                                     .twin_end = to,
	                                     .depth = (uint16_t)depth,
	                                     .zero = true });
}

static int by_list(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	if (x->list != y->list)
		return x->list < y->list ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

/* Fields that say what is so. */
static void drop_false(struct repair *r, const uint8_t *bytes, uint32_t size)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (field_holds(r, &r->fields[i], bytes, size))
			r->fields[n++] = r->fields[i];
	r->n = n;
}

static struct repair *take_fields(struct found *f, const uint8_t *bytes, uint32_t size)
{
	struct element *elements = mem_alloc((f->n.listed + (size_t)1) * sizeof *elements);
	struct element_list *lists = mem_zero(f->n.lists + (size_t)1, sizeof *lists);
	if (f->n.listed)
		qsort(f->listed, f->n.listed, sizeof *f->listed, by_list);
	for (uint32_t i = f->n.listed; i-- > 0;) {
		struct element_list *list = &lists[f->listed[i].list];
		elements[i] = (struct element){ f->listed[i].begin, f->listed[i].end };
		list->first = i;
		list->n++;
	}
	struct repair *r =
		repair_new(f->fields, f->n.fields, elements, f->n.listed, lists, f->n.lists);
	f->fields = NULL;
	drop_false(r, bytes, size);
	return r;
}

/* Each record of a pair gets the other one; LOOSE: also where one list has fewer. */
static void take_pairs(const struct found *f, const struct repair *repair, struct record *records,
                       bool loose)
{
	for (uint32_t i = 0; i < f->n.pairs; i++) {
		const struct pairing *p = &f->pairs[i];
		const struct element_list *own = &repair->lists[p->list],
					  *with = &repair->lists[p->with];
		struct record *x = &records[p->record];
		uint32_t lo = 0, hi = own->n;
		while (lo < hi) {
			uint32_t mid = lo + (hi - lo) / 2;
			if (repair->elements[own->first + mid].begin < x->begin)
				lo = mid + 1;
			else
				hi = mid;
		}
		if ((own->n != with->n && !loose) || lo >= own->n || lo >= with->n)
			continue;
		struct element e = repair->elements[with->first + lo];
		if (e.begin < x->end)
			continue;
		x->twin = e.begin;
		x->twin_end = e.end;
	}
}

struct records *found_take(struct found *f, const uint8_t *bytes, uint32_t size, bool loose)
{
	struct records *r = mem_zero(1, sizeof *r);
	uint32_t ends[MAX_DEPTH + 1], n = 0, open = 0;
	*r = (struct records){ .refs = 1, .proven = !loose, .n = f->n.records, .list = f->records };
	f->records = NULL;
	r->repair = take_fields(f, bytes, size);
	take_pairs(f, r->repair, r->list, loose);
	records_sort(r);
	for (uint32_t i = 0; i < r->n; i++) { /* without those that are not within one another */
		const struct record *x = &r->list[i];
		while (open && ends[open - 1] <= x->begin)
			open--;
		bool twice = n && r->list[n - 1].begin == x->begin &&
		             r->list[n - 1].end == x->end && r->list[n - 1].zero == x->zero;
		if (twice || open > MAX_DEPTH || (open && ends[open - 1] < x->end))
			continue;
		ends[open++] = x->end;
		r->max_depth = x->depth > r->max_depth ? x->depth : r->max_depth;
		r->list[n++] = *x;
	}
	r->n = n;
	return r;
}

void found_release(struct found *f)
{
	free(f->records);
	free(f->fields);
	free(f->listed);
	free(f->pairs);
}
