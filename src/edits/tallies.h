/* Lines that a number in front of them counts by how they begin: in a patch the head of a hunk says
 * how many of its lines are in the old file and how many in the new one. Which brackets such a head
 * has, and with what the lines begin, the tokenizer says (`tally`, whittle-tokenizer(5)). */
#ifndef WHITTLE_EDITS_TALLIES_H
#define WHITTLE_EDITS_TALLIES_H

#include "search/view.h"
#include "binary/repair.h"

/* The numbers of the view, which has its tree, as fields that count lines; NULL: there are none.
 * The caller releases it. */
struct repair *tallies_find(const struct view *v);

#endif
