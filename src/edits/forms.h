/* Definitions that strat_expand.c cannot know by what is around their name alone: a binding between
 * two words (let x = e in), a query behind a name (with c as (q)), a type between a name and its
 * value, a variable that is declared in one statement and set in another, and a function in
 * brackets whose calls are in brackets, too: (define (f a) e), (f 1). */
#ifndef WHITTLE_EDITS_FORMS_H
#define WHITTLE_EDITS_FORMS_H

#include "edits/names.h"

/* What is known of a view; its strategy owns it. */
struct forms {
	struct names *names;
	uint32_t *item;  /* per token: the innermost item that holds it, TREE_NONE */
	uint32_t *group; /* per token: the group that begins there, TREE_NONE */
};

enum { FORMS_N_WAYS = 5 };

/* In ARENA. The view has its tree. */
struct forms *forms_new(const struct view *v, struct arena *arena);

/* The definition of name I goes, and each use becomes what it says, in one of the ways; false: it
 * cannot be. */
bool forms_edit(const struct forms *x, const struct view *v, uint32_t i, uint32_t way,
                struct arena *arena, struct edit *out);

#endif
