/* Records of binaries, and lines that a number counts (binary/records.h), from the outermost to the
 * innermost, and what they hold; with the lengths, counts and checksums that say so. Whether the
 * records are what they seem is not known before one of these edits works; of text, before it works
 * no other way (search/proof.h). */

#include "base/mem.h"
#include "base/work.h"
#include "edits/strategies.h"
#include "binary/records_reach.h"

enum {
	UNPROVEN =
		64,   /* records that may be none: when there are more, deeper ones are not tried */
	SWEEPS = 3,   /* what nothing refers to, as often as that leaves more such: names of members
	               * in a pool, names in them, their texts */
	OF_DEPTH = 2, /* levels for each depth: records, their bodies */
	OF_SWEPT = 3, /* the same, where there are tables: what nothing refers to between them */
	MANY = 4,
	CASCADES = 2, /* after all that: records with what only they refer to, then likewise those
	               * that are within one of a table; */
	BEHIND = 3,   /* then those of tables */
};

/* The last levels: of numbers, as many as there are of these. */
enum numbers {
	NUMBERS_CHAINS,     /* they may become 0, with all that they lead to */
	NUMBERS_ZEROS,      /* they may become 0 */
	NUMBERS_UNITS,      /* what is padded may be half as long */
	NUMBERS_LIFTS,      /* a place may be what stands in what it says, the first */
	NUMBERS_LIFTS_LAST, /* or the last */
	NUMBERS,
};

static bool has_tables(const struct records *r)
{
	for (uint32_t i = 0; r->proven && i < r->repair->n_lists; i++)
		if (r->repair->lists[i].table)
			return true;
	return false;
}

/* Of each depth the records, then their bodies; those of tables at last. */
static uint32_t records_levels(const struct view *v)
{
	if (!v->records || !v->records->n)
		return 0;
	uint32_t depths = v->records->max_depth + 1u;
	if (v->records->proven)
		return NUMBERS + (has_tables(v->records) ? OF_SWEPT * depths + SWEEPS + BEHIND
		                                         : OF_DEPTH * depths);
	for (uint32_t depth = 0, n = 0; depth <= v->records->max_depth; depth++) {
		for (uint32_t i = 0; i < v->records->n; i++)
			n += v->records->list[i].depth == depth;
		if (n > UNPROVEN)
			return OF_DEPTH * (depth + 1);
	}
	return OF_DEPTH * depths;
}

/* The record that is the element; NULL: none. */
static const struct record *record_of(const struct records *r, struct element e)
{
	uint32_t lo = MEM_FIRST(r->list, r->n, begin, e.begin);
	for (; lo < r->n && r->list[lo].begin == e.begin; lo++)
		if (r->list[lo].end == e.end && !r->list[lo].zero)
			return &r->list[lo];
	return NULL;
}

static void add_number(struct edit_sites *p, const struct field *f, uint64_t value)
{
	uint8_t *text = arena_alloc(&p->arena, CODE_MAX);
	uint32_t len = code_write(f->code, p->view->tc->bytes + f->at, f->width, value, text);
	if (len)
		edit_sites_add_part(p, f->at, f->at + f->width, (const char *)text, len);
}

/* Of PARTS, which there are N of, and what the records that they are have elsewhere, one element;
 * of FIELD (NULL: none), which says VALUE then, too. None when one part is within another. */
static void add_parts(struct edit_sites *p, struct element *parts, uint32_t n,
                      const struct field *field, uint64_t value)
{
	const struct records *r = p->view->records;
	for (uint32_t i = 0, own = n; i < own; i++) {
		const struct record *x = record_of(r, parts[i]);
		if (x && x->twin < x->twin_end)
			parts[n++] = (struct element){ x->twin, x->twin_end };
	}
	qsort(parts, n, sizeof *parts, mem_order_u32);
	for (uint32_t i = 1; i < n; i++)
		if (parts[i].begin < parts[i - 1].end)
			return;
	for (uint32_t i = 0; i < n; i++)
		edit_sites_add_part(p, parts[i].begin, parts[i].end, NULL, 0);
	if (field)
		add_number(p, field, value);
	edit_sites_end_element(p);
}

/* What nothing in the file refers to; ALL of it as one, or what no other of it refers to. */
static void sweep(struct edit_sites *p, bool all)
{
	const struct records *r = p->view->records;
	struct element *gone;
	uint32_t n = records_unreached(r, p->view->tc->bytes, !all, &gone);
	MEM_SCOPED struct element *parts = mem_alloc((2 * (size_t)n + 1) * sizeof *parts);
	memcpy(parts, gone, n * sizeof *parts);
	if (all && n)
		add_parts(p, parts, n, NULL, 0);
	for (uint32_t i = 0; i < n && !all; i++) {
		parts[0] = gone[i];
		add_parts(p, parts, 1, NULL, 0);
	}
	free(gone);
}

