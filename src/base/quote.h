/* Words as a shell reads them. */
#ifndef WHITTLE_BASE_QUOTE_H
#define WHITTLE_BASE_QUOTE_H

struct buf;

/* Adds WORD in single quotes. */
void quote_add(struct buf *out, const char *word);

/* Adds WORD as it is where that is the same, else in single quotes: for people. */
void quote_add_if_needed(struct buf *out, const char *word);

#endif
