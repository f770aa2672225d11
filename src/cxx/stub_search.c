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

enum {
	FRUITLESS = 24, /* questions in a row */
	LEVELS = REACH_BODIES + 1,
	WORTH = 16, /* the front is so many times as long as what declares the stub */
};

/* What the names of the tail are; shared by clones. */
struct mentioned {
	unsigned refs;
	struct reach *r;
	struct stubs stubs;
	uint8_t *roots; /* by item: it is of the tail */
};

struct stub_names {
	struct search s; /* first */
	struct mentioned *m;
	uint8_t *stubbed;  /* by name */
	uint32_t n, *left; /* names that are not */
	uint32_t parts;    /* of that row, nearly equal, at most n */
	uint32_t part;     /* the open question keeps this one; from PARTS on all but it */
	uint32_t asked, fruitless;
	int64_t saving; /* of what was accepted */
	bool open;
	struct edit edit; /* owned; the open question's */
};

static void mentioned_unref(struct mentioned *m)
{
	if (--m->refs)
		return;
	stubs_release(&m->stubs);
	reach_unref(m->r);
	free(m->roots);
	free(m);
}

/* The parts that replace what mentions a name with STUBBED[name], behind the declaration. */
static uint32_t add_parts(const struct stubs *stubs, const uint8_t *stubbed,
                          struct edit_part *parts)
{
	const char *text = stubs->declaration[STUB_TYPED];
	uint32_t n = 0, end = 0;
	parts[n++] = (struct edit_part){ stubs->tail, stubs->tail, (uint32_t)strlen(text),
		                         (const uint8_t *)text };
	for (uint32_t i = 0; i < stubs->n; i++) {
		const struct stub_mention *m = &stubs->mentions[i];
		if (m->begin < end || m->name == REACH_NONE || !stubbed[m->name])
			continue;
		text = m->args ? stubs->name : m->text;
		end = m->args ? m->args : m->end;
		parts[n++] = (struct edit_part){ m->begin, end, (uint32_t)strlen(text),
			                         *text ? (const uint8_t *)text : NULL };
	}
	return n;
}

/* HIDDEN[name] becomes 1 unless the tail mentions NAME outside of the N parts. */
static void find_hidden(const struct reach *r, const struct edit_part *parts, uint32_t n,
                        uint8_t *hidden)
{
	const struct tokens *tokens = &r->view->tokens;
	uint32_t part = 1;
	memset(hidden, 1, r->n_texts);
	for (uint32_t t = 0; t < tokens->n; t++) {
		uint32_t at = tokens->list[t].begin;
		while (part < n && parts[part].end <= at)
			part++;
		bool kept = at >= parts[0].begin && (part == n || at < parts[part].begin);
		if (kept && r->name_at[t] != REACH_NONE)
			hidden[r->name_at[t]] = 0;
	}
}

/* The candidate in which those with STUBBED[name] are, and of the front is left what the others
 * reach at LEVEL; false when it cannot be. */
static bool make_edit(const struct mentioned *m, const uint8_t *stubbed, unsigned level,
                      struct arena *arena, struct edit *out)
{
	const struct reach *r = m->r;
	uint8_t *hidden = arena_alloc(arena, r->n_texts + (size_t)1);
	uint8_t *stays = arena_alloc(arena, r->n + (size_t)1);
	struct edit_part *parts =
		arena_alloc(arena, (m->stubs.n + r->n + (size_t)2) * sizeof *parts);
	uint32_t n = add_parts(&m->stubs, stubbed, parts);
	find_hidden(r, parts, n, hidden);
	reach_live_without(r, m->stubs.tail, hidden, m->roots, level, stays);
	struct edit front = reach_edit(r, stays, arena);
	if (front.n)
		memcpy(parts + n, front.parts, front.n * sizeof *parts);
	return edit_make(arena, parts, n + front.n, out);
}

/* Does the open question stub the Ith name of the row? */
static bool goes(const struct stub_names *s, uint32_t i)
{
	bool keeps = s->part < s->parts;
	uint64_t part = keeps ? s->part : s->part - s->parts;
	bool within = i >= part * s->n / s->parts && i < (part + 1) * s->n / s->parts;
	return within != keeps;
}

/* What is most likely to work and makes the file smaller: as much of the front as may be. */
static bool make_smaller(struct stub_names *s, struct arena *arena, struct edit *out)
{
	for (unsigned level = LEVELS; level-- > 0;)
		if (make_edit(s->m, s->stubbed, level | REACH_WITH_BODIES | REACH_AT_ONCE, arena,
		              out) &&
		    edit_saving(*out) > s->saving)
			return true;
	return false;
}

