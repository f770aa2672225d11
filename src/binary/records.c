#include "binary/records.h"

#include "base/mem.h"
#include "binary/finders.h"
#include "binary/forest.h"
#include "binary/pdf.h"

enum {
	SMALLEST = 16, /* bytes in which records are looked for */
};

bool records_repaired(const struct records *r, struct edit edit)
{
	for (uint32_t i = 0; i < r->repair->n; i++)
		if (repair_written(edit, &r->repair->fields[i]))
			return true;
	return false;
}

/* What the forest has as records; the lists that counts count are the chains. A member of no bytes
 * is its row. */
static struct records *harvest(struct forest *f, bool is_text)
{
	f->found.n.lists = f->n_groves;
	for (uint32_t i = 0; i < f->n_groves; i++)
		for (uint32_t k = 0; k < f->groves[i].n; k++) {
			const struct leaf *l = &f->leaves[f->groves[i].first + k];
			bool row = l->r.begin == l->r.end && l->twin < l->twin_end; /* in a table */
			struct record x = row ? record_plain(l->twin, l->twin_end)
			                      : record_plain(l->r.begin, l->r.end);
			x.depth = l->depth;
			if (!row) {
				x.body = l->body;
				x.body_end = l->body_end;
				x.twin = l->twin;
				x.twin_end = l->twin_end;
			}
			if (x.begin < x.end)
				found_element(&f->found, i, x);
			else
				found_listed(&f->found, i, x.begin, x.end);
		}
	struct records *r = found_records(&f->found, is_text);
	for (uint32_t i = 0; r && i < f->n_groves; i++) {
		r->repair->lists[i].depth = f->groves[i].depth;
		r->repair->lists[i].with = f->groves[i].with;
		r->repair->lists[i].backwards = f->groves[i].backwards;
		r->repair->lists[i].named = f->groves[i].named;
	}
	return r;
}

static void release(struct forest *f)
{
	free(f->formats);
	free(f->leaves);
	free(f->groves);
	found_release(&f->found);
}

/* Members that rows are about or a number counts, unless a chain of which that is a part, and for
 * which much speaks, goes as far: a number of a byte or two is often just right by chance, and of
 * the many ways to read a table one may be. */
static void grow_best(struct forest *f)
{
	struct forest chains = { .bytes = f->bytes, .size = f->size, .explained = f->size };
	if (forest_grow_tables(f, false) && f->rival) {
		forest_grow(&chains);
		const struct grove *g = chains.n_leaves ? &chains.groves[0] : NULL;
		bool better =
			g && !chains.weak && g->chain < f->explained && g->chain_end >= f->rival;
		release(better ? f : &chains);
		if (better)
			*f = chains;
	}
	forest_grow(f);
}

struct records *records_find(const uint8_t *bytes, uint32_t size)
{
	struct forest f = { .bytes = bytes, .size = size, .explained = size };
	struct records *r = NULL;
	if (size < SMALLEST)
		return NULL;
	bool text = bytes_are_text(bytes, size);
	r = pdf_records(bytes, size);
	if (!r)
		r = repeated_find(bytes, size);
	if (!r)
		r = text ? counts_find(bytes, size) : directory_find(bytes, size);
	if (r && r->is_text)
		repeated_add(r, bytes, size);
	if (!r && !text)
		r = tagged_find(bytes, size);
	if (r && !r->is_text)
		about_add(r, bytes, size, false);
	if (r)
		return r;
	bool digits = forest_grow_digits(&f);
	if (!text && !digits)
		grow_best(&f);
	else if (!text)
		forest_grow(&f);
	else if (!digits && bytes_controls(bytes, size))
		forest_grow_tables(&f, true);
	if (!f.n_leaves)
		r = lengths_find(bytes, size);
	if (f.n_leaves || (!r && !text && forest_grow_loose(&f)))
		r = harvest(&f, text);
	if (r && f.digits && f.groves[0].n == 1) /* its sum proves it: there is no other to cut */
		r->proven = true;
	release(&f);
	if (r && !r->is_text)
		about_add(r, bytes, size, false);
	return r;
}

struct records *records_ref(struct records *r)
{
	r->refs++;
	return r;
}

void records_unref(struct records *r)
{
	if (!r || --r->refs)
		return;
	repair_unref(r->repair);
	free(r->list);
	free(r);
}

struct spans *records_spans(const struct records *r)
{
	struct spans *s = mem_alloc(sizeof *s);
	*s = (struct spans){ .refs = 1,
		             .list = mem_alloc((2 * (size_t)r->n + 1) * sizeof *s->list) };
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *x = &r->list[i];
		if (x->zero || (x->stored && x->body == x->body_end))
			continue;
		s->list[s->n++] = (struct span_given){ x->begin, x->end, false };
		if (x->body < x->body_end)
			s->list[s->n++] = (struct span_given){ x->body, x->body_end, false };
	}
	return s;
}

/* Where a record is after an edit; false when it is gone or has lost its header. */
static bool map_record(struct moves *m, const struct record *from, struct record *to)
{
	*to = *from;
	to->begin = moves_begin(m, from->begin);
	to->end = moves_end(m, from->end, from->depth);
	to->body = moves_begin(m, from->body);
	to->body_end = moves_end(m, from->body_end, (uint16_t)(from->depth + 1));
	to->twin = moves_begin(m, from->twin);
	to->twin_end = from->twin < from->twin_end
	                       ? moves_end(m, from->twin_end, (uint16_t)(from->depth + 1))
	                       : to->twin;
	bool headed = to->begin < to->body || from->begin == from->body;
	return headed && to->begin < to->end && to->body <= to->body_end && to->body_end <= to->end;
}

struct records *records_map(const struct records *r, const struct repair *left, struct edit edit,
                            const uint8_t *bytes, uint32_t size, bool proven)
{
	if (left && !left->n)
		return NULL;
	struct moves m = moves_make(r->repair, edit);
	struct records *out = mem_zero(1, sizeof *out);
	out->refs = 1;
	out->proven = r->proven || proven;
	out->is_text = r->is_text;
	out->list = mem_alloc((r->n + (size_t)1) * sizeof *out->list);
	for (uint32_t i = 0; i < r->n; i++) {
		struct record *to = &out->list[out->n];
		out->n += map_record(&m, &r->list[i], to);
		if (to < out->list + out->n && to->depth > out->max_depth)
			out->max_depth = to->depth;
	}
	out->repair = repair_map(left ? left : r->repair, &m, bytes, size);
	moves_release(&m);
	return out;
}
