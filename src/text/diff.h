/* The difference of two texts as an edit: for programs that hand back a whole new file where an
 * edit is wanted, so that several of their results can be united.
 *
 * Words (runs of letters, digits and '_') and single other bytes are compared, by the greedy
 * algorithm of E. Myers, "An O(ND) difference algorithm and its variations" (1986), as far as
 * DIFF_MAX differences; texts that differ in more are one replacement of all between their common
 * ends.
 */
#pragma once

#include "text/edit.h"

enum { DIFF_MAX = 500 };

/* May byte C be part of a word? */
bool diff_in_word(uint8_t c);

/* How many bytes, at most MOST, are the same from A and B on; and before their ends A and B. */
uint32_t diff_common(const uint8_t *a, const uint8_t *b, uint32_t most);
uint32_t diff_common_end(const uint8_t *a, const uint8_t *b, uint32_t most);

/* The edit that makes the LEN bytes at NEW of BASE; EDIT_NONE when they are equal. Its parts and
 * their bytes are copied into ARENA. Time and memory are bounded by the sizes and DIFF_MAX squared.
 */
struct edit diff_edit(struct arena *arena, const struct testcase *base, const uint8_t *new,
                      uint32_t len);
