/* What may stand in for the inside of brackets that may not be empty (`stand-in inside`). */
#ifndef WHITTLE_EDITS_TREE_STAND_IN_H
#define WHITTLE_EDITS_TREE_STAND_IN_H

#include "base/mem.h"
#include "search/view.h"

/* What stands in for all that is inside of GROUP, a node of the view's tree, in ARENA; NULL:
 * nothing has to. */
const char *tree_stand_in(const struct view *view, uint32_t group, struct arena *arena);

#endif
