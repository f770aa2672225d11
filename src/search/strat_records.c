/* Records of binaries, and lines that a number counts (text/records.h), from the outermost to the
 * innermost, and what they hold; with the lengths, counts and checksums that say so. Whether the
 * records are what they seem is not known before one of these edits works. */
#include "search/strategies.h"

enum {
	UNPROVEN = 64
}; /* records that may be none: when there are more, deeper ones are not tried */

/* Of each depth the records, then their bodies. */
static uint32_t records_levels(const struct view *v)
{
	if (!v->records || !v->records->n)
		return 0;
	uint32_t levels = 2 * (v->records->max_depth + 1u);
	if (v->records->proven)
		return levels;
	for (uint32_t depth = 0, n = 0; depth <= v->records->max_depth; depth++) {
		for (uint32_t i = 0; i < v->records->n; i++)
			n += v->records->list[i].depth == depth;
		if (n > UNPROVEN)
			return 2 * (depth + 1);
	}
	return levels;
}

static void records_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)options;
	const struct records *r = p->view->records;
	places_repair(p, repair_ref(r->repair));
	places_begin(p, r->n, 2 * r->n);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *x = &r->list[i];
		if (x->depth != level / 2)
			continue;
		uint32_t begin = level % 2 ? x->body : x->begin,
			 end = level % 2 ? x->body_end : x->end;
		if (begin < end)
			places_add_part(p, begin, end, NULL, 0);
		if (begin < end && level % 2 == 0 && x->twin < x->twin_end)
			places_add_part(p, x->twin, x->twin_end, NULL, 0);
		places_end_element(p);
	}
}

const struct strategy strategy_records = {
	.shape = STRATEGY_LIST,
	.levels = records_levels,
	.open = records_open,
	.proves = true,
};