static void add_record(struct edit_sites *p, const struct record *x, bool body)
{
	uint32_t begin = body ? x->body : x->begin, end = body ? x->body_end : x->end;
	if (begin >= end || (x->stored && !body)) /* without a block a layer is none */
		return;
	edit_sites_add_part(p, begin, end, NULL, 0);
	if (!body && x->twin < x->twin_end)
		edit_sites_add_part(p, x->twin, x->twin_end, NULL, 0);
	edit_sites_end_element(p);
}

/* The records of a depth, or their bodies. */
static void add_depth(struct edit_sites *p, uint32_t depth, bool body, bool tables)
{
	const struct records *r = p->view->records;
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i].depth == depth && !r->list[i].zero &&
		    (body || tables || !r->list[i].table))
			add_record(p, &r->list[i], body);
}

/* All records of tables; those within others of them are not apart. */
static void add_tables(struct edit_sites *p)
{
	const struct records *r = p->view->records;
	uint32_t end = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		if (!r->list[i].table || r->list[i].begin < end)
			continue;
		add_record(p, &r->list[i], false);
		end = r->list[i].end;
	}
}

/* What CASCADES finds, each with what it leaves unreached. */
static void add_cascades(struct edit_sites *p, bool second,
                         uint32_t (*cascades)(const struct records *, const uint8_t *, bool,
                                              struct cascade **, struct element **))
{
	const struct records *r = p->view->records;
	struct cascade *list;
	struct element *gone;
	uint32_t n = cascades(r, p->view->tc->bytes, second, &list, &gone), end = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct record *x = list[i].field ? NULL : &r->list[list[i].record];
		MEM_SCOPED struct element *all =
			mem_alloc((2 * (size_t)list[i].n + 2) * sizeof *all);
		uint32_t n_all = list[i].n;
		memcpy(all, gone + list[i].first, n_all * sizeof *all);
		if (x)
			all[n_all++] = (struct element){ x->begin, x->end };
		qsort(all, n_all, sizeof *all, mem_order_u32);
		if (!x || x->begin >= end) /* not one within another */
			add_parts(p, all, n_all, list[i].field, list[i].value);
		end = x && x->end > end ? x->end : end;
	}
	free(list);
	free(gone);
}

/* A part and its element; it is not the first of that. */
struct owned {
	uint32_t begin, end, element;
	bool twin;
};

/* Elements are apart: of two with bytes in common, as where one has elsewhere what the other is in,
 * the one that begins there later goes; but one that has some of several others itself. */
static void keep_apart(struct edit_sites *p)
{
	uint32_t n_parts = p->parts.n, end = 0, last = 0;
	MEM_SCOPED struct owned *parts = mem_alloc((n_parts + (size_t)1) * sizeof *parts);
	MEM_SCOPED bool *bad = mem_zero(p->n + (size_t)1, sizeof *bad);
	MEM_SCOPED uint32_t *others = mem_zero(p->n + (size_t)1, sizeof *others);
	for (uint32_t e = 0; e < p->n; e++)
		for (uint32_t i = edit_sites_first(p, e); i < edit_sites_first(p, e + 1); i++)
			parts[i] = (struct owned){ p->parts.cuts[i].begin, p->parts.cuts[i].end, e,
				                   i > edit_sites_first(p, e) };
	bool twin = false;
	MEM_SORT_BY_TWO(parts, n_parts, begin, element);
	for (uint32_t i = 0; i < 2 * n_parts; i++) {
		const struct owned *x = &parts[i % n_parts];
		end = i == n_parts ? 0 : end;
		bool meets = x->begin < end && x->element != last;
		if (i < n_parts)
			others[last] += meets && x->twin && !twin;
		else if (others[x->element] >= MANY)
			bad[x->element] = true;
		else
			bad[x->element] |= meets;
		if (!meets && x->end > end && (i < n_parts || others[x->element] < MANY)) {
			end = x->end;
			last = x->element;
			twin = x->twin;
		}
	}
	edit_sites_drop(p, bad);
}

/* From each record on, the first that is a number which may become 0 and is about something, r->n:
 * there is none; the caller's. */
static uint32_t *find_links(const struct records *r)
{
	uint32_t *links = mem_alloc((r->n + (size_t)1) * sizeof *links);
	links[r->n] = r->n;
	for (uint32_t i = r->n; i-- > 0;) {
		const struct record *x = &r->list[i];
		links[i] = x->zero && x->twin < x->twin_end ? i : links[i + 1];
	}
	return links;
}

/* The first of these in what the one at I is about; none: r->n. */
static uint32_t link_of(const struct records *r, const uint32_t *links, uint32_t i)
{
	const struct record *x = &r->list[i];
	uint32_t lo = MEM_FIRST(r->list, r->n, begin, x->twin);
	lo = links[lo];
	return lo < r->n && r->list[lo].begin < x->twin_end ? lo : r->n;
}

