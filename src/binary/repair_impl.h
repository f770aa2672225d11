/* What repairing an edit and following one have in common. Internal to repair.c and repair_map.c.
 */
#ifndef WHITTLE_BINARY_REPAIR_IMPL_H
#define WHITTLE_BINARY_REPAIR_IMPL_H

#include <stdbool.h>
#include <stdint.h>

#include "text/edit.h"

struct field;
struct repair;

/* The order in which fields are repaired, for qsort. */
int repair_order(const void *a, const void *b);

/* The sum of what the span of F becomes by EDIT. */
uint32_t repair_sum(const struct repair *r, const struct field *f, const uint8_t *bytes,
                    struct edit edit);

/* The length of the elements that F is about. */
int64_t repair_listed(const struct repair *r, const struct field *f);

/* How many parts begin before AT. */
uint32_t repair_parts_before(struct edit edit, uint32_t at);

/* Bytes that there are more before the k-th part ends; the caller frees them. */
int64_t *repair_shifts(struct edit edit);

/* Where AT is after the edit; a place within a part is as far into its text as the text goes. */
uint32_t repair_moved(struct edit edit, const int64_t *shift, uint32_t at);

/* Is any of [begin, end) replaced or cut? All of it cut? */
bool repair_touched(struct edit edit, uint32_t begin, uint32_t end);
bool repair_is_cut(struct edit edit, uint32_t begin, uint32_t end);

/* How many elements of each list go before each of its own, found when first asked for. */
struct repair_places {
	uint32_t **gone; /* of each list, one more than it has elements; NULL: not yet known */
};

/* What the place that F says becomes by EDIT; release with repair_places_release. */
uint64_t repair_place(struct repair_places *places, const struct repair *r, const struct field *f,
                      const uint8_t *bytes, struct edit edit);
void repair_places_release(struct repair_places *places, const struct repair *r);

/* Does EDIT take all elements of the list of F, of which there are some? What stands exactly in the
 * place of one is another name for it. */
bool repair_takes_last(const struct repair *r, const struct field *f, struct edit edit);

#endif
