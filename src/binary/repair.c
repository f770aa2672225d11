#include "binary/repair.h"

#include "base/mem.h"
#include "base/work.h"

static uint32_t *count_gone(const struct repair *r, const struct element_list *list,
                            struct edit edit)
{
	uint32_t *gone = mem_alloc((list->n + (size_t)1) * sizeof *gone);
	gone[0] = 0;
	for (uint32_t i = 0; i < list->n; i++) {
		const struct element *e = &r->elements[list->first + i];
		gone[i + 1] = gone[i] + repair_is_cut(edit, e->begin, e->end);
	}
	return gone;
}

/* A place, or the number that says it, where the numbers begin again behind the largest one. */
static int64_t wrapped(const struct field *f, int64_t value)
{
	return f->unit && f->width < 8 ? value & (((int64_t)1 << 8 * f->width) - 1) : value;
}

bool repair_place(const struct repair *r, const struct field *f, const uint8_t *bytes,
                  uint32_t *place)
{
	uint32_t width = f->width;
	uint64_t value;
	if (!code_read(f->code, bytes + f->at, bytes + f->at + f->width, &width, &value))
		return false;
	int64_t at = wrapped(f, (int64_t)value - f->bias);
	if (at < 0 || at >= r->lists[f->list].n)
		return false;
	*place = (uint32_t)at;
	return true;
}

/* ---- where things are ---- */

