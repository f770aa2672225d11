#include "binary/records_reach.h"

#include "base/mem.h"
#include "base/work.h"

/* A number that says a place: it stands in element FROM, or in none of a table (NOWHERE). */
struct mention {
	uint32_t from, to, at; /* AT: where the number stands */
	const struct field *field;
};

enum {
	NOWHERE = UINT32_MAX,
	WITHIN = 1024, /* mentions in an element that are looked at */
};

struct place {
	uint32_t begin, end, number;
	bool is_twin; /* what goes with the element stands there */
};

struct reach {
	const struct repair *repair;
	struct place *order; /* of the elements of tables */
	uint32_t n;
	struct mention *mentions;
	uint32_t n_mentions;
	bool *reached;
};

static void list_elements(struct reach *r)
{
	const struct repair *all = r->repair;
	r->order = mem_alloc((all->n_elements + (size_t)1) * sizeof *r->order);
	for (uint32_t i = 0; i < all->n_lists; i++)
		for (uint32_t k = 0; k < all->lists[i].n && all->lists[i].table; k++) {
			uint32_t number = all->lists[i].first + k;
			const struct element *e = &all->elements[number];
			r->order[r->n++] = (struct place){ e->begin, e->end, number, false };
		}
	MEM_SORT_BY_TWO(r->order, r->n, begin, number);
}

/* A record that counts as several is as many elements in one place. */
static bool is_same(const struct reach *r, uint32_t i)
{
	return i && i < r->n && r->order[i].begin == r->order[i - 1].begin &&
	       r->order[i].is_twin == r->order[i - 1].is_twin;
}

/* The element of a table that the offset is in. */
static uint32_t element_at(const struct reach *r, uint32_t at)
{
	uint32_t lo =
		MEM_FIRST(r->order, r->n, begin, at + 1); /* those that begin at or before it */
	if (!lo || r->order[lo - 1].end <= at)
		return NOWHERE;
	for (lo--; is_same(r, lo);)
		lo--;
	return r->order[lo].number;
}

static void list_mentions(struct reach *r, const uint8_t *bytes)
{
	r->mentions = mem_alloc((r->repair->n + (size_t)1) * sizeof *r->mentions);
	for (uint32_t i = 0; i < r->repair->n; i++) {
		const struct field *f = &r->repair->fields[i];
		const struct element_list *list = &r->repair->lists[f->list];
		uint32_t place;
		if (f->kind != FIELD_PLACE || !list->table ||
		    !repair_place(r->repair, f, bytes, &place))
			continue;
		r->mentions[r->n_mentions++] = (struct mention){
			.from = element_at(r, f->at),
			.to = list->first + place,
			.at = f->at,
			.field = f,
		};
	}
	MEM_SORT_BY_TWO(r->mentions, r->n_mentions, from, at);
}

static bool is_in(const struct record *x, uint32_t at)
{
	return x && ((at >= x->begin && at < x->end) || (at >= x->twin && at < x->twin_end));
}

/* The first mention from there, at AT or behind it. */
static uint32_t mention_at(const struct reach *r, uint32_t from, uint32_t at)
{
	uint32_t lo = MEM_FIRST(r->mentions, r->n_mentions, from, from);
	uint32_t hi = MEM_FIRST(r->mentions, r->n_mentions, from, (uint64_t)from + 1);
	return lo + MEM_FIRST(r->mentions + lo, hi - lo, at, at);
}

/* What FROM refers to is reached, and what that refers to; what WITHOUT (may be NULL) does not
 * count. */
static void trace(struct reach *r, uint32_t from, const struct record *without, uint32_t *stack)
{
	uint32_t n = 0;
	memset(r->reached, 0, r->repair->n_elements * sizeof *r->reached);
	stack[n++] = from;
	while (n) {
		from = stack[--n];
		uint32_t lo = mention_at(r, from, 0);
		for (; lo < r->n_mentions && r->mentions[lo].from == from; lo++) {
			uint32_t to = r->mentions[lo].to;
			if (is_in(without, r->mentions[lo].at))
				continue;
			if (!r->reached[to])
				stack[n++] = to;
			r->reached[to] = true;
		}
	}
}

/* What records of tables have elsewhere is as if it were in them. */
static void list_twins(struct reach *r, const struct records *records)
{
	uint32_t n = r->n;
	r->order = mem_resize(r->order, r->n + (size_t)records->n + 1, sizeof *r->order);
	for (uint32_t i = 0; i < records->n; i++) {
		const struct record *x = &records->list[i];
		uint32_t number =
			x->table && x->twin < x->twin_end ? element_at(r, x->begin) : NOWHERE;
		if (number != NOWHERE)
			r->order[n++] = (struct place){ x->twin, x->twin_end, number, true };
	}
	r->n = n;
	MEM_SORT_BY_TWO(r->order, r->n, begin, number);
}

static struct reach reach_new(const struct records *records, const uint8_t *bytes)
{
	const struct repair *repair = records->repair;
	struct reach r = { .repair = repair };
	list_elements(&r);
	list_twins(&r, records);
	list_mentions(&r, bytes);
	r.reached = mem_zero(repair->n_elements + (size_t)1, sizeof *r.reached);
	return r;
}

static void reach_release(struct reach *r)
{
	free(r->order);
	free(r->mentions);
	free(r->reached);
}

