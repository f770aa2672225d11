#include "search/strategy.h"

#include "base/work.h"

struct edit_sites *edit_sites_new(const struct strategy *strategy, struct view *view,
                                  uint32_t level, const struct strategy_options *options)
{
	struct edit_sites *p = mem_alloc(sizeof *p);
	*p = (struct edit_sites){
		.refs = 1,
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
