#include "cxx/reach_own.h"

#include "cxx/reach_impl.h"

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

static bool is_outward(const struct reach *r, uint32_t i)
{
	const struct reach_item *item = &r->items[i];
	if (item->n_declares || item->kind != REACH_PLAIN)
		return false;
	const struct view *v = r->view;
	for (uint32_t t = item->first; t < v->tree.nodes[item->node].last; t++) {
		uint32_t name = r->name_at[t];
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER && name != REACH_NONE &&
		    r->first_by[name] < r->first_by[name + 1])
			return false;
	}
	return true;
}

void reach_keep_others(struct reach *r)
{
	for (uint32_t i = 0; i < r->n && reach_is_worded(r->view); i++)
		r->items[i].with_it |= is_outward(r, i);
}

bool reach_is_root(const struct reach *r, uint32_t i)
{
	const struct reach_item *item = &r->items[i];
	if (item->kind == REACH_HEAD)
		return true;
	return item->with_it && item->parent == REACH_NONE && reach_is_worded(r->view);
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
