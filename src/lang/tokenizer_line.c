#include "lang/tokenizer_line.h"

#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"

int parser_fail(struct parser *p, const char *at, const char *fmt, ...)
{
	char msg[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof msg, fmt, ap);
	va_end(ap);
	return err_set(p->err, ERR_USAGE, "%s:%u:%u: %s", p->tok->file, p->line,
	               (unsigned)(at - p->text) + 1, msg);
}

void parser_skip_blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
}

char *parser_word(struct parser *p)
{
	parser_skip_blanks(p);
	if (!*p->at)
		return NULL;
	char *word = p->at;
	while (*p->at && *p->at != ' ' && *p->at != '\t')
		p->at++;
	if (*p->at)
		*p->at++ = '\0';
	return word;
}

int parser_need_end(struct parser *p)
{
	parser_skip_blanks(p);
	return *p->at ? parser_fail(p, p->at, "expected the end of the line") : 0;
}

struct word *parser_get_word(struct parser *p, const char *text)
{
	struct tokenizer *tok = p->tok;
	size_t len = strlen(text);
	if (len > WORD_MAX) {
		parser_fail(p, text, "expected words of at most %d bytes", WORD_MAX);
		return NULL;
	}
	for (size_t i = 0; i < tok->n_words; i++) {
		const char *known = tok->words[i].text;
		if (tok->ignore_case ? !strcasecmp(known, text) : !strcmp(known, text))
			return &tok->words[i];
	}
	if (tok->n_words == TOKENIZER_RULES) {
		parser_fail(p, text, "expected at most %d words", TOKENIZER_RULES);
		return NULL;
	}
	MEM_GROW(tok->words, tok->n_words, tok->cap_words);
	struct word *word = &tok->words[tok->n_words++];
	*word = (struct word){ .text = mem_strdup(text),
		               .len = (uint8_t)len,
		               .kind = TOKEN_N_KINDS,
		               .otherwise = TOKEN_N_KINDS,
		               .guard = GUARD_NONE,
		               .line = p->line,
		               .column = (unsigned)(text - p->text) + 1 };
	return word;
}

int parser_get_pair(struct parser *p, const char *name)
{
	struct tokenizer *tok = p->tok;
	for (size_t i = 0; i < tok->n_pairs; i++)
		if (!strcmp(tok->pairs[i].name, name))
			return (int)i;
	if (tok->n_pairs > PAIR_MAX)
		return parser_fail(p, name, "expected at most %d bracket pairs", PAIR_MAX);
	MEM_GROW(tok->pairs, tok->n_pairs, tok->cap_pairs);
	tok->pairs[tok->n_pairs] = (struct pair){ .name = mem_strdup(name),
		                                  .line = p->line,
		                                  .column = (unsigned)(name - p->text) + 1 };
	return (int)tok->n_pairs++;
}

/* Gives *bit a number if it has none yet, and puts it into SET. */
static int mention(struct parser *p, const char *at, uint8_t *bit, struct tokenset *set)
{
	if (!*bit && p->tok->n_bits == TOKENSET_BITS)
		return parser_fail(p, at, "expected at most %d different texts in conditions",
		                   TOKENSET_BITS - TOKENSET_WORDS);
	if (!*bit)
		*bit = (uint8_t)p->tok->n_bits++;
	tokenset_add(set, *bit);
	return 0;
}

int parser_kind(struct parser *p, const char *name, const char *at)
{
	for (int kind = 0; kind < TOKEN_N_KINDS; kind++)
		if (!strcmp(name, token_kind_name((enum token_kind)kind)))
			return kind;
	return parser_fail(p, at, "expected a kind of token, not \"%s\"", name);
}

static int add_literal(struct parser *p, const char *text, struct tokenset *set)
{
	struct word *word = parser_get_word(p, text);
	return word ? mention(p, text, &word->bit, set) : -1;
}

/* One member of a set of tokens: @KIND, @line, @label, @defined, @open:PAIR, @close:PAIR,
 * @word:TEXT, or the token's text. */
static int add_member(struct parser *p, char *word, struct tokenset *set)
{
	if (word[0] != '@' || !word[1])
		return add_literal(p, word, set);
	if (!strncmp(word, "@word:", 6))
		return add_literal(p, word + 6, set);
	bool open = !strncmp(word, "@open:", 6), close = !strncmp(word, "@close:", 7);
	if (open || close) {
		int pair = parser_get_pair(p, word + (open ? 6 : 7));
		if (pair < 0)
			return -1;
		struct pair *role = &p->tok->pairs[pair];
		return mention(p, word, open ? &role->open_bit : &role->close_bit, set);
	}
	if (!strcmp(word, "@line")) {
		tokenset_add(set, TOKENSET_LINE);
		return 0;
	}
	bool label = !strcmp(word, "@label");
	if (label || !strcmp(word, "@defined")) {
		tokenset_add(set, label ? TOKENSET_LABEL : TOKENSET_DEFINED);
		return 0;
	}
	int kind = parser_kind(p, word + 1, word);
	if (kind >= 0)
		tokenset_add(set, (unsigned)kind);
	return kind < 0 ? -1 : 0;
}

int parser_add_pair(struct parser *p, const char *word, struct tokenset *set)
{
	int pair = parser_get_pair(p, word);
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

int parser_conditions(struct parser *p, struct tokenset *tokens, struct guard *guard)
{
	struct tokenset *set = tokens;
	bool empty = true, pairs = false;
	for (char *word; (word = parser_word(p));) {
		const struct condition *c = find_condition(word);
		if (c && set && empty)
			return parser_fail(p, word, "expected a token before \"%s\"", word);
		if (c) {
			set = c->refuse ? &guard->refuse[c->aspect] : &guard->want[c->aspect];
			if (!c->refuse)
				guard->wanted |= 1u << c->aspect;
			pairs = c->aspect == ASPECT_INSIDE || c->aspect == ASPECT_WITHIN;
			empty = true;
			continue;
		}
		if (!set)
			return parser_fail(
				p, word,
				"expected a condition (after, before, inside, ...), not \"%s\"",
				word);
		if (pairs ? parser_add_pair(p, word, set) : add_member(p, word, set))
			return -1;
		empty = false;
	}
	if (empty)
		return parser_fail(p, p->at,
		                   set && pairs ? "expected the name of a bracket pair"
		                                : "expected a token");
	return 0;
}
