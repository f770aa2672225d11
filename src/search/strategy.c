#include "search/strategy.h"

#include "base/work.h"
#include "search/mends.h"

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
		p->tied = p->mends = mends_any(view, !(~strategy->needs & STRATEGY_TREE));
	work_step(view->tokens.n); /* most go through them */
	strategy->open(p);
	return p;
}

struct edit_sites *edit_sites_ref(struct edit_sites *edit_sites)
{
	edit_sites->refs++;
	return edit_sites;
}

static void release_parts(struct parts *x)
{
	free(x->cuts);
	free(x->texts);
	free(x->first);
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
	release_parts(&edit_sites->parts);
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
	edit_sites->mends = false;
}

struct edit edit_sites_edit(const struct edit_sites *p, struct edit plain, struct arena *arena)
{
	const uint8_t *bytes = p->view->tc->bytes;
	if (p->mends)
		plain = mends_edit(p->view, plain, arena);
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

void edit_sites_add_part(struct edit_sites *edit_sites, uint32_t begin, uint32_t end,
                         const char *text, uint32_t len)
{
	struct parts *x = &edit_sites->parts;
	work_step(4);
	if (x->n == x->cap && x->texts)
		x->texts = mem_resize(x->texts, x->cap * (size_t)2, sizeof *x->texts);
	MEM_GROW(x->cuts, x->n, x->cap);
	if (len && !x->texts)
		x->texts = mem_zero(x->cap, sizeof *x->texts);
	if (x->texts)
		x->texts[x->n] = (struct part_text){ len ? (const uint8_t *)text : NULL, len };
	x->cuts[x->n++] = (struct range){ begin, end };
}

void edit_sites_end_element(struct edit_sites *edit_sites)
{
	struct parts *x = &edit_sites->parts;
	uint32_t n = x->n - edit_sites_first(edit_sites, edit_sites->n);
	if (!n)
		return;
	if (n > 1 && !x->first) {
		x->cap_first = edit_sites->n + 16;
		x->first = mem_alloc(x->cap_first * sizeof *x->first);
		for (uint32_t e = 0; e <= edit_sites->n; e++)
			x->first[e] = e;
	}
	edit_sites->n++;
	if (!x->first)
		return;
	MEM_GROW(x->first, edit_sites->n, x->cap_first);
	x->first[edit_sites->n] = x->n;
}

void edit_sites_drop(struct edit_sites *edit_sites, const bool *drops)
{
	struct parts *x = &edit_sites->parts, old = *x;
	struct edit_sites of = *edit_sites;
	*x = (struct parts){ 0 };
	edit_sites->n = 0;
	for (uint32_t e = 0; e < of.n; e++) {
		for (uint32_t i = edit_sites_first(&of, e);
		     !drops[e] && i < edit_sites_first(&of, e + 1); i++) {
			struct edit_part part = edit_sites_part(&of, i);
			edit_sites_add_part(edit_sites, part.begin, part.end,
			                    (const char *)part.text, part.len);
		}
		edit_sites_end_element(edit_sites);
	}
	release_parts(&old);
}

void edit_sites_add(struct edit_sites *edit_sites, uint32_t begin, uint32_t end, const char *text,
                    uint32_t len)
{
	if (begin == end && !len)
		return;
	edit_sites_add_part(edit_sites, begin, end, text, len);
	edit_sites_end_element(edit_sites);
}
