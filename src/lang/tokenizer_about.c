#include "lang/tokenizer_about.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

int about_files(struct parser *p, const struct directive *d)
{
	(void)d;
	struct tokenizer *tok = p->tok;
	char *word = parser_word(p);
	if (!word)
		return parser_fail(p, p->at, "expected file name patterns");
	for (; word; word = parser_word(p)) {
		MEM_GROW(tok->globs, tok->n_globs, tok->cap_globs);
		tok->globs[tok->n_globs++] = mem_strdup(word);
	}
	return 0;
}

static int read_hint(struct parser *p, unsigned priority, struct hint *hint)
{
	parser_skip_blanks(p);
	if (!*p->at)
		return parser_fail(p, p->at, "expected a pattern");
	*hint = (struct hint){ .pattern = mem_strdup(p->at),
		               .line = p->line,
		               .column = (unsigned)(p->at - p->text) + 1,
		               .priority = priority };
	return 0;
}

int about_interpreter(struct parser *p, const struct directive *d)
{
	(void)d;
	struct tokenizer *tok = p->tok;
	MEM_GROW(tok->interpreters, tok->n_interpreters, tok->cap_interpreters);
	if (read_hint(p, 0, &tok->interpreters[tok->n_interpreters]))
		return -1;
	tok->n_interpreters++;
	return 0;
}

int about_content(struct parser *p, const struct directive *d)
{
	(void)d;
	struct tokenizer *tok = p->tok;
	char *word = parser_word(p), *end = word;
	long priority = word ? strtol(word, &end, 10) : 0;
	if (!word || *end || priority < 1 || priority > 100)
		return parser_fail(p, word ? word : p->at, "expected a priority from 1 to 100");
	MEM_GROW(tok->contents, tok->n_contents, tok->cap_contents);
	if (read_hint(p, (unsigned)priority, &tok->contents[tok->n_contents]))
		return -1;
	tok->n_contents++;
	return 0;
}

int about_name(struct parser *p, const struct directive *d)
{
	(void)d;
	char *word = parser_word(p);
	if (!word || strchr(word, '/'))
		return parser_fail(p, word ? word : p->at, "expected a name");
	free(p->tok->name);
	p->tok->name = mem_strdup(word);
	return parser_need_end(p);
}

int about_simplest(struct parser *p, const struct directive *d)
{
	(void)d;
	char *word = parser_word(p);
	if (!word)
		return parser_fail(p, p->at, "expected a kind of token");
	int kind = parser_kind(p, word, word);
	if (kind < 0)
		return -1;
	parser_skip_blanks(p);
	if (!*p->at)
		return parser_fail(p, p->at, "expected the replacement");
	free(p->tok->simplest[kind]);
	p->tok->simplest[kind] = mem_strdup(p->at);
	return 0;
}

int about_numeric_names(struct parser *p, const struct directive *d)
{
	(void)d;
	char *word = parser_word(p);
	free(p->tok->numeric_sign);
	p->tok->numeric_sign = mem_strdup(word ? word : "");
	return parser_need_end(p);
}

/* tally PAIR SIGN SIGN */
int about_tally(struct parser *p, const struct directive *d)
{
	(void)d;
	char *word = parser_word(p);
	int pair = word ? parser_get_pair(p, word)
	                : parser_fail(p, p->at, "expected the name of a bracket pair");
	if (pair < 0)
		return -1;
	if (!pair)
		return parser_fail(p, word, "expected a pair of brackets, not \"%s\"", word);
	for (int i = 0; i < 2; i++) {
		char *sign = parser_word(p);
		if (!sign || sign[1])
			return parser_fail(p, sign ? sign : p->at,
			                   "expected two signs of one byte");
		p->tok->tally_signs[i] = *sign;
	}
	p->tok->tally = (uint8_t)pair;
	return parser_need_end(p);
}

int about_imports(struct parser *p, const struct directive *d)
{
	(void)d;
	char *word = parser_word(p);
	if (!word)
		return parser_fail(p, p->at, "expected the word that an import begins with");
	free(p->tok->import_word);
	p->tok->import_word = mem_strdup(word);
	return parser_need_end(p);
}

