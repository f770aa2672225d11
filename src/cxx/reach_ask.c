#include "cxx/reach_ask.h"

#include "base/err.h"
#include "base/mem.h"
#include "cxx/reach_live.h"

void reach_ask_begin(struct reach_ask *a, const struct search_ops *ops, struct reach *r)
{
	size_t n = r->n + (size_t)1;
	*a = (struct reach_ask){ .s = { .ops = ops, .done = !r->n },
		                 .r = r,
		                 .often = 50,
		                 .left = mem_alloc(n),
		                 .tried = mem_zero(n, 1),
		                 .size = r->view->tc->size,
		                 .mark_size = r->view->tc->size };
	memset(a->left, 1, n);
}

bool reach_ask_next(struct search *search, struct arena *arena, struct question *q)
{
	struct reach_ask *a = (struct reach_ask *)search;
	if (a->open || search->done)
		return false;
	a->open = true;
	*q = (struct question){ .id = a->asked,
		                .chance = a->often,
		                .edit = reach_edit(a->r, a->tried, arena) };
	return true;
}

static void accept(struct reach_ask *a)
{
	struct arena scratch = { 0 };
	memcpy(a->left, a->tried, a->r->n);
	search_accept(&a->s, reach_edit(a->r, a->left, &scratch));
	arena_release(&scratch);
	a->size = reach_size(a->r, a->left);
}

void reach_ask_told(struct reach_ask *a, uint32_t id, bool interesting)
{
	if (!a->open || id != a->asked)
		bug("verdict on a question that was not asked");
	a->open = false;
	a->asked++;
	/* In C and C++ closures pay after dozens of questions. */
	a->s.n_rounds += reach_is_worded(a->r->view) || !reach_is_forward_in(a->r->view);
	a->often = (uint8_t)((3 * a->often + (interesting ? 100 : 0)) / 4);
	if (interesting)
		accept(a);
}

void reach_ask_judge(struct reach_ask *a, uint32_t questions, uint32_t pays)
{
	if (a->asked - a->mark_asked < questions)
		return;
	a->s.done |= a->mark_size - a->size <= (a->mark_size - a->floor) / pays;
	a->mark_asked = a->asked;
	a->mark_size = a->size;
}

void reach_ask_own(struct reach_ask *a)
{
	size_t n = a->r->n + (size_t)1;
	reach_ref(a->r);
	a->left = mem_dup(a->left, n);
	a->tried = mem_dup(a->tried, n);
	a->s.accepted = edit_keep(a->s.accepted);
}

void reach_ask_release(struct reach_ask *a)
{
	edit_drop(a->s.accepted);
	free(a->left);
	free(a->tried);
	reach_unref(a->r);
}

enum {
	TAIL_SHARE = 4, /* the tail is the last so-manieth part */
	TAIL_MOST = 16 << 10,
};

uint32_t reach_tail(uint32_t size, uint32_t least)
{
	uint32_t tail = size / TAIL_SHARE < TAIL_MOST ? size / TAIL_SHARE : TAIL_MOST;
	tail = tail < least ? least : tail;
	return tail < size ? size - tail : 0;
}

/* In a script: what is done behind the last function or type. */
static uint32_t script_own(const struct reach *r)
{
	uint32_t end = 0, n = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct reach_item *item = &r->items[i];
		if (item->parent != REACH_NONE)
			continue;
		n = item->said.name == REACH_NONE ? n + 1 : 0;
		end = item->said.name == REACH_NONE ? end : item->end;
	}
	return n && end ? end : r->tail;
}

bool reach_is_root(const struct reach *r, uint32_t i)
{
	const struct reach_item *item = &r->items[i];
	if (item->kind == REACH_HEAD)
		return true;
	return item->stays_with_type && item->parent == REACH_NONE && reach_is_worded(r->view);
}

uint32_t reach_own(const struct reach *r, uint32_t least)
{
	if (reach_is_worded(r->view))
		return script_own(r);
	uint32_t bytes[REACH_ANYWHERE + 1] = { 0 }, end[REACH_ANYWHERE + 1] = { 0 }, most = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct reach_item *item = &r->items[i];
		if (!item->library || item->kind == REACH_SPACE)
			continue;
		bytes[item->library] += item->end - item->begin;
		end[item->library] = item->end;
		if (bytes[item->library] > bytes[most])
			most = item->library;
	}
	bool plain = end[most] < r->tail || r->view->tc->size - end[most] < least;
	return plain ? r->tail : end[most];
}
