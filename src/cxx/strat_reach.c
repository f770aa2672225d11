/* Declarations that nothing needs any more, in large sources. */

#include "base/err.h"
#include "cxx/reach.h"
#include "cxx/reach_prune.h"
#include "cxx/reach_search.h"
#include "cxx/stub.h"
#include "edits/strategies.h"
#include "search/search.h"
#include "search/view.h"

/* The pass "stub": the tail of a large C++ source without its front, a stub for all that it
 * mentions of it (stub.h). */

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

/* Takes a reference of its own on the view, which has its tree. Done from the start when there is
 * no tail that stands behind a library. */
static struct search *stub_search(struct view *view)
{
	static const struct search_ops ops = { stub_next, stub_tell, stub_clone, stub_free };
	struct stub_search *s = mem_zero(1, sizeof *s);
	s->s.ops = &ops;
	s->view = view_ref(view);
	struct reach *r = reach_new(view, view->tc->size, true);
	SCOPED(stubs_release) struct stubs stubs = { .tail = 0 };
	if (r)
		stubs_find(r, &stubs);
	ARENA_SCOPED struct arena scratch = { 0 };
	s->s.done = !stubs.tail;
	for (int i = 0; i < STUB_FORMS && stubs.tail; i++) {
		s->edits[i] = edit_keep(whole_edit(&stubs, (enum stub_form)i, &scratch));
		s->s.done |= edit_saving(s->edits[i]) <= 0;
	}
	reach_unref(r);
	return &s->s;
}

enum {
	BODIES = 2,    /* where fewer groups in braces hold statements declarations are none */
	OWN_WHOLE = 2, /* system headers are at least one part in so many, if a file has any */
};

static uint32_t reach_levels(const struct view *v)
{
	uint32_t bodies = 0;
	if (reach_is_worded(v))
		return !v->tc->is_tree && !v->spans;
	for (uint32_t i = 1; i < v->tree.n && bodies < BODIES; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		bodies += n->kind == TREE_GROUP &&
		          v->tc->bytes[view_token_begin(v, n->first)] == '{' &&
		          view_holds_statements(v, i);
	}
	return bodies == BODIES && !v->tc->is_tree && !v->spans ? 1 : 0;
}

/* Two; in a tree, too, where its files know each other's names. */
static uint32_t shared_levels(const struct view *v)
{
	return 2 * (v->tc->is_tree ? reach_is_worded(v) : reach_levels(v));
}

/* If the line from AT to END is a line marker, SYSTEM becomes whether what follows is a system
 * header's, which the flag 3 says. */
static void read_marker(const struct testcase *tc, uint32_t at, uint32_t end, bool *system)
{
	const char *line = (const char *)tc->bytes + at;
	const char *quote =
		end - at > 4 && line[0] == '#' && line[1] == ' ' && line[2] >= '0' && line[2] <= '9'
			? memrchr(line, '"', end - at)
			: NULL;
	if (quote)
		*system = memmem(quote, (size_t)(line + (end - at) - quote), " 3", 2) != NULL;
}

/* Line markers say that most of the file is the user's own: what is needed may stand anywhere. */
static bool is_own(const struct testcase *tc)
{
	bool system = false, any = false;
	uint64_t bytes = 0;
	for (uint32_t at = 0; at < tc->size;) {
		const uint8_t *nl = memchr(tc->bytes + at, '\n', tc->size - at);
		uint32_t end = nl ? (uint32_t)(nl - tc->bytes) + 1 : tc->size;
		read_marker(tc, at, end, &system);
		any |= system;
		bytes += system ? end - at : 0;
		at = end;
	}
	return any && bytes < tc->size / OWN_WHOLE;
}

/* Of what looks for a front that the end does not need, as headers are: only in languages whose
 * files begin with them. */
static uint32_t front_levels(const struct view *v)
{
	return reach_levels(v) && reach_is_forward_in(v) && !is_own(v->tc) ? 1 : 0;
}

static uint32_t two_front_levels(const struct view *v)
{
	return 2 * front_levels(v);
}

static struct search *reach_search(struct view *view, UNUSED uint32_t level)
{
	return reach_search_new(view, REACH_FULLY);
}

const struct strategy strategy_reach = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = front_levels,
	.search = reach_search,
};

/* What a few answers tell at first. */
static struct search *prune_search(struct view *view, uint32_t level)
{
	if (level)
		return reach_prune_new(view, PRUNE_FRONT);
	return reach_search_new(view, reach_is_worded(view) ? REACH_FULLY : REACH_BY_LEVEL);
}

const struct strategy strategy_prune = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = shared_levels,
	.search = prune_search,
};

static struct search *trim_search(struct view *view, UNUSED uint32_t level)
{
	return reach_prune_new(view, PRUNE_END);
}

const struct strategy strategy_trim = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = front_levels,
	.search = trim_search,
};

/* Bodies of functions, then declarations. */
static struct search *first_search(struct view *view, uint32_t level)
{
	return reach_search_new(view, level ? REACH_LEVELS : REACH_DEFINITIONS);
}

const struct strategy strategy_reach_levels = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = two_front_levels,
	.search = first_search,
};

/* What is behind the end that matters first. */
static struct search *end_search(struct view *view, uint32_t level)
{
	return level ? stub_search(view) : reach_end_new(view);
}

static uint32_t stub_levels(const struct view *v)
{
	return reach_is_forward_in(v) ? 2 * reach_levels(v) : 0;
}

const struct strategy strategy_stub = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = stub_levels,
	.search = end_search,
};
