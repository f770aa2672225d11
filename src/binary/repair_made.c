/* Repairs as they are made of fields, and of others, see repair.h. */
#include "binary/repair.h"

#include "base/mem.h"

/* Units, which padding asks for; then fields whose width varies, since lengths depend on it, the
 * inner ones before those around them, and padding that depends on their widths behind them; sums
 * last, likewise. */
static int rank(const struct field *f)
{
	if (f->kind == FIELD_SUM)
		return 4;
	if (f->kind == FIELD_UNIT)
		return -1;
	if (f->kind == FIELD_COUNT || f->kind == FIELD_PLACE || f->kind == FIELD_REACH ||
	    f->kind == FIELD_PART)
		return 0;
	if (f->kind == FIELD_PADDING)
		return f->aligned ? 2 : 1;
	if (f->aligned)
		return 2;
	return code_varies(f->code) ? 1 : 3;
}

int repair_order(const void *a, const void *b)
{
	const struct field *x = a, *y = b;
	int d = rank(x) - rank(y);
	uint32_t n = x->to - x->from, m = y->to - y->from;
	if (d || n != m)
		return d ? d : n < m ? -1 : 1;
	if (x->depth != y->depth) /* a record's padding after the lengths within it */
		return MEM_ORDER(y, x, depth);
	return MEM_ORDER_TWO(x, y, at, kind);
}

static int by_offset(const void *a, const void *b)
{
	const struct field *x = a, *y = b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (!x->width != !y->width) /* padding that is not there is in front of what is */
		return x->width ? 1 : -1;
	return MEM_ORDER_TWO(x, y, kind, width);
}

/* A sum of many bytes is none by chance, one of few may be. */
static int weight(const struct field *f)
{
	return f->kind != FIELD_SUM ? 1 : f->width > 8 ? 2 : 0;
}

/* Is F, padding of no bytes, there already, the same one, among the last of N fields? What is
 * inserted would be inserted twice. */
static bool is_twice(const struct field *fields, uint32_t n, const struct field *f)
{
	bool twice = false, empty = f->kind == FIELD_PADDING && !f->width;
	for (; empty && !twice && n && fields[n - 1].at == f->at; n--)
		twice = !fields[n - 1].width && fields[n - 1].kind == f->kind &&
		        fields[n - 1].from == f->from && fields[n - 1].depth == f->depth;
	return twice;
}

uint32_t repair_without_overlaps(struct field *fields, uint32_t n)
{
	uint32_t kept = 0;
	MEM_SORT(fields, n, by_offset);
	for (uint32_t i = 0; i < n; i++) {
		struct field *last = kept ? &fields[kept - 1] : NULL;
		if (is_twice(fields, kept, &fields[i]))
			continue;
		if (!last || last->at + last->width <= fields[i].at)
			fields[kept++] = fields[i];
		else if (weight(&fields[i]) > weight(last))
			*last = fields[i];
	}
	return kept;
}

struct repair *repair_new(struct field *fields, uint32_t n, struct element *elements,
                          uint32_t n_elements, struct element_list *lists, uint32_t n_lists)
{
	struct repair *r = mem_alloc(sizeof *r);
	n = repair_without_overlaps(fields, n);
	*r = (struct repair){ 1, n, n_elements, n_lists, fields, elements, lists };
	MEM_SORT(fields, n, repair_order);
	return r;
}

static bool stands_on(const struct field *known, uint32_t n, const struct field *f)
{
	uint32_t lo =
		MEM_FIRST(known, n, at, f->at + f->width); /* those that begin before its end */
	return lo && known[lo - 1].at + known[lo - 1].width > f->at;
}

/* N things of SIZE bytes, and M more behind them. */
static void *both(const void *a, size_t n, const void *b, size_t m, size_t size)
{
	uint8_t *to = mem_alloc((n + m + 1) * size);
	if (n)
		memcpy(to, a, n * size);
	if (m)
		memcpy(to + n * size, b, m * size);
	return to;
}

struct repair *repair_with(const struct repair *base, struct field *more, uint32_t n)
{
	struct repair *own = repair_new(more, n, NULL, 0, NULL, 0);
	struct repair *all = repair_join(base, own);
	repair_unref(own);
	return all;
}

struct repair *repair_join(const struct repair *a, const struct repair *b)
{
	static const struct repair none = { 0 };
	a = a ? a : &none;
	b = b ? b : &none;
	struct field *fields = both(a->fields, a->n, b->fields, b->n, sizeof *fields);
	struct element *elements =
		both(a->elements, a->n_elements, b->elements, b->n_elements, sizeof *elements);
	struct element_list *lists =
		both(a->lists, a->n_lists, b->lists, b->n_lists, sizeof *lists);
	struct field *known = mem_dup(a->fields, a->n * sizeof *known);
	uint32_t n = a->n;
	MEM_SORT(known, a->n, by_offset);
	for (uint32_t i = 0; i < b->n; i++) {
		if (stands_on(known, a->n, &b->fields[i]))
			continue;
		fields[n] = b->fields[i];
		fields[n++].list += a->n_lists;
	}
	for (uint32_t i = 0; i < b->n_lists; i++) {
		lists[a->n_lists + i].first += a->n_elements;
		lists[a->n_lists + i].with += b->lists[i].with ? a->n_lists : 0;
	}
	free(known);
	return repair_new(fields, n, elements, a->n_elements + b->n_elements, lists,
	                  a->n_lists + b->n_lists);
}

struct repair *repair_ref(struct repair *r)
{
	r->refs++;
	return r;
}

void repair_unref(struct repair *r)
{
	if (!r || --r->refs)
		return;
	free(r->fields);
	free(r->elements);
	free(r->lists);
	free(r);
}