uint32_t repair_parts_before(struct edit edit, uint32_t at)
{
	return MEM_FIRST(edit.parts, edit.n, begin, at);
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

/* Is E in the midst of what other text replaces? */
static bool is_replaced(struct edit edit, const struct element *e)
{
	uint32_t k = repair_parts_before(edit, e->begin + 1);
	const struct edit_part *p = k ? &edit.parts[k - 1] : NULL;
	return p && p->len && p->end >= e->end && (p->begin < e->begin || p->end > e->end);
}

/* Does a part that is more than E hold all of it? What stands exactly in the place of E is another
 * name for it. */
static bool is_gone(struct edit edit, const struct element *e)
{
	return repair_is_cut(edit, e->begin, e->end) || is_replaced(edit, e);
}

/* Are all elements of the list of F, of which there are some? */
static bool all_are(bool (*are)(struct edit, const struct element *), const struct repair *r,
                    const struct field *f, struct edit edit)
{
	const struct element_list *list = &r->lists[f->list];
	for (uint32_t i = 0; i < list->n; i++)
		if (!are(edit, &r->elements[list->first + i]))
			return false;
	return list->n > 0;
}

/* Is what F is about in the midst of what other text replaces? It may be packed in that. */
static bool is_unknown(const struct repair *r, const struct field *f, struct edit edit)
{
	return f->listed ? all_are(is_replaced, r, f, edit)
	                 : is_replaced(edit, &(struct element){ f->from, f->to });
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

const struct edit_part *repair_written(struct edit edit, const struct field *f)
{
	return part_at(edit, repair_parts_before(edit, f->at), f->at, f->width);
}

/* What the unit of PAD becomes where EDIT writes another one: those that say it come first. */
static uint16_t unit_after(const struct repair *r, const struct field *pad, struct edit edit)
{
	for (uint32_t i = 0; i < r->n && r->fields[i].kind == FIELD_UNIT; i++) {
		const struct field *f = &r->fields[i];
		const struct edit_part *p = repair_written(edit, f);
		uint32_t width = p ? p->len : 0;
		uint64_t value;
		if (p && f->unit == pad->unit &&
		    code_read(f->code, p->text, p->text + p->len, &width, &value) && value &&
		    value <= UINT16_MAX)
			return (uint16_t)value;
	}
	return pad->unit;
}

struct moves moves_make(const struct repair *repair, struct edit edit)
{
	struct moves m = { .edit = edit, .shift = edit_shifts(edit) };
	uint32_t cap = 0;
	for (uint32_t i = 0; i < repair->n; i++) {
		const struct field *f = &repair->fields[i];
		const struct edit_part *p =
			f->kind == FIELD_PADDING && !f->width ? repair_written(edit, f) : NULL;
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
	return edit_moved(m->edit, m->shift, parts_before(m, near, at), at);
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

/* Is what was inserted where PAD, of no bytes, stands another one, which is deeper? */
static bool is_anothers(const struct moves *m, const struct field *pad)
{
	for (uint32_t i = 0; i < m->n_pads; i++)
		if (m->pads[i].at == pad->at && m->pads[i].depth > pad->depth)
			return true;
	return false;
}

static bool map_field(struct moves *m, const struct field *f, struct field *out)
{
	uint32_t end = f->at + f->width, before = parts_before(m, &m->near, f->at);
	const struct edit_part *p = part_at(m->edit, before, f->at, f->width);
	bool behind = p && f->kind == FIELD_PADDING && !f->width && is_anothers(m, f);
	*out = *f;
	if (p && !behind)
		out->width = p->len;
	else if (f->kind == FIELD_PADDING && is_cut(m, f->at, end) && !is_cut(m, f->from, f->at))
		out->width = 0;
	else if (is_touched_behind(m->edit, parts_before(m, &m->near, end), f->at))
		return false;
	out->at = f->kind == FIELD_PADDING ? moved(m, &m->near, f->at) : moves_begin(m, f->at);
	out->at += behind ? p->len : 0;
	out->from = begin_of(m, &m->near_from, f->from);
	out->to = end_of(m, &m->near_to, f->to, f->depth);
	return out->from <= out->to;
}

/* The place of the element that the K-th of LIST goes with. */
static uint32_t lead_of(const struct element_list *list, uint32_t k)
{
	return list->backwards ? list->n - 1 - k : k;
}

static uint32_t map_elements(const struct repair *r, struct moves *m, struct element *to,
                             struct element_list *lists)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->n_lists; i++) {
		const struct element_list *lead = &r->lists[r->lists[i].with];
		bool led = r->lists[i].with && lead->n == r->lists[i].n;
		lists[i] = r->lists[i];
		lists[i].first = n;
		for (uint32_t k = 0; k < r->lists[i].n; k++) {
			struct element e = r->elements[r->lists[i].first + k];
			bool empty = led && e.begin == e.end;
			const struct element *stays =
				empty ? &r->elements[lead->first + lead_of(&r->lists[i], k)] : &e;
			bool gone = is_cut(m, stays->begin, stays->end);
			e.begin = moves_begin(m, e.begin);
			e.end = empty ? e.begin : moves_end(m, e.end, lists[i].depth);
			if (!gone && (empty || e.begin < e.end))
				to[n++] = e;
		}
		lists[i].n = n - lists[i].first;
	}
	return n;
}

static void feed(struct sum_state *s, const uint8_t *bytes, uint32_t from, uint32_t to)
{
	if (from < to)
		sum_feed(s, bytes + from, to - from);
}

/* Does PART change what F, a sum of bytes before END, sums? */
static bool begins_in(const struct field *f, const struct edit_part *part, uint32_t end)
{
	return part->begin < end || (f->aligned && part->begin == end && part->end == end);
}

/* Up to TO, where F itself is what it counts as there. */
static void feed_up_to(struct sum_state *s, const struct field *f, const uint8_t *bytes,
                       uint32_t at, uint32_t to)
{
	uint8_t own[CODE_MAX];
	if (f->at >= at && f->at < to) {
		memset(own, f->own, sizeof own);
		feed(s, bytes, at, f->at);
		feed(s, own, 0, f->width);
		at = f->at + f->width;
	}
	feed(s, bytes, at, to);
}

/* What [from, to), which is F's or of its list, becomes. */
static void feed_range(struct sum_state *s, const struct field *f, struct element range,
                       const uint8_t *bytes, struct edit edit)
{
	uint32_t at = range.begin, k = repair_parts_before(edit, range.begin);
	if (k && edit.parts[k - 1].end > at)
		at = edit.parts[k - 1].end;
	while (f->aligned && k < edit.n && edit.parts[k].end == range.begin)
		k++; /* the padding of what is in front */
	for (; k < edit.n && begins_in(f, &edit.parts[k], range.end); k++) {
		const struct edit_part *p = &edit.parts[k];
		feed_up_to(s, f, bytes, at, p->begin);
		if (p->begin == f->at && p->end == f->at + f->width)
			feed_up_to(s, f, bytes, p->begin, p->end);
		else
			feed(s, p->text, 0, p->len);
		at = p->end;
	}
	feed_up_to(s, f, bytes, at, range.end);
}

/* What F is about: the elements of its list, or *OWN. Their number. */
static uint32_t ranges(const struct repair *r, const struct field *f, struct element *own,
                       const struct element **out)
{
	*own = (struct element){ f->from, f->to };
	*out = f->listed ? r->elements + r->lists[f->list].first : own;
	return f->listed ? r->lists[f->list].n : 1;
}

/* The sum of what the span of F becomes by EDIT. */
static struct sum_state repair_sum(const struct repair *r, const struct field *f,
                                   const uint8_t *bytes, struct edit edit)
{
	struct sum_state s;
	struct element own;
	const struct element *e;
	uint32_t n = ranges(r, f, &own, &e);
	sum_begin(&s, f->sum);
	do
		for (uint32_t i = 0; i < n; i++)
			feed_range(&s, f, e[i], bytes, edit);
	while (sum_again(&s));
	return s;
}

/* SUM of the lengths that F is about, with one more, LENGTH. */
static int64_t with_length(const struct field *f, int64_t sum, int64_t length)
{
	bool longest = f->listed && f->own == LISTED_LONGEST;
	return !longest ? sum + length : length > sum ? length : sum;
}

/* How long E, one of those that F is about, is, or which number stands there. */
static int64_t length_of(const struct field *f, const uint8_t *bytes, const struct element *e)
{
	uint32_t width = e->end - e->begin;
	uint64_t value = width;
	if (f->listed && f->own == LISTED_NUMBERS)
		code_read(f->sum, bytes + e->begin, bytes + e->end, &width, &value);
	return (int64_t)value;
}

/* The length of what F is about. */
static int64_t repair_length(const struct repair *r, const struct field *f, const uint8_t *bytes)
{
	struct element own;
	const struct element *e;
	int64_t length = 0;
	for (uint32_t n = ranges(r, f, &own, &e); n; n--, e++)
		length = with_length(f, length, length_of(f, bytes, e));
	return length;
}

/* Over how many elements the links lead that F is about, where GONE of them go. */
static uint32_t height_after(const struct repair *r, const struct field *f, const uint32_t *gone)
{
	struct links *links = links_of(r, f->list, gone);
	uint32_t height = links_height(links);
	links_free(links);
	return height;
}

static bool is_begin(const struct element_list *list, const struct element *elements, uint32_t at)
{
	uint32_t k = MEM_FIRST(elements + list->first, list->n, begin, at);
	return k < list->n && elements[list->first + k].begin == at;
}

bool field_holds(const struct repair *r, const struct field *f, const uint8_t *bytes, uint32_t size)
{
	uint32_t width = f->width;
	uint64_t value;
	if (f->at > size || f->to > size || f->from > f->to || f->at + f->width > size)
		return false;
	if (f->kind == FIELD_PADDING || f->kind == FIELD_REACH)
		return true;
	if (f->kind == FIELD_SUM) {
		struct sum_state s = repair_sum(r, f, bytes, EDIT_NONE);
		return sum_stands(&s, f->code, bytes + f->at, f->width);
	}
	if (!code_read(f->code, bytes + f->at, bytes + size, &width, &value) || width != f->width)
		return false;
	if (f->kind == FIELD_COUNT)
		return (int64_t)value == field_count(f, r->lists[f->list].n);
	if (f->kind == FIELD_HEIGHT)
		return !r->n || value == height_after(r, f, NULL); /* no links yet */
	if (f->kind == FIELD_LINK)
		return value == f->to - f->from && is_begin(&r->lists[f->list], r->elements, f->to);
	if (f->kind == FIELD_PART)
		return repair_part(r, f, NULL, &width) &&
		       (int64_t)value == (int64_t)width + f->bias;
	if (f->kind == FIELD_UNIT)
		return value == f->unit;
	if (f->kind == FIELD_PLACE)
		return repair_place(r, f, bytes, &width);
	uint32_t unit = f->unit ? f->unit : 1;
	return (int64_t)value == (repair_length(r, f, bytes) + f->bias) / unit;
}

/* Most stay as they were. */
static bool in_order(const struct field *fields, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (repair_order(&fields[i - 1], &fields[i]) > 0)
			return false;
	return true;
}

/* Makes it lead to where it says that it does. */
static bool read_link(struct field *f, const uint8_t *bytes, uint32_t size)
{
	uint32_t width = f->width;
	uint64_t value;
	bool fine = f->at < size &&
	            code_read(f->code, bytes + f->at, bytes + size, &width, &value) &&
	            value <= size - f->from;
	f->to = fine ? f->from + (uint32_t)value : f->to;
	return fine;
}

struct repair *repair_map(const struct repair *r, struct moves *m, const uint8_t *bytes,
                          uint32_t size)
{
	struct field *fields = mem_alloc((r->n + (size_t)1) * sizeof *fields);
	struct element *elements = mem_alloc((r->n_elements + (size_t)1) * sizeof *elements);
	struct element_list *lists = mem_alloc((r->n_lists + (size_t)1) * sizeof *lists);
	uint32_t n = 0, n_elements = map_elements(r, m, elements, lists);
	struct repair *out = repair_new(NULL, 0, elements, n_elements, lists, r->n_lists);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct field *f = &r->fields[i];
		bool stays = map_field(m, f, &fields[n]);
		if (f->kind == FIELD_PADDING || f->kind == FIELD_UNIT)
			fields[n].unit = unit_after(r, f, m->edit);
		if (f->kind == FIELD_LINK && stays)
			stays = read_link(&fields[n], bytes, size);
		n += stays && field_holds(out, &fields[n], bytes, size);
	}
	out->fields = fields;
	out->n = m->n_pads > 1 ? repair_without_overlaps(fields, n) : n;
	if (!in_order(fields, out->n)) /* which keeps the order of equals */
		qsort(fields, out->n, sizeof *fields, repair_order);
	return out;
}

/* ---- repairing ---- */

/* Bytes that come because a field gets wider. */
struct extra {
	uint32_t at;
	int64_t more;
	const struct field *pad; /* that it is */
};

struct work {
	const struct repair *r;
	const uint8_t *bytes;
	struct edit plain;
	int64_t *shift;
	struct arena *arena;
	struct extra *extras;
	uint32_t n_extras, cap_extras;
	struct edit_part *fixes;
	uint32_t n_fixes, cap_fixes;
	uint32_t **gone;     /* of each list how many elements go before each, as count_gone has it;
	                      * NULL: not yet known */
	struct links *links; /* those of the list LINKED */
	uint32_t linked;
};

/* Does the span of F, which ends at TO, hold what stands at the extra's place? */
static bool holds(const struct extra *x, uint32_t from, uint32_t to, uint16_t depth)
{
	if (x->at == from && x->pad) /* of what ends there */
		return false;
	if (x->at >= from && x->at < to)
		return true;
	return x->at == to && x->pad && !x->pad->width && depth < x->pad->depth;
}

/* The length of [from, to) of FIELD after all that is known so far. */
static int64_t new_length(const struct work *w, uint32_t from, uint32_t to, uint16_t depth)
{
	uint32_t before_to = repair_parts_before(w->plain, to),
		 before_from = repair_parts_before(w->plain, from);
	int64_t n = (int64_t)edit_moved(w->plain, w->shift, before_to, to) -
	            edit_moved(w->plain, w->shift, before_from, from);
	work_step(w->n_extras + 1);
	for (uint32_t i = 0; i < w->n_extras; i++)
		if (holds(&w->extras[i], from, to, depth))
			n += w->extras[i].more;
	return n;
}

/* How many of the list go before each. */
static const uint32_t *places_gone(struct work *w, uint32_t list)
{
	if (!w->gone)
		w->gone = mem_zero(w->r->n_lists, sizeof *w->gone);
	if (!w->gone[list])
		w->gone[list] = count_gone(w->r, &w->r->lists[list], w->plain);
	return w->gone[list];
}

static void forget_gone(struct work *w)
{
	for (uint32_t i = 0; i < w->r->n_lists && w->gone; i++)
		free(w->gone[i]);
	free(w->gone);
	w->gone = NULL;
}

static void add_fix(struct work *w, const struct field *f, const uint8_t *text, uint32_t len)
{
	if (len && len == f->width && !memcmp(w->bytes + f->at, text, len))
		return;
	MEM_PUSH(w->fixes, w->n_fixes, w->cap_fixes,
	         (struct edit_part){ f->at, f->at + f->width, len, len ? text : NULL });
	if (len == f->width)
		return;
	MEM_PUSH(w->extras, w->n_extras, w->cap_extras,
	         (struct extra){ f->at, (int64_t)len - f->width,
	                         f->kind == FIELD_PADDING ? f : NULL });
}

static void fix_value(struct work *w, const struct field *f, int64_t value)
{
	uint8_t *text = arena_alloc(w->arena, CODE_MAX);
	uint32_t len =
		value < 0 ? 0
			  : code_write(f->code, w->bytes + f->at, f->width, (uint64_t)value, text);
	if (len)
		add_fix(w, f, text, len);
}

/* What length_of says after all that is known so far. */
static int64_t new_length_of(const struct work *w, const struct field *f, const struct element *e)
{
	struct edit_part fix = { e->begin, e->end, e->end - e->begin, w->bytes + e->begin };
	if (!f->listed || f->own != LISTED_NUMBERS)
		return new_length(w, e->begin, e->end, f->depth);
	if (repair_is_cut(w->plain, e->begin, e->end))
		return 0;
	work_step(w->n_fixes);
	for (uint32_t i = 0; i < w->n_fixes; i++)
		if (w->fixes[i].begin == e->begin && w->fixes[i].end == e->end)
			fix = w->fixes[i];
	return length_of(f, fix.text, &(struct element){ 0, fix.len });
}

static void fix_length(struct work *w, const struct field *f)
{
	uint32_t unit = f->unit ? f->unit : 1;
	struct element own;
	const struct element *e;
	int64_t now = 0;
	for (uint32_t n = ranges(w->r, f, &own, &e); n; n--, e++)
		now = with_length(f, now, new_length_of(w, f, e));
	if (now != repair_length(w->r, f, w->bytes) && now + f->bias >= 0 &&
	    !is_unknown(w->r, f, w->plain))
		fix_value(w, f, (now + f->bias) / unit);
}

static void fix_count(struct work *w, const struct field *f)
{
	uint32_t n = w->r->lists[f->list].n;
	if (!repair_touched(w->plain, f->from, f->to))
		return;
	uint32_t gone = places_gone(w, f->list)[n];
	if (gone)
		fix_value(w, f, field_count(f, n - gone));
}

static void fix_place(struct work *w, const struct field *f)
{
	uint32_t place, n = w->r->lists[f->list].n;
	if (!repair_place(w->r, f, w->bytes, &place))
		return;
	const uint32_t *gone = places_gone(w, f->list);
	uint32_t left = n - gone[n];
	place -= gone[place];
	if (place >= left)
		place = left ? left - 1 : 0;
	fix_value(w, f, wrapped(f, (int64_t)place + f->bias));
}

static void fix_link(struct work *w, const struct field *f)
{
	uint32_t to;
	if (!w->links || w->linked != f->list) {
		links_free(w->links);
		w->linked = f->list;
		w->links = links_of(w->r, f->list, places_gone(w, f->list));
	}
	if (links_lead(w->links, f, &to))
		fix_value(w, f, new_length(w, f->from, to, f->depth));
	else
		fix_value(w, f, f->unit ? INT64_MAX >> (63 - 8 * f->width) : 0);
}

static void fix_height(struct work *w, const struct field *f)
{
	const uint32_t *gone = places_gone(w, f->list);
	if (gone[w->r->lists[f->list].n])
		fix_value(w, f, height_after(w->r, f, gone));
}

static void fix_reach(struct work *w, const struct field *f)
{
	int64_t value;
	if (repair_reach(w->r, f, w->bytes, places_gone(w, f->list), &value))
		fix_value(w, f, value);
}

static void fix_part(struct work *w, const struct field *f)
{
	uint32_t left;
	if (repair_part(w->r, f, places_gone(w, f->list), &left))
		fix_value(w, f, (int64_t)left + f->bias);
}

/* Parts of an edit, and what goes with them. */
struct company {
	struct edit_part *parts;
	uint32_t n;
};

static void add_company(const struct work *w, struct company *c, uint32_t begin, uint32_t end)
{
	uint32_t n = w->plain.n, all = n + w->r->n + w->r->n_elements;
	if (!c->parts) {
		c->parts = arena_alloc(w->arena, all * sizeof *c->parts);
		memcpy(c->parts, w->plain.parts, n * sizeof *c->parts);
		c->n = n;
	}
	c->parts[c->n++] = (struct edit_part){ .begin = begin, .end = end };
}

/* What goes with places of what is cut. */
static void add_mentions(struct work *w, struct company *c)
{
	uint32_t place;
	for (uint32_t i = 0; i < w->r->n; i++) {
		const struct field *f = &w->r->fields[i];
		if (f->kind != FIELD_PLACE || (f->from >= f->at && f->to <= f->at + f->width) ||
		    repair_touched(w->plain, f->from, f->to) ||
		    !repair_place(w->r, f, w->bytes, &place))
			continue;
		const uint32_t *gone = places_gone(w, f->list);
		if (gone[place + 1] != gone[place])
			add_company(w, c, f->from, f->to);
	}
}

/* What goes with elements that are cut. */
static void add_rows(struct work *w, struct company *c)
{
	for (uint32_t i = 0; i < w->r->n_lists; i++) {
		const struct element_list *own = &w->r->lists[i];
		if (!own->with || own->n != w->r->lists[own->with].n)
			continue;
		const uint32_t *gone = places_gone(w, own->with);
		for (uint32_t k = 0; k < own->n && gone[own->n]; k++) {
			const struct element *e = &w->r->elements[own->first + k];
			uint32_t lead = lead_of(own, k);
			if (gone[lead + 1] != gone[lead] && e->begin < e->end &&
			    !repair_touched(w->plain, e->begin, e->end))
				add_company(w, c, e->begin, e->end);
		}
	}
}

/* Rows that are about elements of which none is left. */
static void add_parts(struct work *w, struct company *c)
{
	struct element row;
	uint32_t left;
	for (uint32_t i = 0; i < w->r->n; i++) {
		const struct field *f = &w->r->fields[i];
		if (f->kind == FIELD_PART && repair_part_row(w->r, f, &row) &&
		    repair_part(w->r, f, places_gone(w, f->list), &left) && !left &&
		    !repair_touched(w->plain, row.begin, row.end))
			add_company(w, c, row.begin, row.end);
	}
}

/* What only links and places that are cut lead to. */
static void add_named(struct work *w, struct company *c, uint32_t list)
{
	const struct element_list *own = &w->r->lists[list];
	const struct element *e = w->r->elements + own->first;
	MEM_SCOPED uint8_t *led = mem_zero(own->n + (size_t)1, 1); /* 1: by what goes, 2: stays */
	for (uint32_t i = 0; i < w->r->n; i++) {
		const struct field *f = &w->r->fields[i];
		uint32_t k = MEM_FIRST(e, own->n, begin, f->to);
		if (f->list == list &&
		    (f->kind == FIELD_LINK ||
		     (f->kind == FIELD_PLACE && repair_place(w->r, f, w->bytes, &k))))
			led[k] |= repair_is_cut(w->plain, f->at, f->at + f->width) ? 1 : 2;
	}
	for (uint32_t i = 0; i < own->n; i++)
		if (led[i] == 1 && !repair_touched(w->plain, e[i].begin, e[i].end))
			add_company(w, c, e[i].begin, e[i].end);
}

/* PLAIN with what goes with what it cuts, and what goes with that. */
static struct edit with_company(struct work *w)
{
	for (;;) {
		struct company c = { 0 };
		add_mentions(w, &c);
		add_rows(w, &c);
		add_parts(w, &c);
		for (uint32_t i = 0; i < w->r->n_lists; i++)
			if (w->r->lists[i].named)
				add_named(w, &c, i);
		if (!c.parts || !edit_make(w->arena, c.parts, c.n, &w->plain))
			return w->plain;
		forget_gone(w); /* they are those of fewer parts */
	}
}

static void fix_last(struct work *w, const struct field *f)
{
	if (all_are(is_gone, w->r, f, w->plain))
		add_fix(w, f, NULL, 0);
}

static void fix_padding(struct work *w, const struct field *f)
{
	uint32_t end = f->at + f->width;
	bool is_gap = f->to > end;
	if (repair_is_cut(w->plain, f->from, end) || f->from >= f->at)
		return;
	int64_t now = new_length(w, f->from, f->at, f->depth), before = (int64_t)f->at - f->from;
	if (is_gap) {
		now += new_length(w, end, f->to, f->depth);
		before += (int64_t)f->to - end;
	}
	uint16_t unit = unit_after(w->r, f, w->plain);
	uint32_t pad = now % unit ? unit - (uint32_t)(now % unit) : 0;
	if ((now == before && unit == f->unit) || pad == f->width)
		return;
	uint8_t *text = arena_alloc(w->arena, pad + 1u);
	memset(text, f->own, pad);
	add_fix(w, f, text, pad);
}

/* ---- sums ---- */

/* Sums whose range changes; what they become is not yet known. */
static uint32_t add_sums(struct work *w, struct edit lengths, const struct field **sums)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < w->r->n; i++) {
		const struct field *f = &w->r->fields[i];
		if (f->kind != FIELD_SUM || repair_touched(w->plain, f->at, f->at + f->width) ||
		    !repair_touched(lengths, f->from, f->to) || is_unknown(w->r, f, w->plain))
			continue;
		uint8_t *text = arena_alloc(w->arena, CODE_MAX);
		memcpy(text, w->bytes + f->at, f->width);
		MEM_PUSH(w->fixes, w->n_fixes, w->cap_fixes,
		         (struct edit_part){ f->at, f->at + f->width, f->width, text });
		sums[n++] = f;
	}
	return n;
}