/* name-marks FRONT [BEHIND] */
int about_name_marks(struct parser *p, const struct directive *d)
{
	(void)d;
	char *front = parser_word(p), *behind = parser_word(p);
	if (!front)
		return parser_fail(p, p->at, "expected the bytes in front of a name");
	free(p->tok->name_marks[0]);
	free(p->tok->name_marks[1]);
	p->tok->name_marks[0] = mem_strdup(front);
	p->tok->name_marks[1] = mem_strdup(behind ? behind : "");
	return parser_need_end(p);
}

int about_gone_items(struct parser *p, const struct directive *d)
{
	if (!p->tok->name_marks[0])
		return parser_fail(p, p->text, "expected \"name-marks\" before \"%s\"", d->name);
	p->tok->gone_items = true;
	return parser_need_end(p);
}

int about_numbered_names(struct parser *p, const struct directive *d)
{
	if (!p->tok->name_marks[0])
		return parser_fail(p, p->text, "expected \"name-marks\" before \"%s\"", d->name);
	p->tok->numbered_names = true;
	return parser_need_end(p);
}

/* section-end TEXT WORD... */
int about_section_end(struct parser *p, const struct directive *d)
{
	(void)d;
	struct tokenizer *tok = p->tok;
	char *text = parser_word(p), *word = text ? parser_word(p) : NULL;
	if (!word)
		return parser_fail(p, p->at,
		                   "expected the text that ends a section, and words that may");
	free(tok->section_end);
	tok->section_end = mem_printf("%s\n", text);
	for (; word; word = parser_word(p)) {
		MEM_GROW(tok->branches, tok->n_branches, tok->cap_branches);
		tok->branches[tok->n_branches++] = mem_strdup(word);
	}
	return 0;
}

/* choices PAIR */
int about_choices(struct parser *p, const struct directive *d)
{
	(void)d;
	char *word = parser_word(p);
	if (!word)
		return parser_fail(p, p->at, "expected the name of a bracket pair");
	int pair = parser_get_pair(p, word);
	if (pair < 0)
		return -1;
	if (!pair)
		return parser_fail(p, word, "expected a pair of brackets, not \"%s\"", word);
	p->tok->choices = (uint8_t)pair;
	return parser_need_end(p);
}

int about_stand_in(struct parser *p, const struct directive *d)
{
	(void)d;
	static const char *const names[STAND_IN_N] = { "item", "group", "identifier", "body",
		                                       "inside" };
	const char *at = p->at;
	char *word = parser_word(p);
	enum stand_in what = 0;
	while (word && what < STAND_IN_N && strcmp(word, names[what]))
		what++;
	if (!word || what == STAND_IN_N)
		return parser_fail(p, word ? word : at,
		                   "expected item, group, identifier, body or inside");
	parser_skip_blanks(p);
	if (!*p->at)
		return parser_fail(p, p->at, "expected the replacement text");
	MEM_GROW(p->tok->stand_ins[what], p->tok->n_stand_ins[what], p->tok->cap_stand_ins[what]);
	p->tok->stand_ins[what][p->tok->n_stand_ins[what]++] = mem_strdup(p->at);
	return 0;
}

/* declaration WHAT WORD... */
int about_declaration(struct parser *p, const struct directive *d)
{
	(void)d;
	static const char *const names[DECLARES_N] = { "function", "type",  "space",  "variable",
		                                       "all",      "path",  "before", "after",
		                                       "called",   "stays", "record" };
	const char *at = p->at;
	char *word = parser_word(p);
	enum declares what = 0;
	while (word && what < DECLARES_N && strcmp(word, names[what]))
		what++;
	if (!word || what == DECLARES_N)
		return parser_fail(
			p, word ? word : at,
			"expected function, type, space, variable, all, path, before, after, "
			"called, stays or record");
	word = parser_word(p);
	if (!word)
		return parser_fail(p, p->at, "expected the words that declarations begin with");
	struct tokenizer *tok = p->tok;
	for (; word; word = parser_word(p)) {
		MEM_GROW(tok->declares[what], tok->n_declares[what], tok->cap_declares[what]);
		tok->declares[what][tok->n_declares[what]++] = mem_strdup(word);
	}
	return 0;
}
