/* How struct reach is built; for reach.c, reach_items.c, reach_declare.c and reach_word.c. */
#pragma once

#include <stddef.h>

#include "cxx/reach.h"

/* What is needed only while it is built. */
struct reach_building {
	uint32_t *holder;            /* the declaration whose body a node is, if any */
	struct reach_spaces inlines; /* inline namespaces */
	uint32_t head;               /* the last item that belongs to the next one */
	uint32_t open;               /* the last item whose blocks are open; or REACH_NONE */
	uint32_t code; /* of the item that is being looked at: the group that is a function's body;
	                  or TREE_NONE */
	bool is_head;  /* so does the one that is being looked at: `template <...> requires
	                  requires { }` */
};

/* Fills in kind, body, names declared (reach_add_name), stays_with_type, out_of_line of an item
 * whose node and parent are known; false when the node is none. */
bool reach_declare(struct reach *r, struct reach_item *item, struct reach_building *b);
/* The same in a language whose tokenizer says how declarations begin (`declaration`). */
bool reach_declare_worded(struct reach *r, struct reach_item *item, struct reach_building *b);
/* There, does the item NODE of a body hold items of it and is none itself? */
bool reach_is_part(const struct view *v, uint32_t node);
/* The significant token before TOKEN; REACH_NONE: there is none. */
uint32_t reach_significant_before(const struct view *v, uint32_t token);
/* What each item mentions. */
void reach_find_mentions(struct reach *r);

/* Where the cut of the item NODE that begins with token FIRST ends: what begins a line takes the
 * line end with it. */
uint32_t reach_cut_end(const struct view *v, uint32_t node, uint32_t first);
/* ITEM is none of the kinds that hold others: the group in braces of a function in it that most of
 * the file is in; TREE_NONE: there is none. The item becomes a space of a library without a name.
 */
uint32_t reach_wrap(struct reach *r, struct reach_item *item, const struct reach_building *b);

/* What stands in for the body of a function at OFFSET. */
const char *reach_empty_body(const struct view *v, uint32_t offset);
/* The node around an item; 0: it stands in no other, but perhaps in a file of a tree. */
uint32_t reach_parent(const struct view *v, uint32_t node);
/* May an item of the tree be a declaration: one of a file whose names others know? */
bool reach_knows(const struct view *v, uint32_t node);
/* In a script, what is about nothing that R declares costs little, and others may need it without
 * saying so, as `require "set"`: it stays with what it is in. The last thing that is found out. */
void reach_keep_others(struct reach *r);

void reach_add_name(struct reach *r, uint32_t name, uint8_t where);
/* The numbers of the text of an identifier or of an operator's name, and of a word. */
uint32_t reach_text(struct reach *r, uint32_t token);
uint32_t reach_word(struct reach *r, const char *word, size_t len);
/* The number of the library of a name; REACH_ANYWHERE: it is none. Number 0 is for what is in
 * none. */
uint8_t reach_library(const struct reach *r, uint32_t name);
/* What an item in PARENT (REACH_NONE: in the file) has as its library, and as its scope. */
uint8_t reach_library_of(struct reach *r, uint32_t parent);
uint32_t reach_scope_of(const struct reach *r, struct reach_building *b, uint32_t parent);
void reach_fill(uint32_t *list, size_t n); /* with REACH_NONE */
