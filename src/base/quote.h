/* Words as a shell reads them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Adds WORD in single quotes. */
void quote_add(struct buf *out, const char *word);

/* Adds WORD as it is where that is the same, else in single quotes: for people. */
void quote_add_if_needed(struct buf *out, const char *word);

/* The same for a command that a message shows: a word of its own, and an operand, with "--" before
 * it when it would be taken for an option. The caller's. */
char *quote_word(const char *word);
char *quote_operand(const char *word);

/* `whittle VERB -C DIR --store STORE OPERAND` as a message shows it; DIR and STORE may be NULL. The
 * caller's. */
char *quote_command(const char *verb, const char *dir, const char *store, const char *operand);

/* The words of a command, with blanks between, each as quote_add_if_needed has it, but that "=" is
 * plain behind the first; added to OUT. */
void quote_add_words(struct buf *out, const char *const *words);

/* Does WORD set a variable, NAME=VALUE, where it is the first of a command? */
bool quote_is_assignment(const char *word);

/* Where a reader of a command line of sh is, to tell what stands in quotes. Begin with zeros. */
struct quote_state {
	char open; /* ' or " around what comes next; 0: none */
	bool in_word;
	unsigned depth;
	char outer[16]; /* of what is around a "$(" or "(" */
};

/* Steps over what is at AT, which is not NUL: a byte, an escape, "$(", a comment. Its length. */
size_t quote_step(struct quote_state *q, const char *at);