static struct edit merged(const struct work *w, struct arena *arena)
{
	uint32_t n = w->plain.n + w->n_fixes;
	struct edit_part *parts = arena_alloc(arena, (n + (size_t)1) * sizeof *parts);
	if (w->plain.n)
		memcpy(parts, w->plain.parts, w->plain.n * sizeof *parts);
	if (w->n_fixes)
		memcpy(parts + w->plain.n, w->fixes, w->n_fixes * sizeof *parts);
	qsort(parts, n, sizeof *parts, edit_part_order);
	return (struct edit){ n, parts };
}

static struct edit repair_sums(struct work *w)
{
	struct edit all = merged(w, w->arena);
	const struct field **sums = mem_alloc((w->r->n + (size_t)1) * sizeof *sums);
	uint32_t n = add_sums(w, all, sums);
	if (n)
		all = merged(w, w->arena);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = repair_parts_before(all, sums[i]->at + 1) - 1;
		struct sum_state s = repair_sum(w->r, sums[i], w->bytes, all);
		sum_put(&s, sums[i]->code, w->bytes + sums[i]->at, sums[i]->width,
		        (uint8_t *)all.parts[k].text);
	}
	free(sums);
	return all;
}

static void (*const fixers[])(struct work *w, const struct field *f) = {
	[FIELD_LENGTH] = fix_length,   [FIELD_COUNT] = fix_count, [FIELD_SUM] = NULL,
	[FIELD_PADDING] = fix_padding, [FIELD_PLACE] = fix_place, [FIELD_LAST] = fix_last,
	[FIELD_UNIT] = NULL,           [FIELD_PART] = fix_part,   [FIELD_LINK] = fix_link,
	[FIELD_HEIGHT] = fix_height,   [FIELD_REACH] = fix_reach,
};

struct edit repair_edit(const struct repair *r, const uint8_t *bytes, struct edit plain,
                        struct arena *arena)
{
	if (!plain.n || !r->n)
		return plain;
	struct work w = { .r = r, .bytes = bytes, .plain = plain, .arena = arena };
	w.plain = plain = with_company(&w);
	w.shift = edit_shifts(plain);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct field *f = &r->fields[i];
		if (fixers[f->kind] && !repair_touched(plain, f->at, f->at + f->width))
			fixers[f->kind](&w, f);
	}
	struct edit all = repair_sums(&w);
	free(w.shift);
	free(w.extras);
	free(w.fixes);
	links_free(w.links);
	forget_gone(&w);
	return all;
}
