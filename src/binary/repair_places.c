#include <stdlib.h>

#include "base/mem.h"
#include "binary/repair.h"
#include "binary/repair_impl.h"

static uint32_t *count_gone(const struct repair *r, const struct element_list *list,
                            struct edit edit)
{
	uint32_t *gone = mem_alloc((list->n + (size_t)1) * sizeof *gone);
	gone[0] = 0;
	for (uint32_t i = 0; i < list->n; i++) {
		const struct element *e = &r->elements[list->first + i];
		gone[i + 1] = gone[i] + repair_is_cut(edit, e->begin, e->end);
	}
	return gone;
}

uint64_t repair_place(struct repair_places *places, const struct repair *r, const struct field *f,
                      const uint8_t *bytes, struct edit edit)
{
	const struct element_list *list = &r->lists[f->list];
	uint32_t width = f->width;
	uint64_t value = 0;
	if (!code_read(f->code, bytes + f->at, bytes + f->at + f->width, &width, &value) ||
	    (int64_t)value < f->bias || (int64_t)value - f->bias >= list->n)
		return value;
	if (!places->gone)
		places->gone = mem_zero(r->n_lists, sizeof *places->gone);
	if (!places->gone[f->list])
		places->gone[f->list] = count_gone(r, list, edit);
	const uint32_t *gone = places->gone[f->list];
	uint32_t left = list->n - gone[list->n];
	uint32_t place = (uint32_t)((int64_t)value - f->bias);
	place -= gone[place];
	if (place >= left)
		place = left ? left - 1 : 0;
	return (uint64_t)((int64_t)place + f->bias);
}

void repair_places_release(struct repair_places *places, const struct repair *r)
{
	for (uint32_t i = 0; i < r->n_lists && places->gone; i++)
		free(places->gone[i]);
	free(places->gone);
}

/* Does a part that is more than E hold all of it? */
static bool is_gone(struct edit edit, const struct element *e)
{
	uint32_t k = repair_parts_before(edit, e->begin + 1);
	const struct edit_part *p = k ? &edit.parts[k - 1] : NULL;
	return p && p->end >= e->end && (!p->len || p->begin < e->begin || p->end > e->end);
}

bool repair_takes_last(const struct repair *r, const struct field *f, struct edit edit)
{
	const struct element_list *list = &r->lists[f->list];
	for (uint32_t i = 0; i < list->n; i++)
		if (!is_gone(edit, &r->elements[list->first + i]))
			return false;
	return list->n > 0;
}
