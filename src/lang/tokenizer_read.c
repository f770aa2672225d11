/* Files of directives (tokenizer_def.h). */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "binary/schema_def.h"
#include "lang/tokenizer.h"
#include "lang/tokenizer_def.h"
#include "lang/tokenizer_line.h"
#include "lang/tokenizer_parse.h"

static int check_numbers(struct parser *p)
{
	const struct tokenizer *tok = p->tok;
	if (tok->n_rules > TOKENIZER_RULES)
		return parser_fail(p, p->text, "expected at most %d patterns", TOKENIZER_RULES);
	if (tok->n_globs > TOKENIZER_HINTS || tok->n_interpreters > TOKENIZER_HINTS ||
	    tok->n_contents > TOKENIZER_HINTS)
		return parser_fail(p, p->text, "expected at most %d of a kind", TOKENIZER_HINTS);
	return 0;
}

static int check_whole(struct parser *p)
{
	struct tokenizer *tok = p->tok;
	if (p->guard != GUARD_NONE)
		return err_set(p->err, ERR_USAGE, "%s:%u:1: expected a directive after \"when\"",
		               tok->file, p->guard_line);
	for (size_t i = 1; i < tok->n_pairs; i++) {
		struct pair *pair = &tok->pairs[i];
		if (!pair->opened || !pair->closed)
			return err_set(p->err, ERR_USAGE,
			               "%s:%u:%u: expected a directive that %s the pair \"%s\"",
			               tok->file, pair->line, pair->column,
			               pair->opened ? "closes" : "opens", pair->name);
	}
	return schema_check(p);
}

static int read_lines(struct parser *p, char *text, size_t len)
{
	if (memchr(text, '\0', len))
		return err_set(p->err, ERR_USAGE, "%s:1:1: expected text, found a NUL byte",
		               p->tok->file);
	for (char *end = text + len; text < end;) {
		char *newline = memchr(text, '\n', (size_t)(end - text));
		char *next = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
		p->line++;
		p->text = p->at = text;
		if (directive_read(p) || check_numbers(p))
			return -1;
		text = next;
	}
	return check_whole(p);
}

/* "dir/c.tok" is "c" unless the file says otherwise. */
static char *default_name(const char *file)
{
	const char *base = strrchr(file, '/');
	base = base ? base + 1 : file;
	const char *dot = strrchr(base, '.');
	return dot && dot > base ? mem_printf("%.*s", (int)(dot - base), base) : mem_strdup(base);
}

/* SKIMS: reads only what says what the definition is for. */
static struct tokenizer *parse(const char *file, bool found, bool skims, struct err *err)
{
	struct buf text = { 0 };
	if (io_read_bounded(file, (struct io_bounds){ TOKENIZER_BYTES, found }, &text, err)) {
		err->code = err->code == ERR_STOPPED ? ERR_STOPPED : ERR_USAGE;
		return NULL;
	}
	buf_add(&text, "", 0); /* of an empty file there is a place, too */
	struct tokenizer *tok = mem_zero(1, sizeof *tok);
	tok->file = mem_strdup(file);
	tok->name = default_name(file);
	tok->n_bits = TOKENSET_WORDS;
	struct parser p = { .tok = tok, .err = err, .guard = GUARD_NONE, .skims = skims };
	char top[] = "top";
	p.text = p.at = top;
	parser_get_pair(&p, top);
	if (read_lines(&p, text.data, text.len)) {
		tokenizer_free(tok);
		tok = NULL;
	}
	buf_release(&text);
	return tok;
}

struct tokenizer *tokenizer_parse(const char *file, struct err *err)
{
	return parse(file, false, false, err);
}

struct tokenizer *tokenizer_skim(const char *file, struct err *err)
{
	return parse(file, true, true, err);
}

int tokenizer_complete(struct tokenizer *tok, struct err *err)
{
	struct tokenizer *whole = parse(tok->file, true, false, err);
	if (!whole)
		return -1;
	const struct tokenizer skimmed = *tok;
	*tok = *whole;
	*whole = skimmed;
	tokenizer_free(whole);
	return tokenizer_compile(tok, err);
}
