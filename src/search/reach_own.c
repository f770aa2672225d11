#include "search/reach_own.h"

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

uint32_t reach_own(const struct reach *r, uint32_t least)
{
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
