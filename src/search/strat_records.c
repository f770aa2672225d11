/* Records of binaries, and lines that a number counts (text/records.h), from the outermost to the
 * innermost, and what they hold; with the lengths, counts and checksums that say so. Whether the
 * records are what they seem is not known before one of these edits works. */
#include <stdlib.h>
#include <string.h>

#include "search/strategies.h"
#include "text/records_reach.h"

enum {
	UNPROVEN =
		64,   /* records that may be none: when there are more, deeper ones are not tried */
	SWEEPS = 3,   /* what nothing refers to, as often as that leaves more such: names of members
	               * in a pool, names in them, their texts */
	OF_DEPTH = 2, /* levels for each depth: records, their bodies */
	OF_SWEPT = 3, /* the same, where there are tables: what nothing refers to between them */
	BEHIND = 2,   /* after all that: records with what only they refer to, those of tables */
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
		return has_tables(v->records) ? OF_SWEPT * depths + SWEEPS + BEHIND
		                              : OF_DEPTH * depths;
	for (uint32_t depth = 0, n = 0; depth <= v->records->max_depth; depth++) {
		for (uint32_t i = 0; i < v->records->n; i++)
			n += v->records->list[i].depth == depth;
		if (n > UNPROVEN)
			return OF_DEPTH * (depth + 1);
	}
	return OF_DEPTH * depths;
}

/* What nothing in the file refers to; ALL of it as one, or what no other of it refers to. */
static void sweep(struct places *p, bool all)
{
	struct element *gone;
	uint32_t n = records_unreached(p->view->records->repair, p->view->tc->bytes, !all, &gone);
	places_begin(p, n, n);
	for (uint32_t i = 0; i < n; i++) {
		places_add_part(p, gone[i].begin, gone[i].end, NULL, 0);
		if (!all || i + 1 == n)
			places_end_element(p);
	}
	free(gone);
}

static void add_record(struct places *p, const struct record *x, bool body)
{
	uint32_t begin = body ? x->body : x->begin, end = body ? x->body_end : x->end;
	if (begin >= end)
		return;
	places_add_part(p, begin, end, NULL, 0);
	if (!body && x->twin < x->twin_end)
		places_add_part(p, x->twin, x->twin_end, NULL, 0);
	places_end_element(p);
}

/* The records of a depth, or their bodies. */
static void add_depth(struct places *p, uint32_t depth, bool body, bool tables)
{
	const struct records *r = p->view->records;
	places_begin(p, r->n, 2 * r->n);
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i].depth == depth && (body || tables || !r->list[i].table))
			add_record(p, &r->list[i], body);
}

/* All records of tables; those within others of them are not apart. */
static void add_tables(struct places *p)
{
	const struct records *r = p->view->records;
	uint32_t end = 0;
	places_begin(p, r->n, 2 * r->n);
	for (uint32_t i = 0; i < r->n; i++) {
		if (!r->list[i].table || r->list[i].begin < end)
			continue;
		add_record(p, &r->list[i], false);
		end = r->list[i].end;
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct element *x = a, *y = b;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* A record with what only it refers to. */
static void add_cascade(struct places *p, const struct record *x, const struct element *gone,
                        uint32_t n)
{
	struct element *parts = arena_alloc(&p->arena, (n + (size_t)2) * sizeof *parts);
	memcpy(parts, gone, n * sizeof *parts);
	parts[n++] = (struct element){ x->begin, x->end };
	if (x->twin < x->twin_end)
		parts[n++] = (struct element){ x->twin, x->twin_end };
	qsort(parts, n, sizeof *parts, by_begin);
	for (uint32_t i = 1; i < n; i++)
		if (parts[i].begin < parts[i - 1].end)
			return; /* one is within another */
	for (uint32_t i = 0; i < n; i++)
		places_add_part(p, parts[i].begin, parts[i].end, NULL, 0);
	places_end_element(p);
}

static void add_cascades(struct places *p)
{
	const struct records *r = p->view->records;
	struct cascade *list;
	struct element *gone;
	uint32_t n = records_cascades(r, p->view->tc->bytes, &list, &gone), parts = 0, end = 0;
	for (uint32_t i = 0; i < n; i++)
		parts += list[i].n + 2;
	places_begin(p, n, parts);
	for (uint32_t i = 0; i < n; i++) {
		const struct record *x = &r->list[list[i].record];
		if (x->begin >= end) /* not one within another */
			add_cascade(p, x, gone + list[i].first, list[i].n);
		end = x->end > end ? x->end : end;
	}
	free(list);
	free(gone);
}

static void records_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)options;
	const struct records *r = p->view->records;
	bool tables = has_tables(r);
	uint32_t of = tables ? OF_SWEPT : OF_DEPTH, depth = level / of, what = level % of;
	places_repair(p, repair_ref(r->repair));
	if (depth <= r->max_depth && what < 2)
		add_depth(p, depth, what == 1, !tables);
	else if (depth <= r->max_depth)
		sweep(p, true);
	else if (level - of * (r->max_depth + 1u) < SWEEPS)
		sweep(p, false);
	else if (level - of * (r->max_depth + 1u) == SWEEPS)
		add_cascades(p);
	else
		add_tables(p);
}

const struct strategy strategy_records = {
	.shape = STRATEGY_LIST,
	.levels = records_levels,
	.open = records_open,
	.proves = true,
};
