/* What was found in tables becomes members, and fields about them. */
#include <string.h>

#include "base/mem.h"
#include "binary/forest_tables_def.h"

/* What stands where a number of ROW says is how far it is from FROM to TO. */
static struct field number_field(const struct tables *s, const struct number *x, uint32_t row,
                                 uint32_t from, uint32_t to)
{
	uint32_t at, width;
	tables_stands(s, &s->best, x, row, &at, &width);
	struct field field = field_of(FIELD_LENGTH, x->code, at, width, from, to);
	field.depth = 1;
	return field;
}

/* What goes with row I, which says what member E is: the row, but of numbers about the one before
 * that of the next row. */
static void add_twin(struct tables *s, struct leaf *l, uint32_t i, struct element e)
{
	const struct table *t = &s->best;
	const struct cell *first = cell(s, t, t->length.part, i);
	l->twin = t->behind ? first->end : cell(s, t, 0, i)->begin;
	l->twin_end = t->behind && i + 1 < t->n ? cell(s, t, t->length.part, i + 1)->end
	                                        : cell(s, t, t->n_parts - 1, i)->end;
	if (t->place.known) {
		struct field place = number_field(s, &t->place, i, t->from_end ? e.begin : t->base,
		                                  t->from_end ? s->f->size : e.begin);
		place.depth = 0;
		place.unit = (uint16_t)t->scale;
		found_field(&s->f->found, place);
	}
	if (t->length.known && (!t->behind || i + 1 < t->n))
		found_field(&s->f->found,
		            number_field(s, &t->length, i + t->behind, e.begin, e.end));
	if (t->columns)
		l->twin = l->twin_end = 0;
}

static void add_count(struct tables *s, const struct count *c, uint32_t from, uint32_t to)
{
	struct field count = field_of(FIELD_COUNT, c->code, c->at, c->width, from, to);
	count.list = s->f->n_groves - 1;
	found_field(&s->f->found, count);
}

static void add_leaf(struct forest *f, struct leaf l)
{
	l.tag = ++f->groves[f->n_groves - 1].n; /* none is of the kind of another */
	MEM_PUSH(f->leaves, f->n_leaves, f->cap_leaves, l);
}

/* What is behind BEGIN fills up to where a body may begin; returns where that is. */
static uint32_t add_padding(struct tables *s, uint32_t begin)
{
	const struct table *t = &s->best;
	uint64_t end = t->base + chain_round_up(begin - t->base, t->unit);
	uint32_t limit = begin <= t->begin ? t->begin : s->f->size;
	limit = end < limit ? (uint32_t)end : limit;
	struct field pad =
		field_of(FIELD_PADDING, CODE_LITTLE, begin, limit - begin, t->base, begin);
	pad.unit = (uint16_t)t->unit;
	pad.depth = 1;
	if (t->unit > 1)
		found_field(&s->f->found, pad);
	return limit;
}

/* What the rows are about, which is a list, and the count of them. */
static void add_members(struct tables *s)
{
	const struct table *t = &s->best;
	uint32_t at = t->backwards ? t->body_end : t->body;
	forest_begin(s->f, t->body, t->body_end, 0);
	for (uint32_t i = 0; i < t->n; i++) {
		struct element e = tables_body(s, t, i, at);
		struct leaf l = { .r = { .begin = e.begin, .body_end = e.end },
			          .body = e.begin,
			          .body_end = e.end };
		at = t->backwards ? e.begin : e.end;
		l.r.end = add_padding(s, e.end);
		add_twin(s, &l, i, e);
		add_leaf(s->f, l);
	}
	s->f->rival = t->place.known ? 0 : s->f->size;
	if (t->count)
		add_count(s, t->count, t->body, t->body_end);
}

/* N rows from the one FIRST on, which are members that C counts; where they begin with a length, as
 * in a chain. */
static void add_rows(struct tables *s, const struct count *c, uint32_t first, uint32_t n)
{
	const struct table *t = &s->best;
	const struct part *p = t->parts;
	uint32_t begin = cell(s, t, 0, first)->begin, end = cell(s, t, 0, first + n - 1)->end;
	struct format format = { .code = p->code, .width = p->width, .align = 1, .more = p->width };
	s->f->budget.hops = n;
	if (p->kind == PART_SIZED)
		forest_plant(s->f, &format, begin, end);
	else
		forest_begin(s->f, begin, end, 0);
	for (uint32_t i = first; i < first + n && p->kind != PART_SIZED; i++) {
		uint32_t to = cell(s, t, 0, i)->end;
		add_leaf(s->f, (struct leaf){ .r = { .begin = cell(s, t, 0, i)->begin,
		                                     .end = to,
		                                     .body_end = to },
		                              .body = to,
		                              .body_end = to });
	}
	add_count(s, c, begin, end);
	s->f->rival = c->width <= 2 && c->at < begin ? end : 0;
}

