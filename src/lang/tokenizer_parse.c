#include "lang/tokenizer_parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "lang/rewrite_def.h"
#include "binary/schema_def.h"
#include "lang/tokenizer.h"
#include "lang/tokenizer_about.h"
#include "lang/tokenizer_def.h"
#include "lang/tokenizer_line.h"

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
	MEM_GROW(tok->rules, tok->n_rules, tok->cap_rules);
	tok->rules[tok->n_rules++] = rule;
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
	                                                 .strength = (uint8_t)strength });
}

static int on_here_document(struct parser *p, const struct directive *d)
{
	p->tok->here_docs = true;
	return add_rule(p, (struct rule){ .kind = (uint8_t)d->detail, .here_doc = true });
}

/* nested KIND OPEN CLOSE [PATTERN]: the pattern is OPEN itself when there is none. */
static int on_nested(struct parser *p, const struct directive *d)
{
	(void)d;
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
	if (d->detail == TOKEN_OPEN)
		p->tok->pairs[pair].opened = true;
	else
		p->tok->pairs[pair].closed = true;
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
		MEM_GROW(p->tok->rules, p->tok->n_rules, p->tok->cap_rules);
		p->tok->rules[p->tok->n_rules++] =
			(struct rule){ .pattern = pattern,
			               .line = p->line,
			               .column = (unsigned)(text - p->text) + 1,
			               .kind = (uint8_t)kind,
			               .pair = (uint8_t)pair,
			               .guard = guard };
		return 0;
	}
	return add_bracket_word(p, text, kind, pair, guard);
}

static int on_bracket(struct parser *p, const struct directive *d)
{
	(void)d;
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
	if (d->detail == TOKEN_OPEN)
		p->tok->pairs[pair].opened = true;
	else
		p->tok->pairs[pair].closed = true;
	for (; text; text = parser_word(p))
		if (add_bracket_word(p, text, (enum token_kind)d->detail, pair, guard))
			return -1;
	return 0;
}

static int on_keywords(struct parser *p, const struct directive *d)
{
	(void)d;
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

static int on_layout(struct parser *p, const struct directive *d)
{
	(void)d;
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
	MEM_GROW(tok->items, tok->n_items, tok->cap_items);
	tok->items[tok->n_items++] = rule;
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

static int on_operand(struct parser *p, const struct directive *d)
{
	(void)d;
	return rewrite_parse_operands(p);
}

static int on_rewrite(struct parser *p, const struct directive *d)
{
	return rewrite_parse(p, d->detail);
}

static int on_rewrites(struct parser *p, const struct directive *d)
{
	(void)d;
	return rewrite_parse_sets(p);
}

static int on_record(struct parser *p, const struct directive *d)
{
	(void)d;
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
	{ "tally", about_tally, 0 },
	{ "numeric-names", about_numeric_names, 0 },
	{ "stand-in", about_stand_in, 0 },
	{ "declaration", about_declaration, 0 },
	{ "operand", on_operand, 0 },
	{ "rewrite", on_rewrite, false },
	{ "rewrites", on_rewrites, 0 },
	{ "name-marks", about_name_marks, 0 },
	{ "gone-items", about_gone_items, 0 },
	{ "numbered-names", about_numbered_names, 0 },
	{ "choices", about_choices, 0 },
	{ "section-end", about_section_end, 0 },
	{ "gone", on_rewrite, true },
	{ "record", on_record, 0 },
};

enum { HINTS = 4 }; /* of the directives */

int directive_read(struct parser *p)
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
