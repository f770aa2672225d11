#include <ctype.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "binary/schema_def.h"
#include "lang/rewrite_pattern.h"
#include "lang/tokenizer.h"
#include "lang/tokenizer_def.h"
#include "lang/tokenizer_line.h"

/* Directives about a definition as a whole: which files it is for, its name, what is simplest in
 * its language. Each reads the rest of its line, 0 or -1. */

/* The words up to the end of the line, WHAT: at least one. */
static int read_words(struct parser *p, const char *what, struct texts *to)
{
	char *word = parser_word(p);
	if (!word)
		return parser_fail(p, p->at, "expected %s", what);
	for (; word; word = parser_word(p))
		texts_add(to, mem_strdup(word));
	return 0;
}

/* The place of a word in the names, which WHAT says; or -1. */
static int read_choice(struct parser *p, const char *const *names, const char *what)
{
	const char *at = p->at;
	char *word = parser_word(p);
	int place = word ? mem_place_of(names, word) : -1;
	return place < 0 ? parser_fail(p, word ? word : at, "expected %s", what) : place;
}

/* The name of a pair of brackets: its number, or -1. */
static int read_pair(struct parser *p)
{
	char *word = parser_word(p);
	int pair = word ? parser_get_pair(p, word)
	                : parser_fail(p, p->at, "expected the name of a bracket pair");
	return pair ? pair : parser_fail(p, word, "expected a pair of brackets, not \"%s\"", word);
}

