#include "cuts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/mem.h"
#include "text/edit.h"

bool cuts_is_border(const struct records *r, uint32_t begin, uint32_t end)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i].begin == begin && r->list[i].end == end)
			return true;
	return false;
}

struct testcase *cuts_apply(const struct records *r, struct testcase *tc, uint32_t from,
                            uint32_t to)
{
	struct arena arena = { 0 };
	struct edit edit = repair_edit(r->repair, tc->bytes, edit_cut(&arena, from, to), &arena);
	struct testcase *cut = edit_apply(tc, edit);
	struct records *mapped = records_map(r, NULL, edit, cut->bytes, cut->size, true);
	for (uint32_t i = 0; i < mapped->repair->n; i++)
		assert_true(field_holds(mapped->repair, &mapped->repair->fields[i], cut->bytes,
		                        cut->size));
	records_unref(mapped);
	arena_release(&arena);
	return cut;
}
