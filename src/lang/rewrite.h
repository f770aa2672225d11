/* Rewrites: replacements that a tokenizer declares over tokens and brackets, one pattern and one
 * result each.
 *
 * A pattern is a list of elements that must follow one another, blanks and comments aside, without
 * leaving the brackets that they are in (whittle-tokenizer(5) describes the language). Those that
 * the result mentions are kept in place and in order; so a match is an edit of the gaps between
 * them, which can be united with edits of what is kept.
 *
 * Finding all matches of one rewrite is linear in the number of tokens: each element looks at a
 * bounded number of tokens and groups, a group is passed in one step, and where an operand ends is
 * computed once (rewrite_ground).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "text/edit.h"
#include "lang/lexer.h"
#include "lang/tree.h"

/* How many rewrites a tokenizer declares. */
uint32_t tokenizer_n_rewrites(const struct tokenizer *tok);

/* The line of the definition that declares number I. */
unsigned tokenizer_rewrite_line(const struct tokenizer *tok, uint32_t i);

/* Whether rewrite number I is of what sections end with (`section-end`): it takes control
 * elsewhere. */
bool tokenizer_rewrites_branch(const struct tokenizer *tok, uint32_t i);

/* What patterns are matched against. */
struct rewrite_ground {
	const struct testcase *tc;
	const struct tokens *tokens;
	const struct tree *tree;
	uint32_t *group;   /* per token: the group that it opens, or TREE_NONE */
	uint32_t *item;    /* per token: the innermost item that begins with it, or TREE_NONE */
	uint32_t *operand; /* per token: after the operand that begins here, 0: none does */
	uint32_t *callee;  /* per token: after what is before the last group of that operand, 0:
	                      it does not end with one */
	bool *whole;       /* per token: that operand is not the rest of a longer one */
};

/* In ARENA, over all tokens; operands are not known yet. TC has its bytes in one piece. */
struct rewrite_ground *rewrite_ground_new(const struct testcase *tc, const struct tokens *tokens,
                                          const struct tree *tree, struct arena *arena);

/* Finds the operands of the tokens [first, last), which are TOK's. */
void rewrite_ground_operands(struct rewrite_ground *ground, const struct tokenizer *tok,
                             uint32_t first, uint32_t last);

/* One match: it covers the bytes [begin, end), and PARTS, sorted and disjoint, make it smaller, or
 * simpler at the same size. */
enum { REWRITE_GONE_MAX = 3 };
struct rewrite_match {
	uint32_t begin, end;
	uint32_t saving; /* bytes */
	uint32_t n;
	struct edit_part *parts;
	bool item; /* instead of that, the item that mentions what goes goes itself */
	uint32_t n_gone, gone[REWRITE_GONE_MAX]; /* tokens of placeholders of the class gone */
};

struct rewrite;

/* Calls FOUND for each match of a rewrite among the tokens [first, last), which are TOK's, by where
 * they begin. What a match points to lives in ARENA, or as long as TOK. */
void rewrite_find(const struct rewrite_ground *ground, const struct tokenizer *tok,
                  const struct rewrite *rewrite, uint32_t first, uint32_t last, struct arena *arena,
                  void (*found)(void *arg, const struct rewrite_match *match), void *arg);

/* The rewrite number I of TOK; NULL: it has fewer. GONE: of those of what mentions a definition
 * that goes, of which all matches are found, whether they make it smaller or not. */
const struct rewrite *tokenizer_rewrite(const struct tokenizer *tok, bool gone, uint32_t i);