static bool prepare(struct stub_names *s)
{
	struct arena scratch = { 0 };
	struct edit edit;
	for (uint32_t i = 0; i < s->n; i++)
		s->stubbed[s->left[i]] = goes(s, i);
	bool can = make_smaller(s, &scratch, &edit);
	if (can)
		s->edit = edit_keep(edit);
	for (uint32_t i = 0; i < s->n; i++)
		s->stubbed[s->left[i]] = 0;
	arena_release(&scratch);
	return can;
}

/* The next part that makes the file smaller becomes the open question. Of two parts all but one is
 * the other. */
static void choose(struct stub_names *s)
{
	while (s->n > 1 && s->fruitless < FRUITLESS) {
		if (s->part < (s->parts == 2 ? 1 : 2) * s->parts) {
			if (prepare(s))
				return;
			s->part++;
		} else if (s->parts < s->n) {
			s->part = 0;
			s->parts = 2 * s->parts < s->n ? 2 * s->parts : s->n;
		} else
			break;
	}
	s->s.done = true;
}

static bool names_next(struct search *search, struct arena *arena, struct question *q)
{
	struct stub_names *s = (struct stub_names *)search;
	if (s->open || search->done)
		return false;
	s->open = true;
	*q = (struct question){ .id = s->asked, .edit = edit_copy(arena, s->edit) };
	return true;
}

/* The names that the question stubs are none of the row any more. */
static void take(struct stub_names *s)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		s->stubbed[s->left[i]] = goes(s, i);
		if (!goes(s, i))
			s->left[n++] = s->left[i];
	}
	s->parts = s->part < s->parts ? 2 : s->parts - 1;
	s->n = n;
	s->parts = s->parts < 2 ? 2 : s->parts < n ? s->parts : n;
	s->part = 0;
	s->saving = edit_saving(s->edit);
	search_accept(&s->s, s->edit);
	s->s.needs_front = true;
}

static void names_tell(struct search *search, uint32_t id, bool interesting)
{
	struct stub_names *s = (struct stub_names *)search;
	if (!s->open || id != s->asked)
		bug("verdict on a question that was not asked");
	s->open = false;
	s->asked++;
	s->fruitless = interesting ? 0 : s->fruitless + 1;
	if (interesting)
		take(s);
	else
		s->part++;
	edit_drop(s->edit);
	s->edit = EDIT_NONE;
	choose(s);
}

static struct search *names_clone(const struct search *search)
{
	const struct stub_names *from = (const struct stub_names *)search;
	struct stub_names *s = mem_dup(from, sizeof *from);
	s->m->refs++;
	s->stubbed = mem_dup(from->stubbed, s->m->r->n_texts + (size_t)1);
	s->left = mem_dup(from->left, (from->n + (size_t)1) * sizeof *from->left);
	s->edit = edit_keep(from->edit);
	s->s.accepted = edit_keep(from->s.accepted);
	return &s->s;
}

static void names_free(struct search *search)
{
	struct stub_names *s = (struct stub_names *)search;
	edit_drop(search->accepted);
	edit_drop(s->edit);
	mentioned_unref(s->m);
	free(s->stubbed);
	free(s->left);
	free(s);
}

/* The names in the order in which they are mentioned first. */
static void find_names(struct stub_names *s)
{
	const struct stubs *stubs = &s->m->stubs;
	uint8_t *met = mem_zero(s->m->r->n_texts + (size_t)1, 1);
	for (uint32_t i = 0; i < stubs->n; i++) {
		uint32_t name = stubs->mentions[i].name;
		if (name == REACH_NONE || met[name])
			continue;
		met[name] = 1;
		s->left[s->n++] = name;
	}
	free(met);
}

struct search *stub_names_new(struct view *view)
{
	static const struct search_ops ops = { names_next, names_tell, names_clone, names_free };
	struct stub_names *s = mem_zero(1, sizeof *s);
	struct mentioned *m = s->m = mem_zero(1, sizeof *m);
	s->s.ops = &ops;
	m->refs = 1;
	m->r = reach_new(view, view->tc->size, true);
	s->s.done = !m->r;
	if (s->s.done)
		return &s->s;
	stubs_find(m->r, &m->stubs);
	m->roots = mem_zero(m->r->n + (size_t)1, 1);
	for (uint32_t i = 0; i < m->r->n; i++)
		m->roots[i] = m->r->items[i].begin >= m->stubs.tail;
	s->stubbed = mem_zero(m->r->n_texts + (size_t)1, 1);
	s->left = mem_alloc((m->stubs.n + (size_t)1) * sizeof *s->left);
	if (m->stubs.tail && m->stubs.tail / WORTH > strlen(m->stubs.declaration[STUB_TYPED]))
		find_names(s);
	s->parts = 2;
	choose(s);
	return &s->s;
}
