/* A condition as a POSIX shell script. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "cli/ask.h"

/* A word: what it says literally in single quotes, operands as "$N". */
static void add_word(struct buf *b, const char *word)
{
	struct buf plain = { 0 };
	buf_add(&plain, "", 0);
	bool empty = true;
	for (; *word; word++) {
		bool escape = word[0] == '\\' && word[1];
		if (escape && word[1] >= '1' && word[1] <= '9') {
			if (plain.len) {
				buf_addch(&plain, '\0');
				quote_add(b, plain.data);
				plain.len = 0;
			}
			buf_addf(b, "\"$f%c\"", word[1]);
			empty = false;
			word++;
			continue;
		}
		word += escape;
		buf_addch(&plain, *word);
	}
	if (plain.len || empty) {
		buf_addch(&plain, '\0');
		quote_add(b, plain.data);
	}
	buf_release(&plain);
}

/* Operands as they would be named here, since their names may be part of what is printed. */
static void add_names(struct buf *b, const struct condition *c)
{
	bool used[10] = { false };
	for (char **word = c->words; *word; word++)
		for (const char *at = *word; *at; at++)
			if (at[0] == '\\' && at[1]) {
				at++;
				if (*at >= '1' && *at <= '9' && !used[*at - '0']) {
					used[*at - '0'] = true;
					buf_addf(b, "f%c=${%c#\"$PWD\"/}\n", *at, *at);
				}
			}
}

static void add_command(struct buf *b, const struct condition *c)
{
	if (c->shell)
		buf_addf(b, "eval ");
	for (char **word = c->words; *word; word++) {
		if (word != c->words)
			buf_addch(b, ' ');
		add_word(b, *word);
	}
	buf_addf(b, " <\"$1\" >\"$TMPDIR/out\" 2>\"$TMPDIR/err\"");
}

static void add_ended(struct buf *b, const struct condition *c)
{
	switch (c->ended) {
	case ENDED_ANYHOW:
		break;
	case ENDED_STATUS:
		buf_addf(b, "[ $status = %d ] || exit 1\n", c->number);
		break;
	case ENDED_NONZERO:
		buf_addf(b, "[ $status != 0 ] || exit 1\n");
		break;
	case ENDED_CRASH:
		buf_addf(b, "[ $status -gt 128 ] || exit 1\n");
		break;
	case ENDED_SIGNAL:
		buf_addf(b, "[ $status = %d ] || exit 1\n", 128 + c->number);
		break;
	case ENDED_TIMEOUT:
		buf_addf(b, "[ $status = 137 ] || exit 1\n");
		break;
	}
}

/* Is it, as a basic PCRE2 pattern, an extended regular expression with the same meaning? */
static bool is_plain(const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern == '\\' && !strchr("\\.[](){}*+?|^$/", pattern[1]))
			return false;
		if (*pattern == '\\')
			pattern++;
		else if ((*pattern == '(' || *pattern == '*' || *pattern == '+' ||
		          *pattern == '?' || *pattern == '}') &&
		         (pattern[1] == '?' || pattern[1] == '+'))
			return false;
	}
	return true;
}

static void add_look(struct buf *b, const struct look *l)
{
	buf_addf(b, "%s grep -%sq -e ", l->absent ? "!" : "", is_plain(l->pattern) ? "E" : "P");
	quote_add(b, l->pattern);
	buf_addf(b, "%s%s || exit 1\n", l->streams & STREAM_OUT ? " \"$TMPDIR/out\"" : "",
	         l->streams & STREAM_ERR ? " \"$TMPDIR/err\"" : "");
}

static void add_needles(struct buf *b, char *const *needles)
{
	for (; needles && *needles; needles++) {
		buf_addf(b, "has ");
		quote_add(b, *needles);
		buf_addf(b, " || exit 1\n");
	}
}

static void add_line(struct buf *b, const char *line, const char *to)
{
	buf_addf(b, "(");
	for (; *line; line++)
		if (line[0] == '{' && line[1] == '}') {
			buf_addf(b, "\"$1\"");
			line++;
		} else {
			buf_addch(b, *line);
		}
	buf_addf(b, ") <\"$1\" >%s 2>/dev/null", to);
}

static void add_others(struct buf *b, const struct condition *c)
{
	if (!c->differs)
		return;
	add_line(b, c->differs, "\"$TMPDIR/other\"");
	buf_addf(b, "\nother=$?\n[ $other -lt 124 ] || exit 1\n");
	buf_addf(b,
	         "[ $other != $status ] || ! cmp -s \"$TMPDIR/out\" \"$TMPDIR/other\" || exit 1\n");
	if (!c->agrees)
		return;
	add_line(b, c->agrees, "\"$TMPDIR/third\"");
	buf_addf(b, "\n[ $? = $other ] && cmp -s \"$TMPDIR/third\" \"$TMPDIR/other\" || exit 1\n");
}

/* TEXT within a line of comment: a line end in a name must not end it, since what follows would be
 * a command of the script; nor should a terminal obey it. */
static void add_comment(struct buf *b, const char *text)
{
	bool obeyed;
	for (size_t n; *text; text += n) {
		n = show_next(text, strlen(text), &obeyed);
		if (obeyed)
			for (size_t i = 0; i < n; i++)
				buf_addf(b, "\\x%02x", (unsigned char)text[i]);
		else
			buf_add(b, text, n);
	}
}

static void add_head(struct buf *b, const char *about, const char *file)
{
	buf_addf(b, "#!/bin/sh\n# An interestingness test for ");
	add_comment(b, file);
	buf_addf(b, ": exits with 0 when this does as it did:\n#     ");
	add_comment(b, about);
	buf_addf(b, "\nexport LC_ALL=C TMPDIR=\"${TMPDIR:-/tmp}\"\n");
}

char *ask_script(const struct ask_options *ask, const char *about, const char *file)
{
	const struct condition *c = &ask->condition;
	struct buf b = { 0 };
	add_head(&b, about ? about : "", file);
	add_names(&b, c);
	if (ask->needles)
		buf_addf(&b,
		         "has() { cat \"$TMPDIR/err\" \"$TMPDIR/out\" | grep -qF -e \"$1\"; }\n");
	if (c->valid) {
		add_line(&b, c->valid, "/dev/null");
		buf_addf(&b, " || exit 1\n");
	}
	if (c->limit_ns)
		buf_addf(&b, "timeout -s KILL %.3g ", (double)c->limit_ns / 1e9);
	if (c->slower_than_ns)
		buf_addf(&b, "(ulimit -t %u; ", (unsigned)(c->slower_than_ns / 1000000000u) + 1);
	add_command(&b, c);
	buf_addf(&b, "%s\nstatus=$?\n", c->slower_than_ns ? ")" : "");
	if (c->slower_than_ns)
		buf_addf(&b, "[ $status -ge 128 ] || exit 1 # ended by the limit\n");
	add_ended(&b, c);
	for (unsigned i = 0; i < c->n_looks; i++)
		add_look(&b, &c->looks[i]);
	if (c->creates) {
		buf_addf(&b, "[ -f ");
		add_word(&b, c->creates);
		buf_addf(&b, " ] || exit 1\n");
	}
	if (c->creates_pattern) {
		buf_addf(&b, "grep -%sq -e ", is_plain(c->creates_pattern) ? "E" : "P");
		quote_add(&b, c->creates_pattern);
		buf_addch(&b, ' ');
		add_word(&b, c->creates);
		buf_addf(&b, " || exit 1\n");
	}
	add_needles(&b, ask->needles);
	add_others(&b, c);
	buf_addf(&b, "exit 0\n");
	return b.data;
}
