/* Reading one line of a definition: words, texts, pairs, sets of tokens, conditions. Used by
 * tokenizer_parse.c only.
 *
 * Everything that can fail returns a negative number (or NULL) after fail() has stored
 * file:line:column and what was expected there.
 */
#pragma once

#include "lang/tokenizer_def.h"

enum { WORD_MAX = 31 }; /* bytes of a word that means something */

/* One line of the file, NUL-terminated, and how far it has been read. */
struct parser {
	struct tokenizer *tok;
	struct err *err;
	unsigned line;
	char *text; /* the line */
	char *at;   /* what is left of it */
	int guard; /* from a `when` line, for the next directive that can have one; or GUARD_NONE */
	unsigned guard_line;
	bool skims; /* only what says what the definition is for is read */
};

/* A directive: what reads the rest of its line. */
struct directive {
	const char *name;
	int (*read)(struct parser *p, const struct directive *d);
	unsigned detail; /* a token kind or an item rule type: READ knows */
};

/* Stores the message for the column of AT; always -1. */
int parser_fail(struct parser *p, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void parser_skip_blanks(struct parser *p);

/* The next word of the line, NUL-terminated in place; NULL at the end of the line. */
char *parser_word(struct parser *p);

int parser_need_end(struct parser *p);

/* The kind of token with this NAME. */
int parser_kind(struct parser *p, const char *name, const char *at);

/* The entry for a text or a pair's name; both are added when they are new. */
struct word *parser_get_word(struct parser *p, const char *text);
int parser_get_pair(struct parser *p, const char *name);

/* Puts a pair, by its name, into a set of pairs. */
int parser_add_pair(struct parser *p, const char *name, struct tokenset *set);

/* Reads "MEMBER... CONDITION MEMBER... ..." to the end of the line. TOKENS is NULL where no members
 * may come first. */
int parser_conditions(struct parser *p, struct tokenset *tokens, struct guard *guard);
