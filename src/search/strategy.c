#include "search/strategy.h"

#include "base/work.h"

/* Leaves out the elements of a list that begin before the floor. The lists that they are in end
 * where they did. */
static void drop_below_floor(struct edit_sites *p)
{
	uint32_t *before = mem_alloc((p->n + (size_t)1) * sizeof *before),
		 kept = 0; /* how many are kept before each */
	for (uint32_t e = 0; e < p->n; e++) {
		before[e] = kept;
		kept += p->parts[p->first[e]].begin >= p->floor;
	}
	before[p->n] = kept;
	uint32_t n = p->n, n_parts = 0;
	for (uint32_t e = 0; e < n; e++) {
		if (before[e + 1] == before[e])
			continue;
		uint32_t to = before[e], from = p->first[e], last = p->first[e + 1];
		memmove(p->parts + n_parts, p->parts + from, (last - from) * sizeof *p->parts);
		p->first[to] = n_parts;
		n_parts += last - from;
		if (p->node) {
			p->node[to] = p->node[e];
			p->list_end[to] = before[p->list_end[e]];
		}
	}
	p->first[kept] = n_parts;
	p->n = kept;
	free(before);
}

struct edit_sites *edit_sites_new(const struct strategy *strategy, struct view *view,
                                  uint32_t level, uint32_t floor,
                                  const struct strategy_options *options)
{
	struct edit_sites *p = mem_alloc(sizeof *p);
	*p = (struct edit_sites){
		.refs = 1,
		.floor = floor,
		.level = level,
		.options = *options,
		.strategy = strategy,
		.view = view_ref(view),
	};
	if (view->records && view->records->proven)
		p->repair = repair_ref(view->records->repair);
	if (strategy->needs & STRATEGY_TOKENS && !strategy->bare)
		p->tied = (p->references = view_references(view)) != NULL;
	work_step(view->tokens.n); /* most go through them */
	strategy->open(p);
	if (p->floor && strategy->shape == STRATEGY_LIST && p->n)
		drop_below_floor(p);
	return p;
}

struct edit_sites *edit_sites_ref(struct edit_sites *edit_sites)
{
	edit_sites->refs++;
	return edit_sites;
}

void edit_sites_unref(struct edit_sites *edit_sites)
{
	if (!edit_sites || --edit_sites->refs)
		return;
	view_unref(edit_sites->view);
	for (const struct shell *s = edit_sites->shell; s; s = s->outer)
		view_unref(s->view);
	repair_unref(edit_sites->repair);
	arena_release(&edit_sites->arena);
	free(edit_sites);
}

void edit_sites_repair(struct edit_sites *edit_sites, struct repair *repair)
{
	repair_unref(edit_sites->repair);
	edit_sites->repair = repair;
}

void edit_sites_within(struct edit_sites *edit_sites, const struct coded *word, struct view *inner)
{
	struct shell *shell = arena_alloc(&edit_sites->arena, sizeof *shell);
	*shell = (struct shell){ word, edit_sites->view, edit_sites->shell };
	edit_sites->shell = shell;
	edit_sites->view = inner;
	edit_sites->floor = 0; /* of the test case; the word is behind it */
	edit_sites_repair(edit_sites, NULL);
	edit_sites->references = NULL;
}

struct edit edit_sites_edit(const struct edit_sites *p, struct edit plain, struct arena *arena)
{
	const uint8_t *bytes = p->view->tc->bytes;
	if (p->references)
		plain = references_edit(p->references, plain, arena);
	if (p->repair)
		plain = repair_edit(p->repair, bytes, plain, arena);
	for (const struct shell *s = p->shell; s; s = s->outer) {
		const struct records *records = s->view->records;
		plain = coded_edit(s->word, s->view->tc->bytes, bytes, plain, arena);
		bytes = s->view->tc->bytes;
		if (records && records->proven)
			plain = repair_edit(records->repair, bytes, plain, arena);
	}
	return plain;
}

void edit_sites_begin(struct edit_sites *edit_sites, uint32_t max_elements, uint32_t max_parts)
{
	edit_sites->first = arena_alloc(&edit_sites->arena,
	                                (max_elements + (size_t)2) * sizeof *edit_sites->first);
	edit_sites->parts = arena_alloc(&edit_sites->arena, max_parts * sizeof *edit_sites->parts);
	edit_sites->first[0] = 0;
	edit_sites->n = 0;
	edit_sites->first[1] = 0;
}

void edit_sites_add_part(struct edit_sites *edit_sites, uint32_t begin, uint32_t end,
                         const char *text, uint32_t len)
{
	uint32_t *at = &edit_sites->first[edit_sites->n + 1];
	work_step(4);
	edit_sites->parts[(*at)++] =
		(struct edit_part){ begin, end, len, len ? (const uint8_t *)text : NULL };
}

void edit_sites_end_element(struct edit_sites *edit_sites)
{
	if (edit_sites->first[edit_sites->n + 1] == edit_sites->first[edit_sites->n])
		return;
	edit_sites->n++;
	edit_sites->first[edit_sites->n + 1] = edit_sites->first[edit_sites->n];
}

void edit_sites_add(struct edit_sites *edit_sites, uint32_t begin, uint32_t end, const char *text,
                    uint32_t len)
{
	if (begin == end && !len)
		return;
	edit_sites_add_part(edit_sites, begin, end, text, len);
	edit_sites_end_element(edit_sites);
}
