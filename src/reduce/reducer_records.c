/* What a reducer knows of records, and of layers that are open. */
#include "reduce/reducer_impl.h"
#include "binary/forest.h"
#include "binary/layers.h"
#include "binary/pdf.h"
#include "binary/records.h"

void reducer_find_records(struct reducer *r)
{
	struct view *base = r->base;
	struct records *records =
		layers_records(tokenizer_schema(base->tokenizer), base->tc->bytes, base->tc->size);
	if (records)
		view_use_records(base, records);
	records_unref(records);
	r->records_on = base->tc->hash;
}

bool reducer_seek_records(struct reducer *r)
{
	const struct records *known = r->base->records;
	struct testcase *tc = r->base->tc;
	if (r->is_clone || tc->is_tree || r->options.spans ||
	    (known && known->proven && known->n) || hash_equal(r->records_on, tc->hash) ||
	    bytes_are_text(tc->bytes, tc->size))
		return false;
	r->records_on = tc->hash;
	struct records *records =
		layers_records(tokenizer_schema(r->base->tokenizer), tc->bytes, tc->size);
	bool found = records && !records->is_text;
	if (found) {
		struct view *base = reducer_view(r, tc, r->base->tokenizer);
		base->is_lenient = r->base->is_lenient;
		view_unref(r->base);
		r->base = base;
		view_use_records(base, records);
		for (uint32_t i = 0; i < passes_n; i++)
			if (passes_table[i].strategy->proves)
				plan_forget(&r->plan, i);
	}
	records_unref(records);
	return found;
}

/* Of a layer the rest of the file has at least one part in so many, or is its head and its sums. */
enum { OUTSIDE = 8 };

struct records *reducer_map_records(const struct reducer *r, const struct records *known,
                                    struct edit edit)
{
	const struct testcase *tc = r->current;
	bool opened = pump_opens(r), repaired = r->search->repaired;
	bool anew = edit.n == 1 && edit.parts[0].end - edit.parts[0].begin == r->base->tc->size;
	struct records *objects = opened && anew ? pdf_records(tc->bytes, tc->size) : NULL;
	if (objects) /* which were packed, or their streams were */
		return objects;
	/* a schema says what is there now */
	if (opened && (anew || (known && known->proven)) && tokenizer_schema(r->base->tokenizer))
		return layers_records(tokenizer_schema(r->base->tokenizer), tc->bytes, tc->size);
	if (known && opened && !known->proven)
		repaired = records_repaired(known, edit);
	struct records *mapped =
		known && (!opened || known->proven || repaired)
			? records_map(known, r->search->left, edit, tc->bytes, tc->size, repaired)
			: NULL;
	if (!opened)
		return mapped;
	struct records *all = layers_join(mapped, tc->bytes, tc->size);
	uint32_t outside = tc->size;
	for (uint32_t i = 0; i < all->n; i++)
		outside -= all->list[i].depth ? 0 : all->list[i].end - all->list[i].begin;
	all->proven = true;
	records_unref(mapped);
	if ((known && known->proven) || outside < tc->size / OUTSIDE)
		return all;
	/* what is in a layer may say what is outside */
	struct records *found = records_find(tc->bytes, tc->size);
	if (found) {
		records_unref(all);
		all = layers_join(found, tc->bytes, tc->size);
	}
	records_unref(found);
	return all;
}
