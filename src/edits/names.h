/* Identifiers of a view and where they stand; what strategies over names share. */
#pragma once

#include "search/view.h"
#include <stdint.h>
#include "search/strategy.h"

enum {
	NAMES_MAX_USES = 400
}; /* names used more often are left alone by strategies that touch every use */

/* The distinct identifiers, names of tags among them; occurrences of name i are uses [first[i],
 * first[i + 1]), token indices in order. Names are in order of their first occurrence. */
struct names {
	uint32_t n;
	uint32_t *first;
	uint32_t *uses;
	uint32_t *of; /* per token: the name in it, TREE_NONE for other tokens */
	/* Per token, of names_new_placed alone; TREE_NONE: there is none. */
	uint32_t *item;  /* the innermost item that holds it */
	uint32_t *group; /* the group that begins there */
};

/* In ARENA. The view has its tokens. */
struct names *names_new(const struct view *v, struct arena *arena);

/* The same with what the tree says of them, which the view has. */
struct names *names_new_placed(const struct view *v, struct arena *arena);

/* Those are the data of PLACES, and its starts the names. For open. */
void names_open(struct edit_sites *p);

/* The tokens where name I stands, *N of them. */
const uint32_t *names_uses(const struct names *names, uint32_t i, uint32_t *n);

/* Where the name in a token stands, as a part that cuts it: all of an identifier but its marks; of
 * "<name" and "</name>", where they are brackets, what is after the mark. Empty for every other
 * token. */
struct edit_part names_part(const struct view *v, uint32_t token);

/* The text of that. */
const uint8_t *names_text(const struct view *v, uint32_t token, uint32_t *len);

/* Have the tokens A and B the same name? */
bool names_are_same(const struct view *v, uint32_t a, uint32_t b);

/* The name in a token as a part that makes it the one in BY. */
struct edit_part names_become(const struct view *v, uint32_t token, uint32_t by);

/* The bracket group behind the name in a token, of names that are placed; TREE_NONE: there is none.
 */
uint32_t names_group_behind(const struct names *names, const struct view *v, uint32_t token);

/* Does a token give what stands in front of it a value? */
bool names_is_assignment(const struct view *v, uint32_t token);

/* Per token the innermost item that holds it, TREE_NONE when there is none. In ARENA. The view has
 * its tree. */
uint32_t *names_innermost_items(const struct view *v, struct arena *arena);

/* From an item outwards to the first whose list is separated by more than commas: a statement, a
 * declaration. TREE_NONE when there is none. */
uint32_t names_statement(const struct view *v, uint32_t item);

/* What defines the name at TOKEN in STATEMENT: this; behind the word that opens the brackets in
 * which it stands, as in class X ... end, the statement around these. */
uint32_t names_definition(const struct view *v, uint32_t statement, uint32_t token);

/* The item around a node; TREE_NONE when there is none. */
uint32_t names_item_above(const struct tree *t, uint32_t node);

/* Number of nodes of KIND around each node, itself not counted, at most 255; in ARENA. */
uint8_t *names_nesting(const struct view *v, enum tree_kind kind, struct arena *arena);

/* How deep nodes of KIND are within each other, at most MOST. */
uint32_t names_levels(const struct view *v, enum tree_kind kind, uint32_t most);

/* The cut of an item with its separator, as a part. */
struct edit_part names_item_cut(const struct view *v, uint32_t item);

/* The same of an element of a comma list: the last one goes with the comma in front of it. */
struct edit_part names_listed_cut(const struct view *v, uint32_t item);

/* The same of one of several names that are declared together, which stands at TOKEN in ITEM. The
 * first one leaves the words that speak for all of them: int *a = 1, b = 2. */
struct edit_part names_declarator_cut(const struct view *v, uint32_t item, uint32_t token);

/* The COUNTth short name: a ... z, then two letters, and so on; returns how long it is. */
uint32_t names_short(uint32_t count, char *out);

/* The number of the short name that TEXT is, LIMIT when it is none below. */
uint32_t names_short_number(const uint8_t *text, uint32_t len, uint32_t limit);

/* Does what is at TOKEN stand between a name and what qualifies it: a::b, a.b, a->b? */
bool names_is_mark(const struct view *v, uint32_t token);

/* The token with which what qualifies the name at TOKEN begins; TOKEN: nothing does. OPEN: per
 * token the one that opens the group that it closes, itself where it closes none; NULL: groups
 * qualify nothing. */
uint32_t names_qualifier(const struct view *v, uint32_t token, const uint32_t *open);

/* What a file is imported by, and mentioned as. */

/* The name by which the path in the string at TOKEN is mentioned, as in Go: its last part, but for
 * a version ("math/rand/v2", "yaml.v3"). Not ended, part of the view's text; LEN bytes, 0: there is
 * none. */
const uint8_t *imports_name(const struct view *v, uint32_t token, uint32_t *len);
