/* A repair without what is of no use in it, see repair.h. */
#include "binary/repair.h"

#include "base/mem.h"

static bool is_place(const struct field *f)
{
	return f->kind == FIELD_PLACE;
}

/* R with the fields that are not GONE. */
static struct repair *rest(const struct repair *r, const bool *gone)
{
	struct repair left = *r;
	left.fields = mem_alloc((r->n + (size_t)1) * sizeof *left.fields);
	left.n = 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (!gone[i])
			left.fields[left.n++] = r->fields[i];
	struct repair *out = repair_join(&left, NULL);
	free(left.fields);
	return out;
}

struct repair *repair_without_places(const struct repair *r)
{
	bool *gone = mem_zero(r->n + (size_t)1, sizeof *gone);
	for (uint32_t i = 0; i < r->n; i++)
		gone[i] = is_place(&r->fields[i]);
	struct repair *out = rest(r, gone);
	free(gone);
	return out;
}

/* Is what F says, where EDIT does not write it, no place any more? */
static bool is_beyond(const struct repair *r, const struct field *f, const uint8_t *bytes,
                      struct edit edit)
{
	const struct element_list *list = &r->lists[f->list];
	uint32_t place, left = 0;
	for (uint32_t i = 0; i < list->n; i++) {
		const struct element *e = &r->elements[list->first + i];
		left += !repair_is_cut(edit, e->begin, e->end);
	}
	return repair_place(r, f, bytes, &place) && place >= left;
}

struct repair *repair_without(const struct repair *r, const uint8_t *bytes, struct edit edit,
                              enum repair_useless useless)
{
	bool *gone = mem_zero(r->n + (size_t)1, sizeof *gone);
	bool *lists = mem_zero(r->n_lists + (size_t)1, sizeof *lists);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct field *f = &r->fields[i];
		if (!repair_written(edit, f))
			continue;
		if (!is_place(f))
			gone[i] = useless == REPAIR_USELESS;
		else if (!lists[f->list])
			lists[f->list] = useless == REPAIR_BREAKS || is_beyond(r, f, bytes, edit);
	}
	for (uint32_t i = 0; i < r->n; i++)
		gone[i] |= is_place(&r->fields[i]) && lists[r->fields[i].list];
	struct repair *out = rest(r, gone);
	free(lists);
	free(gone);
	return out;
}
