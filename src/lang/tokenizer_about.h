/* Directives about a definition as a whole: which files it is for, its name, what is simplest in
 * its language. Part of tokenizer_parse.c's table; each reads the rest of its line, 0 or -1. */
#ifndef WHITTLE_LANG_TOKENIZER_ABOUT_H
#define WHITTLE_LANG_TOKENIZER_ABOUT_H

#include "lang/tokenizer_line.h"

int about_files(struct parser *p, const struct directive *d);
int about_interpreter(struct parser *p, const struct directive *d);
int about_content(struct parser *p, const struct directive *d);
int about_name(struct parser *p, const struct directive *d);
int about_simplest(struct parser *p, const struct directive *d);
int about_tally(struct parser *p, const struct directive *d);
int about_imports(struct parser *p, const struct directive *d);
int about_numeric_names(struct parser *p, const struct directive *d);
int about_name_marks(struct parser *p, const struct directive *d);
int about_gone_items(struct parser *p, const struct directive *d);
int about_numbered_names(struct parser *p, const struct directive *d);
int about_section_end(struct parser *p, const struct directive *d);
int about_choices(struct parser *p, const struct directive *d);
int about_stand_in(struct parser *p, const struct directive *d);
int about_declaration(struct parser *p, const struct directive *d);

#endif
