/* Words with the marks that make them a use of what is defined without one: $x, ${x}, &x;, `x. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "search/strategy.h"
#include "edits/words.h"

/* Equal words [first, last) of the order; the first of them may be where it is defined. */
struct word_class {
	uint32_t first, last;
};

/* What the strategies here know of a test case. */
struct marked_words {
	struct words words;
	struct word_class *classes; /* one for each place */
	uint32_t *item;             /* per token: the innermost item */
};

/* The classes of P: words that stand two to nine times, at most 4,096 of them, none of a binary
 * file. Sets the number and the data of P, a struct marked_words; in its arena. */
void marks_open(struct edit_sites *p);

/* Is C one of the characters of SET? */
bool marks_one_of(uint8_t c, const char *set);

/* R without the white space at both ends. */
struct range marks_trimmed(const uint8_t *bytes, struct range r);

/* The token that holds the byte at OFFSET. The view has its tokens. */
uint32_t marks_token_at(const struct view *v, uint32_t offset);

/* The first group that begins at TOKEN or behind it; TREE_NONE: none. The view has its tree. */
uint32_t marks_group_behind(const struct view *v, uint32_t token);

/* A word with what marks it as a use, which is longer than the word; the word itself when nothing
 * does. A mark that C and its kin have as an operator counts only within the token. */
struct range marks_use(const struct view *v, struct range w);
