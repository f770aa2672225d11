/* Patterns that become alternatives of one program: what must not be in them, and their group
 * numbers, which mean the pattern's own groups wherever it comes to stand.
 *
 * Where an item of a pattern begins is asked of PCRE2, which places a callout before each
 * (PCRE2_AUTO_CALLOUT): what is a comment, quoted or in a class is its decision, and a second
 * reader that decides otherwise could be made to overlook something.
 *
 * Life cycle: join_open; join_add; join_release.
 */
#ifndef WHITTLE_LANG_TOKENIZER_JOIN_H
#define WHITTLE_LANG_TOKENIZER_JOIN_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;
struct rule;
struct tokenizer;

struct join {
	const char *pattern; /* the rule's */
	size_t *items;       /* by offset: bytes of the item that begins there; 0: none does */
	unsigned groups;     /* it has so many */
	bool whole;          /* it refers to itself as a whole: it has to be a group, number BASE */
	bool comment;        /* it ends with a comment that a newline has to end */
};

/* Reads the pattern of RULE. 0, or -1 with err: it is no pattern, or it has what belongs to the
 * program (callouts, verbs, marks) or makes a token of no bytes (\K). */
int join_open(struct join *join, const struct tokenizer *tok, const struct rule *rule,
              struct err *err);

/* Appends the pattern, to be behind BASE other groups. What is behind it is read as by itself. */
void join_add(const struct join *join, unsigned base, struct buf *out);

void join_release(struct join *join);

#endif
