/* What was found in tables becomes members, and fields about them. */
#include "base/mem.h"
#include "binary/forest_tables_def.h"

/* N, which stands where a number of ROW says, is how far it is from FROM to TO. */
static void add_number(struct tables *s, const struct number *x, uint32_t row, uint32_t from,
                       uint32_t to)
{
	const uint8_t *bytes = s->f->bytes;
	uint32_t at = cell(s, &s->best, x->part, row)->begin + x->offset, width = x->width;
	uint64_t value;
	code_read(x->code, bytes + at, bytes + s->f->size, &width, &value);
	struct field field = field_of(FIELD_LENGTH, x->code, at, width, from, to);
	field.depth = from < to && from != s->best.base;
	found_field(&s->f->found, field);
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
	if (t->place.known)
		add_number(s, &t->place, i, t->base, e.begin);
	if (t->length.known && (!t->behind || i + 1 < t->n))
		add_number(s, &t->length, i + t->behind, e.begin, e.end);
	if (t->columns)
		l->twin = l->twin_end = 0;
}

/* What the rows are about, which is a list, and the count of them. */
static void add_members(struct tables *s)
{
	const struct table *t = &s->best;
	struct forest *f = s->f;
	uint32_t at = t->backwards ? t->body_end : t->body;
	forest_begin(f, t->body, t->body_end, 0);
	for (uint32_t i = 0; i < t->n; i++) {
		struct element e = tables_body(s, t, i, at);
		struct leaf l = { .r = { .begin = e.begin, .end = e.end, .body_end = e.end },
			          .body = e.begin,
			          .body_end = e.end,
			          .tag = i + 1 }; /* none is of the kind of another */
		at = t->backwards ? e.begin : e.end;
		add_twin(s, &l, i, e);
		MEM_PUSH(f->leaves, f->n_leaves, f->cap_leaves, l);
	}
	f->groves[f->n_groves - 1].n = t->n;
	f->narrow = !t->place.known;
	struct field count = field_of(FIELD_COUNT, t->count->code, t->count->at, t->count->width,
	                              t->body, t->body_end);
	count.list = f->n_groves - 1;
	found_field(&f->found, count);
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

static void take(struct tables *s)
{
	struct table *t = &s->best;
	struct forest *f = s->f;
	tables_lay_out(s, t);
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
}

bool forest_grow_tables(struct forest *f)
{
	struct tables s = { .f = f };
	background_measure(&f->background, f->bytes, 0, f->size);
	bool found = tables_find(&s);
	if (found)
		take(&s);
	free(s.is_count);
	free(s.cells);
	return found;
}
