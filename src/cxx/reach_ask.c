#include "cxx/reach_ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "cxx/reach_live.h"

int reach_unit_order(const void *a, const void *b)
{
	const struct reach_unit *x = a, *y = b;
	if (x->worth != y->worth)
		return x->worth > y->worth ? -1 : 1;
	return x->item > y->item ? -1 : x->item < y->item;
}

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
