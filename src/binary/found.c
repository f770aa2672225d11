#include "binary/found.h"

#include "base/mem.h"

enum { MAX_DEPTH = 64 };

void found_record(struct found *f, struct record record)
{
	MEM_PUSH(f->records, f->n.records, f->cap_records, record);
}

void found_field(struct found *f, struct field field)
{
	MEM_PUSH(f->fields, f->n.fields, f->cap_fields, field);
}

uint32_t found_listed(struct found *f, uint32_t list, uint32_t begin, uint32_t end)
{
	MEM_PUSH(f->listed, f->n.listed, f->cap_listed, (struct listed){ begin, end, list });
	return f->n.listed - 1;
}

static int by_place(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	if (x->begin == y->begin && x->end != y->end)
		return MEM_ORDER(y, x, end);
	return MEM_ORDER_TWO(x, y, begin, depth);
}

void found_sort(struct records *r)
{
	MEM_SORT(r->list, r->n, by_place);
}

static int by_list(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	int order = MEM_ORDER_TWO(x, y, list, begin);
	if (!order) /* the outer one, but what is empty stands in front of what begins there */
		order = (y->end == y->begin) - (x->end == x->begin);
	return order ? order : MEM_ORDER(y, x, end);
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

struct repair *found_repair(struct found *f)
{
	struct element *elements = mem_alloc((f->n.listed + (size_t)1) * sizeof *elements);
	struct element_list *lists = mem_zero(f->n.lists + (size_t)1, sizeof *lists);
	MEM_SORT(f->listed, f->n.listed, by_list);
	for (uint32_t i = f->n.listed; i-- > 0;) {
		struct element_list *list = &lists[f->listed[i].list];
		elements[i] = (struct element){ f->listed[i].begin, f->listed[i].end };
		list->first = i;
		list->n++;
	}
	struct field *fields = f->fields;
	f->fields = NULL;
	return repair_new(fields, f->n.fields, elements, f->n.listed, lists, f->n.lists);
}

void found_join(struct found *f, struct records *known)
{
	struct repair *own = found_repair(f), *all = repair_join(known->repair, own);
	repair_unref(known->repair);
	repair_unref(own);
	known->repair = all;
}

void found_element(struct found *f, uint32_t list, struct record record)
{
	found_record(f, record);
	found_listed(f, list, record.begin, record.end);
}

struct records *found_records(struct found *f, bool is_text)
{
	struct records *r = NULL;
	if (f->n.records) {
		r = mem_zero(1, sizeof *r);
		*r = (struct records){ .refs = 1,
			               .is_text = is_text,
			               .n = f->n.records,
			               .list = f->records,
			               .repair = found_repair(f) };
		f->records = NULL;
		found_sort(r);
	}
	for (uint32_t i = 0; r && i < r->n; i++)
		r->max_depth = r->list[i].depth > r->max_depth ? r->list[i].depth : r->max_depth;
	found_release(f);
	return r;
}

struct records *found_take(struct found *f, const uint8_t *bytes, uint32_t size, bool loose)
{
	struct records *r = found_records(f, false);
	uint32_t ends[MAX_DEPTH + 1], n = 0, open = 0;
	drop_false(r->repair, bytes, size);
	r->proven = !loose;
	r->max_depth = 0;
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

void found_drop(struct records *r, struct element range)
{
	struct repair *p = r->repair;
	uint32_t n = 0, kept = 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i].begin < range.begin || r->list[i].end > range.end)
			r->list[n++] = r->list[i];
	for (uint32_t i = 0; i < p->n; i++)
		if (p->fields[i].at < range.begin || p->fields[i].at >= range.end)
			p->fields[kept++] = p->fields[i];
	r->n = n;
	p->n = kept;
}

uint32_t *found_outer(const struct records *r)
{
	uint32_t *outer = mem_alloc((r->n + (size_t)1) * sizeof *outer);
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t k = i ? i - 1 : FOUND_NONE;
		while (k != FOUND_NONE && r->list[k].end <= r->list[i].begin)
			k = outer[k];
		outer[i] = k;
	}
	return outer;
}

void found_release(struct found *f)
{
	free(f->records);
	free(f->fields);
	free(f->listed);
	*f = (struct found){ 0 };
}
