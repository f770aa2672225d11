/* What a reducer knows of records, and of layers that are open. */
#include "reduce/reducer_impl.h"
#include "text/layers.h"

void reducer_find_records(struct view *base)
{
	struct records *records =
		layers_records(tokenizer_schema(base->tokenizer), base->tc->bytes, base->tc->size);
	if (records)
		view_use_records(base, records);
	records_unref(records);
}

struct records *reducer_map_records(const struct reducer *r, const struct records *known,
                                    struct edit edit)
{
	const struct testcase *tc = r->current;
	bool opened = pump_opens(r), repaired = r->search->repaired;
	if (known && opened && !known->proven)
		repaired = records_repaired(known, edit);
	struct records *mapped =
		known && (!opened || known->proven || repaired)
			? records_map(known, r->search->left, edit, tc->bytes, tc->size, repaired)
			: NULL;
	if (!opened)
		return mapped;
	struct records *all = layers_join(mapped, tc->bytes, tc->size);
	all->proven = true;
	records_unref(mapped);
	return all;
}
