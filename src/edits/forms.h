/* Forms: brackets that are all of an item, as in Lisp (`stand-in form`). */
#pragma once

#include "search/view.h"

/* Does the language of the view consist of forms? */
bool has_forms(const struct view *view);

/* What stands in for the form that ITEM is, a node of the view's tree; NULL: it is none. */
const char *form_stand_in(const struct view *view, uint32_t item);

/* Of such a form that begins with a word that declares: the token with which that begins by which
 * its name is defined, behind the name and the parameters. TREE_NONE: there is none. */
uint32_t form_body(const struct view *view, uint32_t item);
