#include "text/tokenizer_def.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

/* One line of the file, NUL-terminated, and how far it has been read. */
struct parser {
	struct tokenizer *tok;
	struct err *err;
	unsigned line;
	char *text; /* the line */
	char *at;   /* what is left of it */
	int guard;  /* from a `when` line, for the next directive that can have one; or GUARD_NONE */
	unsigned guard_line;
};

struct directive {
	const char *name;
	int (*read)(struct parser *p, const struct directive *d);
	unsigned detail; /* a token kind, an item rule type, or whether a bracket is a tag: READ knows */
};

__attribute__((format(printf, 3, 4))) static int fail(struct parser *p, const char *at, const char *fmt, ...)
{
	char msg[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof msg, fmt, ap);
	va_end(ap);
	return err_set(p->err, ERR_USAGE, "%s:%u:%u: %s", p->tok->file, p->line, (unsigned)(at - p->text) + 1, msg);
}

static void skip_blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
}

/* The next word of the line, NUL-terminated in place; NULL at the end of the line. */
static char *next_word(struct parser *p)
{
	skip_blanks(p);
	if (!*p->at)
		return NULL;
	char *word = p->at;
	while (*p->at && *p->at != ' ' && *p->at != '\t')
		p->at++;
	if (*p->at)
		*p->at++ = '\0';
	return word;
}

static int need_end(struct parser *p)
{
	skip_blanks(p);
	return *p->at ? fail(p, p->at, "expected the end of the line") : 0;
}

static bool is_word(const char *text)
{
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	while (isalnum((unsigned char)*text) || *text == '_')
		text++;
	return !*text;
}

/* Finds or adds. */
static struct word *get_word(struct parser *p, const char *text)
{
	struct tokenizer *tok = p->tok;
	size_t len = strlen(text);
	if (len > 31) {
		fail(p, p->at, "expected words of at most 31 bytes");
		return NULL;
	}
	for (size_t i = 0; i < tok->n_words; i++) {
		const char *known = tok->words[i].text;
		if (tok->ignore_case ? !strcasecmp(known, text) : !strcmp(known, text))
			return &tok->words[i];
	}
	MEM_GROW(tok->words, tok->n_words, tok->cap_words);
	struct word *word = &tok->words[tok->n_words++];
	*word = (struct word){ .text = mem_strdup(text), .len = (uint8_t)len, .kind = TOKEN_N_KINDS, .guard = GUARD_NONE };
	return word;
}

/* Finds or adds; negative on failure. */
static int get_pair(struct parser *p, const char *name)
{
	struct tokenizer *tok = p->tok;
	for (size_t i = 0; i < tok->n_pairs; i++)
		if (!strcmp(tok->pairs[i].name, name))
			return (int)i;
	if (tok->n_pairs > PAIR_MAX)
		return fail(p, name, "expected at most %d bracket pairs", PAIR_MAX);
	MEM_GROW(tok->pairs, tok->n_pairs, tok->cap_pairs);
	tok->pairs[tok->n_pairs] =
		(struct pair){ .name = mem_strdup(name), .line = p->line, .column = (unsigned)(name - p->text) + 1 };
	return (int)tok->n_pairs++;
}

/* Gives *bit a number if it has none yet, and puts it into SET. */
static int mention(struct parser *p, const char *at, uint8_t *bit, struct tokenset *set)
{
	if (!*bit && p->tok->n_bits == TOKENSET_BITS)
		return fail(p, at, "expected at most %d different texts in conditions", TOKENSET_BITS - TOKENSET_WORDS);
	if (!*bit)
		*bit = (uint8_t)p->tok->n_bits++;
	tokenset_add(set, *bit);
	return 0;
}

static int read_kind(struct parser *p, const char *name, const char *at)
{
	for (int kind = 0; kind < TOKEN_N_KINDS; kind++)
		if (!strcmp(name, token_kind_name((enum token_kind)kind)))
			return kind;
	return fail(p, at, "expected a kind of token, not \"%s\"", name);
}

