/* Options from tables: parser, checks and --help all come from one row per option. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct option_row {
	char letter;       /* 0: none */
	const char *name;  /* long name; NULL: none */
	const char *value; /* what --help calls its value; NULL: it takes none */
	const char *help;
	int (*set)(void *target, const struct option_row *, const char *text, struct err *err);
	size_t offset; /* of the field in the target */
};

/* Parses the options before the first operand and those after it, up to "--". On success the
 * operands are the last elements of argv, from the index returned. -1 and err (ERR_USAGE) on an
 * option that is not in ROWS or a bad value. */
int options_parse(const struct option_row *rows, int argc, char **argv, void *target,
                  struct err *err);

/* Prints the rows for --help: all, or those whose long names are among the words SOME, with the
 * headings of these. Rows without help, and those behind a heading without a text, are not told of.
 */
void options_help(const struct option_row *rows, const char *some);

/* The setter of a row that is a heading: it has a help text and no name. */
int options_heading(void *target, const struct option_row *row, const char *text, struct err *err);

/* Which of WORDS, which NULL ends, TEXT is, counted from 0; -1 and err (ERR_USAGE), which names
 * them all, when it is none. For setters. */
int options_word(const struct option_row *row, const char *text, const char *const *words,
                 struct err *err);

/* Setters: the field at the row's offset is of the type named. */
int options_set_flag(void *target, const struct option_row *row, const char *text,
                     struct err *err); /* bool */
int options_set_text(void *target, const struct option_row *row, const char *text,
                     struct err *err); /* const char * */
int options_set_command(void *target, const struct option_row *row, const char *text,
                        struct err *err); /* const char *, with more than blanks in it */
int options_set_count(void *target, const struct option_row *row, const char *text,
                      struct err *err); /* uint64_t */
int options_set_size(void *target, const struct option_row *row, const char *text,
                     struct err *err);                 /* uint64_t, K M G */
bool options_duration(const char *text, uint64_t *ns); /* false: it is none */
int options_set_duration(void *target, const struct option_row *row, const char *text,
                         struct err *err); /* uint64_t ns, s m h */