uint32_t records_unreached(const struct records *records, const uint8_t *bytes, bool roots,
                           struct element **out)
{
	const struct repair *repair = records->repair;
	struct reach r = reach_new(records, bytes);
	uint32_t n = 0;
	*out = mem_alloc((r.n + (size_t)1) * sizeof **out);
	uint32_t *stack = mem_alloc((repair->n_elements + (size_t)1) * sizeof *stack);
	trace(&r, NOWHERE, NULL, stack);
	if (roots)
		for (uint32_t i = 0; i < r.n_mentions; i++)
			r.reached[r.mentions[i].to] |= r.mentions[i].from != r.mentions[i].to;
	for (uint32_t i = 0; r.n_mentions && i < r.n; i++) {
		bool reached = r.reached[r.order[i].number];
		while (is_same(&r, i + 1))
			reached |= r.reached[r.order[++i].number];
		if (!reached && !r.order[i].is_twin)
			(*out)[n++] = (struct element){ r.order[i].begin, r.order[i].end };
	}
	reach_release(&r);
	free(stack);
	return n;
}

/* Does a number in [begin, end) say a place? */
static bool mentions_within(const struct reach *r, uint32_t begin, uint32_t end)
{
	uint32_t from = element_at(r, begin), i = mention_at(r, from, begin);
	return i < r->n_mentions && r->mentions[i].from == from && r->mentions[i].at < end;
}

/* Does one in the record, or in what it has elsewhere? */
static bool mentions_any(const struct reach *r, const struct record *x)
{
	return mentions_within(r, x->begin, x->end) ||
	       (x->twin < x->twin_end && mentions_within(r, x->twin, x->twin_end));
}

/* Looking for what leaves others unreached. */
struct cascades {
	struct reach r;
	uint32_t n, n_gone, cap_gone, looked;
	struct cascade *list;
	struct element *gone;
	uint32_t *stack;
	bool *before;
};

static struct cascades cascades_new(const struct records *records, const uint8_t *bytes)
{
	size_t all = records->repair->n_elements + (size_t)1;
	struct cascades c = { .r = reach_new(records, bytes) };
	c.stack = mem_alloc(all * sizeof *c.stack);
	c.before = mem_alloc(all * sizeof *c.before);
	c.list = mem_alloc(RECORDS_CASCADES * sizeof *c.list);
	trace(&c.r, NOWHERE, NULL, c.stack);
	memcpy(c.before, c.r.reached, (all - 1) * sizeof *c.before);
	return c;
}

/* Adds FOUND with what WITHOUT, or what the mentions are now, leaves unreached, if that is any. */
static bool cascades_add(struct cascades *c, struct cascade found, const struct record *without)
{
	c->looked++;
	work_step(c->r.n);
	found.first = c->n_gone;
	trace(&c->r, NOWHERE, without, c->stack);
	for (uint32_t k = 0; k < c->r.n; k++) {
		uint32_t e = c->r.order[k].number;
		if (!c->before[e] || c->r.reached[e] || is_same(&c->r, k) || c->r.order[k].is_twin)
			continue;
		MEM_PUSH(c->gone, c->n_gone, c->cap_gone, c->r.repair->elements[e]);
	}
	found.n = c->n_gone - found.first;
	if (found.n)
		c->list[c->n++] = found;
	return found.n;
}

static uint32_t cascades_done(struct cascades *c, struct cascade **out, struct element **gone)
{
	reach_release(&c->r);
	free(c->before);
	free(c->stack);
	*out = c->list;
	*gone = c->gone;
	return c->n;
}

uint32_t records_cascades(const struct records *records, const uint8_t *bytes, bool inner,
                          struct cascade **out, struct element **gone)
{
	struct cascades c = cascades_new(records, bytes);
	for (uint32_t i = 0; i < records->n && c.looked < RECORDS_CASCADES; i++) {
		const struct record *x = &records->list[i];
		if (!x->table && !x->zero && (element_at(&c.r, x->begin) != NOWHERE) == inner &&
		    mentions_any(&c.r, x))
			cascades_add(&c, (struct cascade){ .record = i }, x);
	}
	return cascades_done(&c, out, gone);
}

/* The mention of another element of the list in the one that M says; NULL: there is none. */
static const struct mention *mention_within(const struct reach *r, const struct mention *m,
                                            bool last)
{
	const struct mention *found = NULL;
	uint32_t k = mention_at(r, m->to, 0), n = r->n_mentions;
	n = n - k < WITHIN ? n : k + WITHIN;
	for (; k < n && r->mentions[k].from == m->to && (last || !found); k++) {
		work_step(1);
		if (r->mentions[k].field->list == m->field->list && r->mentions[k].to != m->to)
			found = &r->mentions[k];
	}
	return found;
}

uint32_t records_lifts(const struct records *records, const uint8_t *bytes, bool last,
                       struct cascade **out, struct element **gone)
{
	struct cascades c = cascades_new(records, bytes);
	for (uint32_t i = 0; i < c.r.n_mentions && c.looked < RECORDS_CASCADES; i++) {
		struct mention *m = &c.r.mentions[i], own = *m;
		const struct mention *to = mention_within(&c.r, m, last);
		if (!to || m->from == m->to)
			continue;
		uint32_t first = c.r.repair->lists[m->field->list].first;
		m->to = to->to;
		if (cascades_add(&c, (struct cascade){ .field = m->field }, NULL)) {
			struct cascade *found = &c.list[c.n - 1];
			found->value = (uint64_t)((int64_t)(m->to - first) + m->field->bias);
			for (uint32_t k = first; k < m->to; k++)
				found->value -= c.before[k] && !c.r.reached[k];
		}
		*m = own;
	}
	return cascades_done(&c, out, gone);
}