static int add_literal(struct parser *p, const char *text, struct tokenset *set)
{
	struct word *word = get_word(p, text);
	return word ? mention(p, text, &word->bit, set) : -1;
}

/* One member of a set of tokens: @KIND, @line, @open:PAIR, @close:PAIR, @word:TEXT, or the token's text. */
static int add_member(struct parser *p, char *word, struct tokenset *set)
{
	if (word[0] != '@' || !word[1])
		return add_literal(p, word, set);
	if (!strncmp(word, "@word:", 6))
		return add_literal(p, word + 6, set);
	bool open = !strncmp(word, "@open:", 6), close = !strncmp(word, "@close:", 7);
	if (open || close) {
		int pair = get_pair(p, word + (open ? 6 : 7));
		if (pair < 0)
			return -1;
		struct pair *role = &p->tok->pairs[pair];
		return mention(p, word, open ? &role->open_bit : &role->close_bit, set);
	}
	if (!strcmp(word, "@line")) {
		tokenset_add(set, TOKENSET_LINE);
		return 0;
	}
	int kind = read_kind(p, word + 1, word);
	if (kind >= 0)
		tokenset_add(set, (unsigned)kind);
	return kind < 0 ? -1 : 0;
}

static int add_pair_member(struct parser *p, const char *word, struct tokenset *set)
{
	int pair = get_pair(p, word);
	if (pair >= 0)
		tokenset_add(set, (unsigned)pair);
	return pair < 0 ? -1 : 0;
}

static const struct condition {
	const char *name;
	enum aspect aspect;
	bool refuse;
} conditions[] = {
	{ "after", ASPECT_AFTER, false },
	{ "not-after", ASPECT_AFTER, true },
	{ "before", ASPECT_BEFORE, false },
	{ "not-before", ASPECT_BEFORE, true },
	{ "opened-after", ASPECT_OPENED_AFTER, false },
	{ "not-opened-after", ASPECT_OPENED_AFTER, true },
	{ "inside", ASPECT_INSIDE, false },
	{ "not-inside", ASPECT_INSIDE, true },
	{ "within", ASPECT_WITHIN, false },
	{ "not-within", ASPECT_WITHIN, true },
	{ "item-has", ASPECT_ITEM, false },
	{ "item-lacks", ASPECT_ITEM, true },
	{ "group-has", ASPECT_GROUP, false },
	{ "group-lacks", ASPECT_GROUP, true },
};

static const struct condition *find_condition(const char *word)
{
	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
		if (!strcmp(word, conditions[i].name))
			return &conditions[i];
	return NULL;
}

/* Reads "MEMBER... CONDITION MEMBER... ..." to the end of the line. TOKENS is NULL where no members may come first. */
static int read_guard(struct parser *p, struct tokenset *tokens, struct guard *guard)
{
	struct tokenset *set = tokens;
	bool empty = true, pairs = false;
	for (char *word; (word = next_word(p)); ) {
		const struct condition *c = find_condition(word);
		if (c && set && empty)
			return fail(p, word, "expected a token before \"%s\"", word);
		if (c) {
			set = c->refuse ? &guard->refuse[c->aspect] : &guard->want[c->aspect];
			if (!c->refuse)
				guard->wanted |= 1u << c->aspect;
			pairs = c->aspect == ASPECT_INSIDE || c->aspect == ASPECT_WITHIN;
			empty = true;
			continue;
		}
		if (!set)
			return fail(p, word, "expected a condition (after, before, inside, ...), not \"%s\"", word);
		if (pairs ? add_pair_member(p, word, set) : add_member(p, word, set))
			return -1;
		empty = false;
	}
	if (empty)
		return fail(p, p->at, set && pairs ? "expected the name of a bracket pair" : "expected a token");
	return 0;
}

static int read_strength(struct parser *p)
{
	char *word = next_word(p);
	if (!word || word[1] || word[0] < '1' || word[0] > '0' + STRENGTH_MAX)
		return fail(p, word ? word : p->at, "expected a strength from 1 to %d", STRENGTH_MAX);
	return word[0] - '0';
}

