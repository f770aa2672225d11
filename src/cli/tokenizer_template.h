/* whittle tokens --new LANG: the commented beginning of a tokenizer. */
#ifndef WHITTLE_CLI_TOKENIZER_TEMPLATE_H
#define WHITTLE_CLI_TOKENIZER_TEMPLATE_H

struct err;

/* Writes LANG.tok into the current directory and says so; -1 and err when it exists or cannot be
 * written. */
int tokenizer_template_write(const char *lang, struct err *err);

#endif
