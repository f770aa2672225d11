/* The bracket tree: groups of matching brackets over the tokens, and in each group items split by
 * separators.
 *
 * Node 0 is the root: a group without brackets that spans everything. Children of a group are its
 * items; children of an item are the groups inside it. Unbalanced brackets are tolerated: an OPEN
 * without its CLOSE, or the reverse, is an ordinary token of its item. Depth is unbounded; nothing
 * here recurses.
 *
 * Lists of several strengths: a group is split by the strongest separators that are in it. An
 * item that itself holds weaker ones is split again: its children are then items (of the next
 * strength that it holds), and so on; so "a, b; c" is the items "a, b" and "c", the first of which
 * has the items "a" and "b". All children of a node are of one kind: a list of items, or the groups
 * of an item that is not split further. The root of several files is split by the file borders
 * first.
 *
 * An item is empty (first == last) where nothing is before a separator, as in "f(, b)". Nothing
 * at all after the last separator is no item, and so is nothing before a line end.
 */
#pragma once

#include <stdint.h>

#include "base/mem.h"
#include "lang/lexer.h"

enum tree_kind {
	TREE_GROUP, /* an opening bracket to its closing one, inclusive; the root has none */
	TREE_ITEM,  /* what is between separators, without the separator; blanks and comments at
	               its ends not included */
};

#define TREE_NONE UINT32_MAX

/* As narrow as it is since there are half as many as tokens. */
struct tree_node {
	uint32_t first;         /* its first token */
	uint16_t n;             /* how many; TREE_LONG: as `longs` says */
	unsigned kind : 1;      /* enum tree_kind */
	unsigned strength : 4;  /* items: strength of the separator that splits this list; 0 for a
	                           list without separators */
	unsigned has_sep : 1;   /* items: a separator of that strength is after it, behind blanks */
	unsigned has_child : 1; /* is the node behind it its first child? */
	unsigned up : 9;        /* how many nodes before it its parent is; 0: TREE_FAR or more, or
	                           it is the root */
};

/* Parents that are far away are kept for TREE_ROW nodes at a time, the innermost first: most often
 * there is one. */
enum { TREE_LONG = UINT16_MAX, TREE_FAR = 1 << 9, TREE_ROW = 64 };

/* A node of many tokens. */
struct tree_long {
	uint32_t node, end;
};

/* Nodes in document order (a parent before its children, siblings from left to right). */
struct tree {
	uint32_t n;
	struct tree_node *nodes;
	uint32_t *rows;          /* of each row the first in `far` */
	uint32_t *far;           /* nodes */
	struct tree_long *longs; /* in the order of nodes */
	uint32_t n_rows, n_far, n_longs;
};

/* The token behind the last one of NODE. */
static inline uint32_t tree_end(const struct tree *tree, uint32_t node)
{
	const struct tree_node *n = &tree->nodes[node];
	return n->n < TREE_LONG
	               ? n->first + n->n
	               : tree->longs[MEM_FIRST(tree->longs, tree->n_longs, node, node)].end;
}

/* The node around NODE; TREE_NONE for the root. */
uint32_t tree_parent(const struct tree *tree, uint32_t node);

/* The bracket group that NODE is or stands in; TREE_NONE: it stands in none, or is none. */
static inline uint32_t tree_group_around(const struct tree *tree, uint32_t node)
{
	while (node != TREE_NONE && tree->nodes[node].kind != TREE_GROUP)
		node = tree_parent(tree, node);
	return node ? node : TREE_NONE;
}

/* Builds the tree of TOKENS in linear time. The caller releases OUT. */
void tree_build(const struct tokenizer *tok, const struct testcase *tc, const struct tokens *tokens,
                struct tree *out);

/* The first child of NODE; TREE_NONE. */
static inline uint32_t tree_child(const struct tree_node *nodes, uint32_t node)
{
	return nodes[node].has_child ? node + 1 : TREE_NONE;
}

/* The next sibling of NODE, looked for where it ends; TREE_NONE: there is none. */
uint32_t tree_next(const struct tree *tree, uint32_t node);

/* The separator after a node; without one, the token behind it. */
static inline uint32_t tree_separator(const struct tree *tree, const struct token *tokens,
                                      uint32_t node)
{
	const struct tree_node *n = &tree->nodes[node];
	uint32_t t = tree_end(tree, node);
	while (n->has_sep && (!token_separates(&tokens[t]) || tokens[t].strength != n->strength))
		t++;
	return t;
}

/* The token behind a node and the separator after it. */
static inline uint32_t tree_behind(const struct tree *tree, const struct token *tokens,
                                   uint32_t node)
{
	return tree_separator(tree, tokens, node) + tree->nodes[node].has_sep;
}

/* The last child of NODE that is of KIND; TREE_NONE. */
uint32_t tree_last(const struct tree *tree, uint32_t node, enum tree_kind kind);

/* In place of the brackets, SPANS, at whose borders the tokens were divided (tokens_cut). The
 * caller releases OUT. */
struct spans;
void tree_build_spans(const struct spans *spans, const struct tokens *tokens, struct tree *out);

void tree_release(struct tree *tree);