static int take_guard(struct parser *p)
{
	int guard = p->guard;
	p->guard = GUARD_NONE;
	return guard;
}

/* The rest of the line as the pattern of RULE. */
static int add_rule(struct parser *p, struct rule rule)
{
	struct tokenizer *tok = p->tok;
	skip_blanks(p);
	if (!*p->at)
		return fail(p, p->at, "expected a pattern");
	rule.pattern = mem_strdup(p->at);
	rule.line = p->line;
	rule.column = (unsigned)(p->at - p->text) + 1;
	rule.guard = take_guard(p);
	MEM_GROW(tok->rules, tok->n_rules, tok->cap_rules);
	tok->rules[tok->n_rules++] = rule;
	return 0;
}

static int on_token(struct parser *p, const struct directive *d)
{
	return add_rule(p, (struct rule){ .kind = (uint8_t)d->detail });
}

static int on_splitter(struct parser *p, const struct directive *d)
{
	int strength = read_strength(p);
	return strength < 0 ? -1 : add_rule(p, (struct rule){ .kind = (uint8_t)d->detail, .strength = (uint8_t)strength });
}

static int on_here_document(struct parser *p, const struct directive *d)
{
	p->tok->here_docs = true;
	return add_rule(p, (struct rule){ .kind = (uint8_t)d->detail, .here_doc = true });
}

static int on_half(struct parser *p, const struct directive *d)
{
	char *name = next_word(p);
	if (!name)
		return fail(p, p->at, "expected the name of a bracket pair");
	int pair = get_pair(p, name);
	if (pair < 0)
		return -1;
	if (!pair)
		return fail(p, name, "expected another name: \"%s\" is what stands outside of all brackets", name);
	bool tag = !strncmp(d->name, "tag-", 4);
	if (d->detail == TOKEN_OPEN)
		p->tok->pairs[pair].opened = true;
	else
		p->tok->pairs[pair].closed = true;
	return add_rule(p, (struct rule){ .kind = (uint8_t)d->detail, .pair = (uint8_t)pair, .tag = tag });
}

/* One side of `bracket`: an entry among the words, or a rule for a literal. */
static int add_bracket_side(struct parser *p, char *text, enum token_kind kind, int pair, int guard)
{
	if (!is_word(text)) {
		struct parser sub = *p;
		char *pattern = mem_printf("\\Q%s\\E", text);
		MEM_GROW(p->tok->rules, p->tok->n_rules, p->tok->cap_rules);
		p->tok->rules[p->tok->n_rules++] = (struct rule){ .pattern = pattern, .line = sub.line,
			.column = (unsigned)(text - p->text) + 1, .kind = (uint8_t)kind, .pair = (uint8_t)pair, .guard = guard };
		return 0;
	}
	struct word *word = get_word(p, text);
	if (!word)
		return -1;
	if (word->kind != TOKEN_N_KINDS)
		return fail(p, text, "expected a word without a meaning; \"%s\" has one already", text);
	word->kind = (uint8_t)kind;
	word->pair = (uint8_t)pair;
	word->guard = guard;
	return 0;
}

static int on_bracket(struct parser *p, const struct directive *d)
{
	(void)d;
	char *open = next_word(p), *close = next_word(p);
	if (!close)
		return fail(p, p->at, "expected an opening and a closing text");
	int pair = get_pair(p, open), guard = take_guard(p);
	if (pair < 0)
		return -1;
	p->tok->pairs[pair].opened = p->tok->pairs[pair].closed = true;
	if (add_bracket_side(p, open, TOKEN_OPEN, pair, guard) || add_bracket_side(p, close, TOKEN_CLOSE, pair, guard))
		return -1;
	return need_end(p);
}

static int on_keywords(struct parser *p, const struct directive *d)
{
	(void)d;
	int guard = take_guard(p);
	char *text = next_word(p);
	if (!text)
		return fail(p, p->at, "expected words");
	for (; text; text = next_word(p)) {
		struct word *word = get_word(p, text);
		if (!word)
			return -1;
		if (word->kind == TOKEN_N_KINDS) {
			word->kind = TOKEN_KEYWORD;
			word->guard = guard;
		}
	}
	return 0;
}

