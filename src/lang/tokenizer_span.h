/* Patterns simple enough for a table: one byte of a class, then any number of bytes of a class. */
#ifndef WHITTLE_LANG_TOKENIZER_SPAN_H
#define WHITTLE_LANG_TOKENIZER_SPAN_H

#include <stdbool.h>

struct rule;

/* Recognises "A", "A+", "AB*" (also with a possessive +) where A and B are a class in brackets, an
 * escape like \w, or a literal byte, and "\Qx\E" of one byte; fills in span, head and tail of RULE.
 * Most tokens of most languages are of this form (names, white space, punctuation), and need no
 * call of the matcher. */
void span_recognise(const char *pattern, bool ignore_case, struct rule *rule);

#endif
