/* Tokens: what a test case is divided into, and what each piece is to the strategies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a token is to the strategies. */
enum token_kind {
	TOKEN_OTHER,   /* operators and whatever matched nothing */
	TOKEN_BLANK,   /* white space without a line end */
	TOKEN_NEWLINE, /* white space with at least one line end */
	TOKEN_COMMENT,
	TOKEN_STRING,
	TOKEN_NUMBER,
	TOKEN_IDENTIFIER,
	TOKEN_KEYWORD, /* a reserved word: never renamed */
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKEN_SEPARATOR,  /* between items: , */
	TOKEN_TERMINATOR, /* ends an item, binds stronger: ; */
	TOKEN_N_KINDS
};

const char *token_kind_name(enum token_kind kind);

/* What a text of a definition may stand in for. */
enum stand_in {
	STAND_IN_ITEM,
	STAND_IN_GROUP,
	STAND_IN_IDENTIFIER,
	STAND_IN_BODY,
	STAND_IN_INSIDE,  /* the text, or "layout", that opens the brackets, a blank, what stands in
	                   */
	STAND_IN_BEHIND,  /* a sign, a blank, what stands in for all that is behind it */
	STAND_IN_LINE,    /* of a block of layout in one line: what separates its lines, opens and
	                     closes it, and the mark in front of each line */
	STAND_IN_FORM,    /* brackets that are all of an item: a form of Lisp */
	STAND_IN_MENTION, /* how what stands behind "=" begins, a blank, what stands in for a
	                     mention of a definition like that, which goes */
	STAND_IN_N
};

/* What a word says about the declaration that it begins, or stands at the beginning of. */
enum declares {
	DECLARES_FUNCTION,
	DECLARES_TYPE,     /* what is in it belongs to it */
	DECLARES_SPACE,    /* what is in it stands by itself: a module, a package */
	DECLARES_VARIABLE, /* names follow, and ":", "=" or a type */
	DECLARES_ALL,      /* all names behind it: an import */
	DECLARES_PATH,     /* the last part of a path in a string: an import */
	DECLARES_BEFORE,   /* it belongs to the declaration behind it: a decorator */
	DECLARES_AFTER,    /* it goes on with the one before it: "else", "except" */
	DECLARES_CALLED, /* no word but a name that the language itself looks for: a constructor */
	DECLARES_STAYS,  /* nothing, but the file has to begin with it */
	DECLARES_RECORD, /* the brackets behind it hold fields, which begin with their names */
	DECLARES_HEADS,  /* a mark: the name with which its item begins, whatever stands between */
	DECLARES_CASES,  /* a mark in the declaration of a type: the name behind it */
	DECLARES_WHOLE,  /* in front of a body: what is in it only goes together */
	DECLARES_TYPED,  /* of a form: a type stands between its parameters and its body */
	DECLARES_N,      /* nothing */
};

/* Of two bytes, as there may be one for each two bytes of a test case. */
struct token {
	uint8_t bracket;      /* for OPEN and CLOSE: which pair; equal numbers match; for a
	                         TERMINATOR TOKEN_HEAD when it ends a head; else 0 */
	uint8_t kind : 4;     /* enum token_kind */
	uint8_t strength : 4; /* not 0: an item ends here; larger splits first */
};

/* Strengths: definitions use 1 to 7; the frames of a tree's files are TERMINATORs with the strength
 * above all. A SEPARATOR, TERMINATOR or NEWLINE with a strength is after the item, any other
 * token with one (a "}", an atom of Lisp) is the item's last. A TERMINATOR of no bytes is where
 * a rule says that an item begins. */
enum { TOKEN_STRENGTH_FILE = 8, TOKEN_HEAD = 1 };

/* Tokens whose beginnings are kept together. Fewer take more for the beginning of the first, with
 * more there are rows of long ones. */
enum { TOKENS_ROW = 32 };

/* The tokens of a whole test case, in order, and where they begin. The one behind the last begins
 * at the size of the test case, so that token i always ends where token i + 1 begins. Layout
 * brackets (indentation) are tokens of no bytes.
 *
 * Where a token begins is a byte, counted from where the first of its row does. A row that is too
 * long for that has its beginnings in `far`. */
struct tokens {
	uint32_t n;
	uint32_t unmatched; /* bytes that no pattern matched */
	struct token *list; /* n + 1 entries */
	uint8_t *near;      /* of each; of the first of a row: is the row in `far`? */
	uint32_t *rows;     /* of each row: where it begins, or its place in `far` */
	uint32_t *far;
	size_t cap, cap_near, cap_rows, n_rows, n_far, cap_far;
};

/* Where token T begins, up to N. */
static inline uint32_t tokens_begin(const struct tokens *tokens, uint32_t t)
{
	uint32_t row = tokens->rows[t / TOKENS_ROW];
	return tokens->near[t - t % TOKENS_ROW] ? tokens->far[row + t % TOKENS_ROW]
	                                        : row + tokens->near[t];
}

static inline uint32_t tokens_end(const struct tokens *tokens, uint32_t t)
{
	return tokens_begin(tokens, t + 1);
}

/* The first token that begins at OFFSET or behind it; N: none does. */
uint32_t tokens_first(const struct tokens *tokens, uint64_t offset);

/* Appends a token; behind the last one what begins there (tokens_finish). */
void tokens_push(struct tokens *tokens, struct token t, uint32_t begin);

/* Nothing follows but the end of the test case. No memory is left to spare. */
void tokens_finish(struct tokens *tokens, uint32_t size);

/* Divides tokens where spans from outside begin and end. */
struct spans;
void tokens_cut(struct tokens *tokens, const struct spans *spans);

void tokens_release(struct tokens *tokens);

static inline bool token_is_blank(const struct token *t)
{
	return t->kind == TOKEN_BLANK || t->kind == TOKEN_NEWLINE || t->kind == TOKEN_COMMENT;
}

/* Does it stand between items? */
static inline bool token_separates(const struct token *t)
{
	return t->strength && (t->kind == TOKEN_SEPARATOR || t->kind == TOKEN_TERMINATOR ||
	                       t->kind == TOKEN_NEWLINE);
}
