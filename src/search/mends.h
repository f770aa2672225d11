/* What has to change in a view because of an edit: mentions of definitions that go
 * (lang/references.h), and brackets that would hold nothing where a language does not allow that
 * (`stand-in inside`, whittle-tokenizer(5)). */
#pragma once

#include "search/view.h"

/* Does the tokenizer of VIEW, which has its tokens, say anything of that? Of brackets only if it
 * has its TREE for what asks, and not for another one by chance. */
bool mends_any(struct view *view, bool tree);

/* PLAIN with these changes, in ARENA. */
struct edit mends_edit(struct view *view, struct edit plain, struct arena *arena);

/* The group that begins with a token; TREE_NONE. */
uint32_t mends_group_at(const struct view *view, uint32_t token);

/* What stands in for all that is inside of GROUP, a node of the view's tree, in ARENA; "": the
 * brackets go as well; NULL: nothing has to. */
const char *mends_stand_in(const struct view *view, uint32_t group, struct arena *arena);
