/* The directives of a definition. */
#ifndef WHITTLE_LANG_TOKENIZER_PARSE_H
#define WHITTLE_LANG_TOKENIZER_PARSE_H

struct parser;

/* Reads the line, which may be empty or a comment. 0, or -1 with p->err. */
int directive_read(struct parser *p);

#endif