static int on_layout(struct parser *p, const struct directive *d)
{
	(void)d;
	char *word = next_word(p);
	if (word && !strcmp(word, "any"))
		p->tok->layout = LAYOUT_ANY;
	else if (word && !strcmp(word, "tab"))
		p->tok->layout = LAYOUT_TAB;
	else
		return fail(p, word ? word : p->at, "expected \"any\" or \"tab\"");
	int pair = get_pair(p, "layout");
	if (pair < 0)
		return -1;
	p->tok->layout_pair = (uint8_t)pair;
	p->tok->pairs[pair].opened = p->tok->pairs[pair].closed = true;
	tokenset_add(&p->tok->layout_inside, 0);
	tokenset_add(&p->tok->layout_inside, (unsigned)pair);
	while ((word = next_word(p)))
		if (add_pair_member(p, word, &p->tok->layout_inside))
			return -1;
	return 0;
}

static int on_item(struct parser *p, const struct directive *d)
{
	struct tokenizer *tok = p->tok;
	struct item_rule rule = { .type = (uint8_t)d->detail };
	int strength = d->detail == ITEM_JOIN ? 0 : read_strength(p);
	if (strength < 0 || read_guard(p, &rule.tokens, &rule.guard))
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
		return fail(p, p->text, "expected at most %d \"when\" lines", GUARD_MAX);
	if (read_guard(p, NULL, &guard))
		return -1;
	if (guard.wanted & 1u << ASPECT_BEFORE)
		return fail(p, start, "expected conditions on what was read already: before is for end-item and join-items");
	MEM_GROW(tok->guards, tok->n_guards, tok->cap_guards);
	p->guard = (int)tok->n_guards;
	p->guard_line = p->line;
	tok->guards[tok->n_guards++] = guard;
	return 0;
}

static int on_files(struct parser *p, const struct directive *d)
{
	(void)d;
	struct tokenizer *tok = p->tok;
	char *word = next_word(p);
	if (!word)
		return fail(p, p->at, "expected file name patterns");
	for (; word; word = next_word(p)) {
		MEM_GROW(tok->globs, tok->n_globs, tok->cap_globs);
		tok->globs[tok->n_globs++] = mem_strdup(word);
	}
	return 0;
}

static int read_hint(struct parser *p, unsigned priority, struct hint *hint)
{
	skip_blanks(p);
	if (!*p->at)
		return fail(p, p->at, "expected a pattern");
	*hint = (struct hint){ .pattern = mem_strdup(p->at), .line = p->line, .column = (unsigned)(p->at - p->text) + 1,
	                       .priority = priority };
	return 0;
}

static int on_interpreter(struct parser *p, const struct directive *d)
{
	(void)d;
	struct tokenizer *tok = p->tok;
	MEM_GROW(tok->interpreters, tok->n_interpreters, tok->cap_interpreters);
	if (read_hint(p, 0, &tok->interpreters[tok->n_interpreters]))
		return -1;
	tok->n_interpreters++;
	return 0;
}

static int on_content(struct parser *p, const struct directive *d)
{
	(void)d;
	struct tokenizer *tok = p->tok;
	char *word = next_word(p), *end = word;
	long priority = word ? strtol(word, &end, 10) : 0;
	if (!word || *end || priority < 1 || priority > 100)
		return fail(p, word ? word : p->at, "expected a priority from 1 to 100");
	MEM_GROW(tok->contents, tok->n_contents, tok->cap_contents);
	if (read_hint(p, (unsigned)priority, &tok->contents[tok->n_contents]))
		return -1;
	tok->n_contents++;
	return 0;
}

static int on_name(struct parser *p, const struct directive *d)
{
	(void)d;
	char *word = next_word(p);
	if (!word || strchr(word, '/'))
		return fail(p, word ? word : p->at, "expected a name");
	free(p->tok->name);
	p->tok->name = mem_strdup(word);
	return need_end(p);
}

