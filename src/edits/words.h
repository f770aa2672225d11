/* The words of a test case, whatever tokens they stand in: a letter or "_", then letters, digits
 * and "_". */
#pragma once

#include "base/mem.h"
#include "search/view.h"

/* Of the test case BYTES. */
bool range_same(const uint8_t *bytes, struct range a, struct range b); /* do they say the same? */

/* For qsort_r: the shorter first, else by what they say, else by place. */
int range_order(const void *a, const void *b, void *bytes);

/* PLACE as a part that becomes what is at VALUE. */
struct edit_part range_become(const uint8_t *bytes, struct range place, struct range value);

struct words {
	uint8_t *bytes; /* the test case's */
	uint32_t n;
	struct range *list; /* in document order */
	uint32_t *order;    /* their numbers: equal ones beside one another, in document order */
};

/* May byte C be part of a word? */
bool words_has(uint8_t c);

/* All words of TC, which has its bytes in one piece. In ARENA. */
void words_read(struct words *words, const struct testcase *tc, struct arena *arena);

/* Would the bytes on both sides of [begin, end) of TC grow into one word? */
bool words_would_glue(const struct testcase *tc, uint32_t begin, uint32_t end);

/* Has a blank to come in place of the comment TOKEN, the last of those that touch, so that two
 * words stay two without them? The view has its tokens. */
bool words_comment_glues(const struct view *v, uint32_t token);

/* Where in the order the words end that are equal to the one at FIRST of it. */
uint32_t words_equal(const struct words *words, uint32_t first);
