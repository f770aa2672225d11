/* What others wrote, shown to a person: names and contents out of refs, messages that hold them.
 * Control characters, which a terminal would obey, are shown as \xNN: C0 but line end and tab, DEL,
 * and C1, as characters of UTF-8 (U+0080 to U+009F) and as bytes of their own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct buf;

/* The length of the character of UTF-8 at TEXT, which has LEN bytes (1: a byte that is none), and
 * whether a terminal would obey it, line ends and tabs included. */
size_t show_next(const void *text, size_t len, bool *obeyed);

/* Adds the LEN bytes at TEXT to OUT in this form. */
void show_add(struct buf *out, const void *text, size_t len);

/* TEXT in this form; the caller's. */
char *show_text(const char *text);

/* Writes to OUT: in this form when that is a terminal, else as it is. */
void show_write(FILE *out, const void *bytes, size_t len);

/* printf to OUT in this form, whatever OUT is: for lines that people read. */
void show_printf(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

enum { SHOW_COLUMNS = 80 };

/* The columns of the terminal that OUT is; SHOW_COLUMNS: not known. */
unsigned show_width(FILE *out);

/* How many columns TEXT takes, as characters of UTF-8. */
size_t show_columns(const char *text);

/* Adds "HEAD TEXT COMMAND" to OUT, in lines of at most SHOW_COLUMNS but without the last line end;
 * NEXT begins the further ones. TEXT is divided at blanks, but not between backquotes: a command
 * there is to be copied, as is COMMAND, which has one line, or is NULL: it begins a line where it
 * does not fit. */
void show_fold(struct buf *out, const char *head, const char *next, const char *text,
               const char *command);

/* The same for "hint: TEXT COMMAND". */
void show_add_hint(struct buf *out, const char *text, const char *command);

/* Writes that to standard error, in the form above. */
void show_hint(const char *text, const char *command);

/* The same for "whittle: TEXT COMMAND". */
void show_note(const char *text, const char *command);

/* The ending of a word for N of them. */
const char *show_s(unsigned long long n);

enum { SHOW_SPAN = 32 };

/* "0.4 s", "12 s", "4 min 10 s", "2 h 5 min"; returns TEXT. */
const char *show_span(char text[SHOW_SPAN], double seconds);

/* MESSAGE, which is long and is to come behind "whittle: ", in lines as those of a note; the
 * caller's.
 */
char *show_folded(const char *message);

/* Writes "whittle: MESSAGE" and a line end to standard error, always in this form; on a
 * terminal a long first line is folded. */
void show_message(const char *message);
/* The same as a callback. */
void show_notice(void *arg, const char *message);
