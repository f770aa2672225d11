/* The shape of the text while it is tokenized: open brackets, indentation, and where items end.
 * Part of the lexer.
 *
 * The lexer hands over each token (shape_blank, shape_token); this module appends it to the list,
 * keeps the stack of open brackets that conditions look at, puts virtual brackets of layout and
 * virtual terminators between, and gives tokens the strength with which they end an item. What ends
 * an item is often known only when the next token is (a "}" before "else"), so strengths are given
 * to tokens already in the list. All of it is amortised constant time.
 */
#pragma once

#include <stddef.h>

#include "lang/token.h"
#include "lang/tokenizer_def.h"

struct nest;

/* A token that may still change, and where it begins. */
struct draft {
	uint32_t begin;
	struct token as;
};

struct drafts {
	struct draft *list;
	uint32_t n;
	size_t cap;
};

/* Coarse tokens: the structure of what is too large to have all of it.
 *
 * Tokens come in as the lexer makes them. What is smaller than the grain is not kept: a bracket
 * group becomes one token, neighbouring items of a list become one item, and the words between two
 * separators one token. What is larger keeps its brackets, and its items are looked at in turn. So
 * the tokens of any test case are a few for each grain, their tree is that of the outermost
 * structure, and cuts of it are cuts of whole groups and items. What is inside is seen when the
 * test case has become smaller, or with a smaller grain.
 *
 * One pass, amortised constant time for each token, memory for what is kept. Part of the lexer.
 */

struct coarse {
	uint32_t grain; /* in bytes */
	struct drafts out;
	struct nest *nests; /* open brackets; the first is the file */
	size_t n_nests, cap_nests;
	uint32_t deeper; /* brackets open beyond the deepest nest that is kept */
	uint32_t *open;  /* by bracket number: how many nests */
};

void coarse_init(struct coarse *c, uint32_t grain);
void coarse_release(struct coarse *c);

/* The next tokens: list[n] is the one behind them, which may be another one later. */
void coarse_take(struct coarse *c, const struct draft *list, uint32_t n);

/* An open bracket; frame 0 is the top of the file. */
struct open_bracket {
	uint8_t bracket; /* as in the token */
	uint8_t pair;
	uint32_t column; /* indentation of its lines */
	struct tokenset opened_after, item, group;
};

struct shape {
	const struct tokenizer *tok;
	const uint8_t *bytes; /* of the file, which begins at offset BASE of the test case */
	uint32_t base;

	struct drafts tokens; /* the last ones */
	struct open_bracket *frames;
	size_t n_frames, cap_frames;
	uint32_t *open;                    /* by bracket number: how many are open */
	uint32_t pairs_open[PAIR_MAX + 1]; /* the same by pair */
	struct tokenset within;            /* the pairs of which any is open */

	uint32_t last; /* the last token that is no blank, newline or comment; SHAPE_NONE at the
	                  start */
	struct tokenset last_set;     /* its properties */
	struct tokenset opened_after; /* when LAST is a closing bracket: what stood before its
	                                 opening one */
	uint32_t newline;             /* the first newline token after LAST, or SHAPE_NONE */
	uint8_t ended;                /* largest strength given out since LAST, itself included */
	bool line_start;              /* nothing but blanks and comments on this line so far */
	struct tokens *out;           /* where tokens go that no longer change */
	struct coarse *coarse;        /* where they go instead; NULL: they do not */
};

/* A token to append. WORD may be NULL. */
struct shape_token {
	uint32_t begin; /* in the file */
	uint32_t len;
	uint8_t bracket;
	uint8_t kind, strength, pair;
	const struct word *word;
};

void shape_init(struct shape *shape, const struct tokenizer *tok);
void shape_release(struct shape *shape); /* all but the last tokens */

/* Between these two come the tokens of one file. */
void shape_begin_file(struct shape *shape, const uint8_t *bytes, uint32_t base);
void shape_end_file(struct shape *shape, uint32_t size);

/* Hands over what no longer changes; there are tokens. */
void shape_hand_over(struct shape *shape);

/* Hands over what is left, behind the last file of a test case of SIZE. */
void shape_finish(struct shape *shape, uint32_t size);

/* Appends the frame after a file of a tree. */
void shape_frame(struct shape *shape, uint32_t size);

/* Appends a blank, comment or newline. */
void shape_blank(struct shape *shape, uint32_t begin, enum token_kind kind);

/* Appends any other token. */
void shape_token(struct shape *shape, const struct shape_token *token);

/* When the last token is a terminator: makes it a plain token of its item, for the text that it
 * announced follows it (a here-document), and returns its strength, which belongs to that text now;
 * else 0. */
uint8_t shape_reopen_item(struct shape *shape);

/* Whether the conditions of a `when` hold for a token that would begin here. */
bool shape_guard_holds(const struct shape *shape, int guard);