static int on_ignore_case(struct parser *p, const struct directive *d)
{
	if (p->tok->n_words)
		return fail(p, p->text, "expected \"%s\" before all words", d->name);
	p->tok->ignore_case = true;
	return need_end(p);
}

static int on_simplest(struct parser *p, const struct directive *d)
{
	(void)d;
	char *word = next_word(p);
	if (!word)
		return fail(p, p->at, "expected a kind of token");
	int kind = read_kind(p, word, word);
	if (kind < 0)
		return -1;
	skip_blanks(p);
	if (!*p->at)
		return fail(p, p->at, "expected the replacement");
	free(p->tok->simplest[kind]);
	p->tok->simplest[kind] = mem_strdup(p->at);
	return 0;
}

static const struct directive directives[] = {
	{ "name", on_name, 0 },
	{ "files", on_files, 0 },
	{ "interpreter", on_interpreter, 0 },
	{ "content", on_content, 0 },
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
	{ "open", on_half, TOKEN_OPEN },
	{ "close", on_half, TOKEN_CLOSE },
	{ "tag-open", on_half, TOKEN_OPEN },
	{ "tag-close", on_half, TOKEN_CLOSE },
	{ "layout", on_layout, 0 },
	{ "here-document", on_here_document, TOKEN_OTHER },
	{ "when", on_when, 0 },
	{ "end-item", on_item, ITEM_END },
	{ "begin-item", on_item, ITEM_BEGIN },
	{ "join-items", on_item, ITEM_JOIN },
	{ "simplest", on_simplest, 0 },
};

static int read_line(struct parser *p)
{
	char *word = next_word(p);
	if (!word || *word == '#')
		return 0;
	int guard = p->guard;
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
		const struct directive *d = &directives[i];
		if (strcmp(word, d->name))
			continue;
		if (d->read(p, d))
			return -1;
		if (guard != GUARD_NONE && p->guard == guard)
			return fail(p, word, "expected a token, bracket or keywords after \"when\", not \"%s\"", word);
		if (guard != GUARD_NONE && p->guard != GUARD_NONE)
			return fail(p, word, "expected only one \"when\" for a directive");
		return 0;
	}
	return fail(p, word, "expected a directive, not \"%s\"", word);
}

static int check_whole(struct parser *p)
{
	struct tokenizer *tok = p->tok;
	if (p->guard != GUARD_NONE)
		return err_set(p->err, ERR_USAGE, "%s:%u:1: expected a directive after \"when\"", tok->file, p->guard_line);
	for (size_t i = 1; i < tok->n_pairs; i++) {
		struct pair *pair = &tok->pairs[i];
		if (!pair->opened || !pair->closed)
			return err_set(p->err, ERR_USAGE, "%s:%u:%u: expected a directive that %s the pair \"%s\"", tok->file,
			               pair->line, pair->column, pair->opened ? "closes" : "opens", pair->name);
	}
	return 0;
}

static int read_lines(struct parser *p, char *text, size_t len)
{
	if (memchr(text, '\0', len))
		return err_set(p->err, ERR_USAGE, "%s:1:1: expected text, found a NUL byte", p->tok->file);
	for (char *end = text + len; text < end; ) {
		char *newline = memchr(text, '\n', (size_t)(end - text));
		char *next = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
		p->line++;
		p->text = p->at = text;
		if (read_line(p))
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

struct tokenizer *tokenizer_parse(const char *file, struct err *err)
{
	struct buf text = { 0 };
	if (io_read_file(file, &text, err))
		return NULL;
	struct tokenizer *tok = mem_zero(1, sizeof *tok);
	tok->file = mem_strdup(file);
	tok->name = default_name(file);
	tok->n_bits = TOKENSET_WORDS;
	struct parser p = { .tok = tok, .err = err, .guard = GUARD_NONE };
	char top[] = "top";
	p.text = p.at = top;
	get_pair(&p, top);
	if (read_lines(&p, text.data, text.len)) {
		tokenizer_free(tok);
		tok = NULL;
	}
	buf_release(&text);
	return tok;
}