/* What goes with members: the cells of PART. */
static void add_column(struct tables *s, uint32_t part, uint32_t with)
{
	const struct table *t = &s->best;
	struct forest *f = s->f;
	forest_begin(f, cell(s, t, part, 0)->begin, cell(s, t, part, t->n - 1)->end, with);
	f->groves[f->n_groves - 1].backwards = t->backwards;
	for (uint32_t i = 0; i < t->n; i++)
		found_listed(&f->found, f->n_groves - 1, cell(s, t, part, i)->begin,
		             cell(s, t, part, i)->end);
}

/* The strings, which go with the last of the rows that name them, and their number. */
static void add_pool(struct tables *s, const struct pool *p)
{
	const struct table *t = &s->best;
	struct forest *f = s->f;
	struct number x = t->place;
	forest_begin(f, p->begin, p->end, 0);
	f->groves[f->n_groves - 1].named = true;
	for (uint32_t at = p->begin, to; at < p->end; at = to) {
		to = at + (uint32_t)strlen((const char *)f->bytes + at) + 1;
		found_listed(&f->found, f->n_groves - 1, at, to);
	}
	for (x.offset = 0; x.offset < t->parts[0].width; x.offset++)
		for (uint32_t i = 0; i < t->n && p->names[x.offset]; i++) {
			x.width = p->names[x.offset];
			struct field name = number_field(s, &x, i, p->base, 0);
			name.kind = p->begins ? FIELD_PLACE : FIELD_LINK;
			name.from = p->begins ? name.at : p->base;
			name.to = p->begins ? name.at + x.width : tables_string(s, t, p, &x, i);
			name.list = f->n_groves - 1;
			found_field(&f->found, name);
		}
	struct count c = { 0, WORD, p->n, t->place.code };
	for (; c.at + WORD <= t->begin && p->n != t->n; c.at += WORD) {
		uint64_t n;
		code_read(c.code, f->bytes + c.at, f->bytes + t->begin, &c.width, &n);
		if (n == p->n)
			add_count(s, &c, p->begin, p->end);
	}
}

/* What is about members elsewhere. */
static void take_about(struct tables *s)
{
	struct table *t = &s->best;
	struct forest *f = s->f;
	forest_begin(f, 0, 0, 0); /* no list can go with the first */
	uint32_t first = f->n_groves;
	add_members(s);
	for (uint32_t k = 0; k < t->n_parts; k++) {
		if (t->columns)
			add_column(s, k, first);
		for (uint32_t i = 0; i < t->n && t->parts[k].kind == PART_SIZED; i++) {
			const struct cell *own = cell(s, t, k, i);
			struct field field = field_of(FIELD_LENGTH, t->parts[k].code, own->begin,
			                              own->body - own->begin, own->body, own->end);
			field.depth = 1;
			found_field(&f->found, field);
		}
	}
	if (t->behind) { /* where the rows are, for about.h: a number in front goes with none */
		forest_begin(f, t->begin, t->end, first);
		found_listed(&f->found, f->n_groves - 1, t->begin, t->end);
	}
	struct pool pool;
	if (t->scale) {
		if (tables_pool(s, t, &pool))
			add_pool(s, &pool);
		else
			pool.end = t->end;
		if (t->body >= pool.end)
			add_padding(s, pool.end);
		free(pool.begins);
	}
}

static void take(struct tables *s)
{
	const struct table *t = &s->best;
	tables_lay_out(s, &s->best);
	if (t->place.known || t->length.known) {
		take_about(s);
		return;
	}
	add_rows(s, t->count, 0, t->n - (t->second ? t->second->n : 0));
	if (t->second)
		add_rows(s, t->second, t->n - t->second->n, t->second->n);
	s->f->explained = t->count->at;
}

bool forest_grow_tables(struct forest *f, bool text)
{
	struct tables s = { .f = f };
	uint32_t most = f->size < ROWS ? f->size : ROWS;
	background_measure(&f->background, f->bytes, 0, f->size);
	s.is_count = mem_zero(most + (size_t)1, sizeof *s.is_count);
	s.cells = mem_alloc(PARTS * (most + (size_t)1) * sizeof *s.cells);
	bool found =
		(!text && (tables_find_strides(&s) || tables_find(&s))) || tables_find_members(&s);
	if (found)
		take(&s);
	free(s.is_count);
	free(s.cells);
	return found;
}