static int about_files(struct parser *p, UNUSED const struct directive *d)
{
	return read_words(p, "file name patterns", &p->tok->globs);
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

static int about_interpreter(struct parser *p, UNUSED const struct directive *d)
{
	struct tokenizer *tok = p->tok;
	MEM_GROW(tok->interpreters, tok->n_interpreters, tok->cap_interpreters);
	if (read_hint(p, 0, &tok->interpreters[tok->n_interpreters]))
		return -1;
	tok->n_interpreters++;
	return 0;
}

static int about_content(struct parser *p, UNUSED const struct directive *d)
{
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

static int about_name(struct parser *p, UNUSED const struct directive *d)
{
	char *word = parser_word(p);
	if (!word || strchr(word, '/'))
		return parser_fail(p, word ? word : p->at, "expected a name");
	free(p->tok->name);
	p->tok->name = mem_strdup(word);
	return parser_need_end(p);
}

static int about_simplest(struct parser *p, UNUSED const struct directive *d)
{
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

static int about_numeric_names(struct parser *p, UNUSED const struct directive *d)
{
	char *word = parser_word(p);
	free(p->tok->numeric_sign);
	p->tok->numeric_sign = mem_strdup(word ? word : "");
	return parser_need_end(p);
}

/* tally PAIR SIGN SIGN */
static int about_tally(struct parser *p, UNUSED const struct directive *d)
{
	int pair = read_pair(p);
	if (pair < 0)
		return -1;
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

static int about_imports(struct parser *p, UNUSED const struct directive *d)
{
	char *word = parser_word(p);
	if (!word)
		return parser_fail(p, p->at, "expected the word that an import begins with");
	free(p->tok->import_word);
	p->tok->import_word = mem_strdup(word);
	return parser_need_end(p);
}

/* formatter COMMAND */
static int about_formatter(struct parser *p, UNUSED const struct directive *d)
{
	if (!*p->at)
		return parser_fail(p, p->at, "expected a command that formats a file");
	texts_add(&p->tok->formatters, mem_strdup(p->at));
	return 0;
}

/* name-marks FRONT [BEHIND] */
static int about_name_marks(struct parser *p, UNUSED const struct directive *d)
{
	char *front = parser_word(p), *behind = parser_word(p);
	if (!front)
		return parser_fail(p, p->at, "expected the bytes in front of a name");
	free(p->tok->name_marks[0]);
	free(p->tok->name_marks[1]);
	p->tok->name_marks[0] = mem_strdup(front);
	p->tok->name_marks[1] = mem_strdup(behind ? behind : "");
	return parser_need_end(p);
}

/* The detail says which flag of the tokenizer it is. */
static int about_marked_names(struct parser *p, const struct directive *d)
{
	if (!p->tok->name_marks[0])
		return parser_fail(p, p->text, "expected \"name-marks\" before \"%s\"", d->name);
	*(bool *)((char *)p->tok + d->detail) = true;
	return parser_need_end(p);
}

/* holds NAME ... */
static int about_holds(struct parser *p, UNUSED const struct directive *d)
{
	return read_words(p, "names of tokenizers", &p->tok->holds);
}

/* section-end TEXT WORD... */
static int about_section_end(struct parser *p, UNUSED const struct directive *d)
{
	struct tokenizer *tok = p->tok;
	char *text = parser_word(p);
	free(tok->section_end);
	tok->section_end = mem_printf("%s\n", text ? text : "");
	return read_words(p, "the text that ends a section, and words that may", &tok->branches);
}

/* choices PAIR */
static int about_choices(struct parser *p, UNUSED const struct directive *d)
{
	int pair = read_pair(p);
	if (pair < 0)
		return -1;
	p->tok->choices = (uint8_t)pair;
	return parser_need_end(p);
}

static int about_stand_in(struct parser *p, UNUSED const struct directive *d)
{
	static const char *const names[STAND_IN_N + 1] = { "item", "group",  "identifier",
		                                           "body", "inside", "behind",
		                                           "line", "form",   "mention" };
	int what = read_choice(
		p, names, "item, group, identifier, body, inside, behind, line, form or mention");
	if (what < 0)
		return -1;
	parser_skip_blanks(p);
	if (!*p->at)
		return parser_fail(p, p->at, "expected the replacement text");
	if (what == STAND_IN_MENTION && !strchr(p->at, ' '))
		return parser_fail(p, p->at,
		                   "expected how a definition begins, and the replacement text");
	texts_add(&p->tok->stand_ins[what], mem_strdup(p->at));
	return 0;
}

/* declaration WHAT WORD... */
static int about_declaration(struct parser *p, UNUSED const struct directive *d)
{
	static const char *const names[DECLARES_N + 1] = {
		"function", "type",  "space",  "variable", "all",   "path",  "before", "after",
		"called",   "stays", "record", "heads",    "cases", "whole", "typed"
	};
	int what = read_choice(p, names,
	                       "function, type, space, variable, all, path, before, after, "
	                       "called, stays, record, heads, cases, whole or typed");
	return what < 0 ? -1
	                : read_words(p, "the words that declarations begin with",
	                             &p->tok->declares[what]);
}

/* The directives of a definition. */

static bool is_word(const char *text)
{
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	while (isalnum((unsigned char)*text) || *text == '_')
		text++;
	return !*text;
}

static int read_strength(struct parser *p)
{
	char *word = parser_word(p);
	if (!word || word[1] || word[0] < '1' || word[0] > '0' + STRENGTH_MAX)
		return parser_fail(p, word ? word : p->at, "expected a strength from 1 to %d",
		                   STRENGTH_MAX);
	return word[0] - '0';
}

static int take_guard(struct parser *p)
{
	int guard = p->guard;
	p->guard = GUARD_NONE;
	return guard;
}

static int store_rule(struct parser *p, struct rule rule)
{
	struct tokenizer *tok = p->tok;
	rule.guard = take_guard(p);
	MEM_PUSH(tok->rules, tok->n_rules, tok->cap_rules, rule);
	return 0;
}

/* The rest of the line as the pattern of RULE. */
static int add_rule(struct parser *p, struct rule rule)
{
	parser_skip_blanks(p);
	if (!*p->at)
		return parser_fail(p, p->at, "expected a pattern");
	rule.pattern = mem_strdup(p->at);
	rule.line = p->line;
	rule.column = (unsigned)(p->at - p->text) + 1;
	return store_rule(p, rule);
}

static int on_token(struct parser *p, const struct directive *d)
{
	return add_rule(p, (struct rule){ .kind = (uint8_t)d->detail });
}

static int on_splitter(struct parser *p, const struct directive *d)
{
	int strength = read_strength(p);
	return strength < 0 ? -1
	                    : add_rule(p, (struct rule){ .kind = (uint8_t)d->detail,
	                                                 .ends_head = !strcmp(d->name, "head"),
	                                                 .strength = (uint8_t)strength });
}

static int on_here_document(struct parser *p, const struct directive *d)
{
	return add_rule(p, (struct rule){ .kind = (uint8_t)d->detail, .here_doc = true });
}

/* nested KIND OPEN CLOSE [PATTERN]: the pattern is OPEN itself when there is none. */
static int on_nested(struct parser *p, UNUSED const struct directive *d)
{
	char *word = parser_word(p);
	int kind = word ? parser_kind(p, word, word)
	                : parser_fail(p, p->at, "expected a kind of token");
	if (kind < 0)
		return -1;
	if (kind == TOKEN_OPEN || kind == TOKEN_CLOSE)
		return parser_fail(p, word, "expected a kind of token that is not a bracket");
	char *open = parser_word(p), *close = parser_word(p);
	if (!close)
		return parser_fail(p, p->at, "expected an opening and a closing text");
	struct rule rule = { .kind = (uint8_t)kind,
		             .inner_open = mem_strdup(open),
		             .inner_close = mem_strdup(close) };
	parser_skip_blanks(p);
	if (*p->at)
		return add_rule(p, rule);
	rule.pattern = mem_printf("\\Q%s\\E", open);
	rule.line = p->line;
	rule.column = (unsigned)(open - p->text) + 1;
	return store_rule(p, rule);
}

static void note_half(struct parser *p, int pair, const struct directive *d)
{
	p->tok->pairs[pair].opened |= d->detail == TOKEN_OPEN;
	p->tok->pairs[pair].closed |= d->detail == TOKEN_CLOSE;
}

static int on_half(struct parser *p, const struct directive *d)
{
	char *name = parser_word(p);
	if (!name)
		return parser_fail(p, p->at, "expected the name of a bracket pair");
	int pair = parser_get_pair(p, name);
	if (pair < 0)
		return -1;
	if (!pair)
		return parser_fail(p, name,
		                   "expected another name: \"%s\" means outside of all brackets",
		                   name);
	bool tag = !strncmp(d->name, "tag-", 4);
	p->tok->pairs[pair].tag |= tag;
	note_half(p, pair, d);
	return add_rule(
		p, (struct rule){ .kind = (uint8_t)d->detail, .pair = (uint8_t)pair, .tag = tag });
}

static int add_bracket_word(struct parser *p, char *text, enum token_kind kind, int pair, int guard)
{
	struct word *word = parser_get_word(p, text);
	if (!word)
		return -1;
	if (word->kind != TOKEN_N_KINDS)
		return parser_fail(p, text, "expected a word that is not used yet; \"%s\" is",
		                   text);
	word->kind = (uint8_t)kind;
	word->pair = (uint8_t)pair;
	word->guard = guard;
	return 0;
}

/* One side of `bracket`: an entry among the words, or a rule for a literal. */
static int add_bracket_side(struct parser *p, char *text, enum token_kind kind, int pair, int guard)
{
	if (!is_word(text)) {
		char *pattern = mem_printf("\\Q%s\\E", text);
		MEM_PUSH(p->tok->rules, p->tok->n_rules, p->tok->cap_rules,
		         (struct rule){ .pattern = pattern,
		                        .line = p->line,
		                        .column = (unsigned)(text - p->text) + 1,
		                        .kind = (uint8_t)kind,
		                        .pair = (uint8_t)pair,
		                        .guard = guard });
		return 0;
	}
	return add_bracket_word(p, text, kind, pair, guard);
}

static int on_bracket(struct parser *p, UNUSED const struct directive *d)
{
	char *open = parser_word(p), *close = parser_word(p);
	if (!close)
		return parser_fail(p, p->at, "expected an opening and a closing text");
	int pair = parser_get_pair(p, open), guard = take_guard(p);
	if (pair < 0)
		return -1;
	p->tok->pairs[pair].opened = p->tok->pairs[pair].closed = true;
	if (add_bracket_side(p, open, TOKEN_OPEN, pair, guard) ||
	    add_bracket_side(p, close, TOKEN_CLOSE, pair, guard))
		return -1;
	return parser_need_end(p);
}

/* open-words NAME WORD..., close-words NAME WORD... */
static int on_bracket_words(struct parser *p, const struct directive *d)
{
	int guard = take_guard(p);
	char *name = parser_word(p), *text = name ? parser_word(p) : NULL;
	if (!text)
		return parser_fail(p, p->at, "expected the name of a bracket pair, and words");
	int pair = parser_get_pair(p, name);
	if (pair < 0)
		return -1;
	note_half(p, pair, d);
	for (; text; text = parser_word(p))
		if (add_bracket_word(p, text, (enum token_kind)d->detail, pair, guard))
			return -1;
	return 0;
}

static int on_keywords(struct parser *p, UNUSED const struct directive *d)
{
	int guard = take_guard(p);
	char *text = parser_word(p);
	if (!text)
		return parser_fail(p, p->at, "expected words");
	for (; text; text = parser_word(p)) {
		struct word *word = parser_get_word(p, text);
		if (!word)
			return -1;
		if (word->kind == TOKEN_N_KINDS) {
			word->kind = TOKEN_KEYWORD;
			word->guard = guard;
		} else if (guard == GUARD_NONE) {
			word->otherwise = TOKEN_KEYWORD;
		}
	}
	return 0;
}

static int on_layout(struct parser *p, UNUSED const struct directive *d)
{
	char *word = parser_word(p);
	if (word && !strcmp(word, "any"))
		p->tok->layout = LAYOUT_ANY;
	else if (word && !strcmp(word, "tab"))
		p->tok->layout = LAYOUT_TAB;
	else
		return parser_fail(p, word ? word : p->at, "expected \"any\" or \"tab\"");
	int pair = parser_get_pair(p, "layout");
	if (pair < 0)
		return -1;
	p->tok->layout_pair = (uint8_t)pair;
	p->tok->pairs[pair].opened = p->tok->pairs[pair].closed = true;
	tokenset_add(&p->tok->layout_inside, 0);
	tokenset_add(&p->tok->layout_inside, (unsigned)pair);
	while ((word = parser_word(p)))
		if (parser_add_pair(p, word, &p->tok->layout_inside))
			return -1;
	return 0;
}

static int on_item(struct parser *p, const struct directive *d)
{
	struct tokenizer *tok = p->tok;
	struct item_rule rule = { .type = (uint8_t)d->detail };
	int strength = d->detail == ITEM_JOIN ? 0 : read_strength(p);
	if (strength < 0 || parser_conditions(p, &rule.tokens, &rule.guard))
		return -1;
	rule.strength = (uint8_t)strength;
	MEM_PUSH(tok->items, tok->n_items, tok->cap_items, rule);
	return 0;
}

static int on_when(struct parser *p, const struct directive *d)
{
	(void)d;
	struct tokenizer *tok = p->tok;
	struct guard guard = { 0 };
	char *start = p->at;
	if (tok->n_guards == GUARD_MAX)
		return parser_fail(p, p->text, "expected at most %d \"when\" lines", GUARD_MAX);
	if (parser_conditions(p, NULL, &guard))
		return -1;
	if (guard.wanted & 1u << ASPECT_BEFORE)
		return parser_fail(p, start,
		                   "expected conditions on earlier tokens: before is for end-item "
		                   "and join-items only");
	MEM_GROW(tok->guards, tok->n_guards, tok->cap_guards);
	p->guard = (int)tok->n_guards;
	p->guard_line = p->line;
	tok->guards[tok->n_guards++] = guard;
	return 0;
}

static int on_ignore_case(struct parser *p, const struct directive *d)
{
	if (p->tok->n_words)
		return parser_fail(p, p->text, "expected \"%s\" before all words", d->name);
	p->tok->ignore_case = true;
	return parser_need_end(p);
}

static int on_operand(struct parser *p, UNUSED const struct directive *d)
{
	return rewrite_parse_operands(p);
}

static int on_rewrite(struct parser *p, const struct directive *d)
{
	return rewrite_parse(p, d->detail);
}

static int on_rewrites(struct parser *p, UNUSED const struct directive *d)
{
	return rewrite_parse_sets(p);
}

static int on_record(struct parser *p, UNUSED const struct directive *d)
{
	return schema_parse(p);
}

static const struct directive directives[] = {
	{ "name", about_name, 0 }, /* the first HINTS of them say what is meant */
	{ "files", about_files, 0 },
	{ "interpreter", about_interpreter, 0 },
	{ "content", about_content, 0 },
	{ "ignore-case", on_ignore_case, 0 },
	{ "blank", on_token, TOKEN_BLANK },
	{ "newline", on_token, TOKEN_NEWLINE },
	{ "comment", on_token, TOKEN_COMMENT },
	{ "string", on_token, TOKEN_STRING },
	{ "number", on_token, TOKEN_NUMBER },
	{ "identifier", on_token, TOKEN_IDENTIFIER },
	{ "keyword", on_token, TOKEN_KEYWORD },
	{ "other", on_token, TOKEN_OTHER },
	{ "separator", on_splitter, TOKEN_SEPARATOR },
	{ "terminator", on_splitter, TOKEN_TERMINATOR },
	{ "head", on_splitter, TOKEN_TERMINATOR },
	{ "keywords", on_keywords, 0 },
	{ "bracket", on_bracket, 0 },
	{ "open-words", on_bracket_words, TOKEN_OPEN },
	{ "close-words", on_bracket_words, TOKEN_CLOSE },
	{ "open", on_half, TOKEN_OPEN },
	{ "close", on_half, TOKEN_CLOSE },
	{ "tag-open", on_half, TOKEN_OPEN },
	{ "tag-close", on_half, TOKEN_CLOSE },
	{ "layout", on_layout, 0 },
	{ "here-document", on_here_document, TOKEN_OTHER },
	{ "nested", on_nested, 0 },
	{ "when", on_when, 0 },
	{ "end-item", on_item, ITEM_END },
	{ "begin-item", on_item, ITEM_BEGIN },
	{ "join-items", on_item, ITEM_JOIN },
	{ "simplest", about_simplest, 0 },
	{ "imports", about_imports, 0 },
	{ "formatter", about_formatter, 0 },
	{ "tally", about_tally, 0 },
	{ "numeric-names", about_numeric_names, 0 },
	{ "stand-in", about_stand_in, 0 },
	{ "declaration", about_declaration, 0 },
	{ "operand", on_operand, 0 },
	{ "rewrite", on_rewrite, false },
	{ "rewrites", on_rewrites, 0 },
	{ "name-marks", about_name_marks, 0 },
	{ "gone-items", about_marked_names, offsetof(struct tokenizer, gone_items) },
	{ "numbered-names", about_marked_names, offsetof(struct tokenizer, numbered_names) },
	{ "choices", about_choices, 0 },
	{ "section-end", about_section_end, 0 },
	{ "gone", on_rewrite, true },
	{ "record", on_record, 0 },
	{ "holds", about_holds, 0 },
};

enum { HINTS = 4 }; /* of the directives */

/* Reads the line, which may be empty or a comment. 0, or -1 with p->err. */
static int directive_read(struct parser *p)
{
	char *word = parser_word(p);
	if (!word || *word == '#')
		return 0;
	int guard = p->guard;
	size_t n = p->skims ? HINTS : sizeof directives / sizeof *directives;
	for (size_t i = 0; i < n; i++) {
		const struct directive *d = &directives[i];
		if (strcmp(word, d->name))
			continue;
		if (d->read(p, d))
			return -1;
		if (guard != GUARD_NONE && p->guard == guard)
			return parser_fail(
				p, word,
				"expected a token, bracket or keywords after \"when\", not \"%s\"",
				word);
		if (guard != GUARD_NONE && p->guard != GUARD_NONE)
			return parser_fail(p, word, "expected only one \"when\" for a directive");
		return 0;
	}
	return p->skims ? 0 : parser_fail(p, word, "expected a directive, not \"%s\"", word);
}

/* Files of directives (tokenizer_def.h). */

static int check_numbers(struct parser *p)
{
	const struct tokenizer *tok = p->tok;
	if (tok->n_rules > TOKENIZER_RULES)
		return parser_fail(p, p->text, "expected at most %d patterns", TOKENIZER_RULES);
	if (tok->globs.n > TOKENIZER_HINTS || tok->n_interpreters > TOKENIZER_HINTS ||
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
	const char *base = path_base(file), *dot = strrchr(base, '.');
	return dot && dot > base ? mem_printf("%.*s", (int)(dot - base), base) : mem_strdup(base);
}

/* SKIMS: reads only what says what the definition is for. */
static struct tokenizer *parse(const char *file, bool found, bool skims, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
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

struct tokenizer *tokenizer_load(const char *file, struct err *err)
{
	struct tokenizer *tok = tokenizer_parse(file, err);
	if (tok && tokenizer_compile(tok, err)) {
		tokenizer_free(tok);
		return NULL;
	}
	return tok;
}