/* Does a record go with what the number at I, with which it begins, is about? */
static bool goes_with(const struct records *r, uint32_t i)
{
	const struct record *x = &r->list[i], *around = x;
	while (around > r->list && around[-1].begin == x->begin) {
		around--;
		work_step(1);
		if (!around->zero && around->twin == x->twin && around->twin_end == x->twin_end)
			return true;
	}
	return false;
}

/* Numbers become 0 where what they are about goes: of a chain, each link of which is in what the
 * one in front leads to, the last ones; or the first, and all of the CHAINS. */
static void add_zeros(struct edit_sites *p, bool chains)
{
	static const char zeros[CODE_MAX];
	const struct records *r = p->view->records;
	MEM_SCOPED uint32_t *links = find_links(r);
	MEM_SCOPED bool *linked = mem_zero(r->n + (size_t)1, sizeof *linked);
	MEM_SCOPED bool *done = mem_zero(r->n + (size_t)1, sizeof *done); /* it is in a chain */
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i].zero)
			linked[link_of(r, links, i)] = true;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *x = &r->list[i];
		bool leads = links[i] == i && link_of(r, links, i) < r->n;
		if (links[i] != i || leads != chains || (chains ? linked[i] : goes_with(r, i)))
			continue;
		edit_sites_add_part(p, x->begin, x->end, zeros, x->end - x->begin);
		for (uint32_t k = i; k < r->n && !done[k]; k = link_of(r, links, k)) {
			edit_sites_add_part(p, r->list[k].twin, r->list[k].twin_end, NULL, 0);
			done[k] = true;
		}
		edit_sites_end_element(p);
	}
}

/* Does all that is padded to UNIT fit into half of it? */
static bool fits_half(const struct repair *r, uint32_t unit)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct field *f = &r->fields[i];
		bool is_gap = f->kind == FIELD_PADDING && f->to > f->at + f->width;
		if (is_gap && f->unit == unit && f->to - f->from - f->width > unit / 2)
			return false;
	}
	return unit > 1 && !(unit % 2);
}

static void add_units(struct edit_sites *p)
{
	const struct repair *r = p->view->records->repair;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct field *f = &r->fields[i];
		if (f->kind != FIELD_UNIT || !fits_half(r, f->unit))
			continue;
		add_number(p, f, f->unit / 2);
		edit_sites_end_element(p);
	}
}

static void add_numbers(struct edit_sites *p, enum numbers what)
{
	if (what <= NUMBERS_ZEROS)
		add_zeros(p, what == NUMBERS_CHAINS);
	else if (what == NUMBERS_UNITS)
		add_units(p);
	else
		add_cascades(p, what == NUMBERS_LIFTS_LAST, records_lifts);
}

/* Does a number outside of a record say something about it? */
static bool is_told_of(const struct records *r, const struct record *x)
{
	for (uint32_t i = 0; i < r->repair->n; i++) {
		const struct field *f = &r->repair->fields[i];
		bool outside = f->at < x->begin || f->at >= x->end;
		if (outside && (f->kind == FIELD_PLACE || f->kind == FIELD_COUNT ||
		                (f->from <= x->begin && x->end <= f->to)))
			return true;
	}
	return false;
}

/* Text that is not proven. Where records go without a number elsewhere, as chunks that each say how
 * long they are, there is nothing to prove. */
static bool is_unproven(const struct records *r, bool whole)
{
	for (uint32_t i = 0; i < r->n && i < UNPROVEN && whole; i++)
		whole = !is_told_of(r, &r->list[i]);
	return r->is_text && !r->proven && !whole;
}

static void records_open(struct edit_sites *p)
{
	const struct records *r = p->view->records;
	bool tables = has_tables(r);
	uint32_t of = tables ? OF_SWEPT : OF_DEPTH, depth = p->level / of, what = p->level % of;
	p->unproven = is_unproven(r, what == 0);
	edit_sites_repair(p, p->unproven ? NULL : repair_ref(r->repair));
	uint32_t left = records_levels(p->view) - p->level;
	if (r->proven && left <= NUMBERS)
		add_numbers(p, (enum numbers)(NUMBERS - left));
	else if (depth <= r->max_depth && what < 2)
		add_depth(p, depth, what == 1, !tables);
	else if (depth <= r->max_depth)
		sweep(p, true);
	else if (p->level - of * (r->max_depth + 1u) < SWEEPS)
		sweep(p, false);
	else if (p->level - of * (r->max_depth + 1u) < SWEEPS + CASCADES)
		add_cascades(p, p->level - of * (r->max_depth + 1u) > SWEEPS, records_cascades);
	else
		add_tables(p);
	keep_apart(p);
}

const struct strategy strategy_records = {
	.shape = STRATEGY_LIST,
	.levels = records_levels,
	.open = records_open,
	.proves = true,
};
