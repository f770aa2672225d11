#include "base/hash.h"
#include "cxx/reach_impl.h"
#include "edits/solid.h"

uint8_t reach_library(const struct reach *r, uint32_t name)
{
	for (uint32_t i = 1; i < r->libraries.n; i++)
		if (r->libraries.names[i] == name)
			return (uint8_t)i;
	return REACH_ANYWHERE;
}

bool reach_is_library(const struct reach *r, uint32_t name)
{
	return reach_library(r, name) != REACH_ANYWHERE;
}

uint8_t reach_library_of(struct reach *r, uint32_t parent)
{
	if (parent == REACH_NONE)
		return 0;
	const struct reach_item *p = &r->items[parent];
	if (p->library || p->kind != REACH_SPACE || !p->n_declares)
		return p->library;
	uint32_t name = r->names[p->declares];
	uint8_t library = reach_library(r, name);
	if (library == REACH_ANYWHERE && r->libraries.n < REACH_ANYWHERE) {
		library = (uint8_t)r->libraries.n;
		r->libraries.names[r->libraries.n++] = name;
	}
	return library;
}

bool reach_is_inline(const struct reach *r, uint32_t i)
{
	const struct reach_item *item = &r->items[i];
	return item->kind == REACH_SPACE && token_is(r->view, item->first, "inline");
}

/* Parts of an inline namespace after the first need not say so. */
static bool was_inline(const struct reach *r, struct reach_texts *x, uint32_t space)
{
	uint32_t name = r->names[r->items[space].declares];
	for (uint32_t i = 0; i < x->inlines.n; i++)
		if (x->inlines.names[i] == name)
			return true;
	bool is = reach_is_inline(r, space) && x->inlines.n < REACH_ANYWHERE;
	if (is)
		x->inlines.names[x->inlines.n++] = name;
	return is;
}

uint32_t reach_scope_of(const struct reach *r, struct reach_texts *x, uint32_t parent)
{
	if (parent == REACH_NONE)
		return 0;
	const struct reach_item *p = &r->items[parent];
	if (p->kind != REACH_SPACE || !p->n_declares || was_inline(r, x, parent))
		return p->scope;
	const uint32_t path[] = { p->scope, r->names[p->declares] };
	return (uint32_t)hash_bytes(path, sizeof path, 0).lo | 1;
}
