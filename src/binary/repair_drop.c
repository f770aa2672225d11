#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/repair.h"
#include "binary/repair_impl.h"

static bool is_place(const struct field *f)
{
	return f->kind == FIELD_PLACE;
}

/* Does EDIT write F anew? */
static bool writes(struct edit edit, const struct field *f)
{
	for (uint32_t k = repair_parts_before(edit, f->at); k < edit.n; k++) {
		const struct edit_part *p = &edit.parts[k];
		if (p->begin != f->at)
			return false;
		if (p->end == f->at + f->width && p->len)
			return true;
	}
	return false;
}

/* R with the fields that are not GONE. */
static struct repair *rest(const struct repair *r, const bool *gone)
{
	struct field *fields = mem_alloc((r->n + (size_t)1) * sizeof *fields);
	struct element *elements = mem_alloc((r->n_elements + (size_t)1) * sizeof *elements);
	struct element_list *lists = mem_alloc((r->n_lists + (size_t)1) * sizeof *lists);
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (!gone[i])
			fields[n++] = r->fields[i];
	if (r->n_elements)
		memcpy(elements, r->elements, r->n_elements * sizeof *elements);
	if (r->n_lists)
		memcpy(lists, r->lists, r->n_lists * sizeof *lists);
	return repair_new(fields, n, elements, r->n_elements, lists, r->n_lists);
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
	uint32_t width = f->width, left = list->n;
	uint64_t value = 0;
	for (uint32_t i = 0; i < list->n; i++) {
		const struct element *e = &r->elements[list->first + i];
		left -= repair_is_cut(edit, e->begin, e->end);
	}
	return code_read(f->code, bytes + f->at, bytes + f->at + f->width, &width, &value) &&
	       (int64_t)value - f->bias >= left;
}

struct repair *repair_without(const struct repair *r, const uint8_t *bytes, struct edit edit,
                              enum repair_useless useless)
{
	bool *gone = mem_zero(r->n + (size_t)1, sizeof *gone);
	bool *lists = mem_zero(r->n_lists + (size_t)1, sizeof *lists);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct field *f = &r->fields[i];
		if (!writes(edit, f))
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
