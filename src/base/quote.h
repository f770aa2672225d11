/* Words as a shell reads them. */
#ifndef WHITTLE_BASE_QUOTE_H
#define WHITTLE_BASE_QUOTE_H

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

#endif
