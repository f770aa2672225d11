#include "cxx/stub_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cxx/reach.h"
#include "cxx/reach_live.h"
#include "cxx/stub.h"

/* Few questions: so their edits are made at once. */
struct stub_search {
	struct search s; /* first */
	struct view *view;
	struct edit edits[STUB_FORMS]; /* owned */
	uint32_t asked;
	bool open;
};

/* All in front of the tail goes, and what mentions it becomes the stub. */
static struct edit whole_edit(const struct stubs *stubs, enum stub_form form, struct arena *arena)
{
	struct edit_part *parts = arena_alloc(arena, (stubs->n + (size_t)1) * sizeof *parts);
	uint32_t n = 0, end = 0;
	const char *text = stubs->n ? stubs->declaration[form] : "";
	parts[n++] = (struct edit_part){ 0, stubs->tail, (uint32_t)strlen(text),
		                         stubs->n ? (const uint8_t *)text : NULL };
	for (uint32_t i = 0; i < stubs->n; i++) {
		const struct stub_mention *m = &stubs->mentions[i];
		bool typed = form == STUB_TYPED && m->args;
		if (m->begin < end)
			continue;
		end = typed ? m->args : m->end;
		text = typed ? stubs->name : m->text;
		parts[n++] = (struct edit_part){ m->begin, end, (uint32_t)strlen(text),
			                         *text ? (const uint8_t *)text : NULL };
	}
	return (struct edit){ n, parts };
}

static bool stub_next(struct search *search, struct arena *arena, struct question *q)
{
	struct stub_search *s = (struct stub_search *)search;
	if (s->open || search->done)
		return false;
	s->open = true;
	*q = (struct question){ .id = s->asked, .edit = edit_copy(arena, s->edits[s->asked]) };
	return true;
}

static void stub_tell(struct search *search, uint32_t id, bool interesting)
{
	struct stub_search *s = (struct stub_search *)search;
	if (!s->open || id != s->asked)
		bug("verdict on a question that was not asked");
	s->open = false;
	if (interesting)
		search_accept(search, s->edits[s->asked]);
	search->done = interesting || ++s->asked == STUB_FORMS;
}

static struct search *stub_clone(const struct search *search)
{
	const struct stub_search *from = (const struct stub_search *)search;
	struct stub_search *s = mem_dup(from, sizeof *from);
	view_ref(s->view);
	for (int i = 0; i < STUB_FORMS; i++)
		s->edits[i] = edit_keep(s->edits[i]);
	s->s.accepted = edit_keep(s->s.accepted);
	return &s->s;
}

static void stub_free(struct search *search)
{
	struct stub_search *s = (struct stub_search *)search;
	edit_drop(search->accepted);
	for (int i = 0; i < STUB_FORMS; i++)
		edit_drop(s->edits[i]);
	view_unref(s->view);
	free(s);
}

struct search *stub_search_new(struct view *view)
{
	static const struct search_ops ops = { stub_next, stub_tell, stub_clone, stub_free };
	struct stub_search *s = mem_zero(1, sizeof *s);
	s->s.ops = &ops;
	s->view = view_ref(view);
	struct reach *r = reach_new(view, view->tc->size, true);
	struct stubs stubs = { .tail = 0 };
	if (r)
		stubs_find(r, &stubs);
	struct arena scratch = { 0 };
	s->s.done = !stubs.tail;
	for (int i = 0; i < STUB_FORMS && stubs.tail; i++) {
		s->edits[i] = edit_keep(whole_edit(&stubs, (enum stub_form)i, &scratch));
		s->s.done |= edit_saving(s->edits[i]) <= 0;
	}
	arena_release(&scratch);
	stubs_release(&stubs);
	reach_unref(r);
	return &s->s;
}
