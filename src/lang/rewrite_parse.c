#include <ctype.h>

#include "base/mem.h"
#include "lang/rewrite.h"
#include "lang/rewrite_pattern.h"

/* Rewrites that the definitions of many languages share. */

/* Each line is what follows "rewrite". */
static const char *const comparisons[] = {
	"<= $b:operand - 1 -> < $b", ">= $b:operand + 1 -> > $b", "< $b:operand + 1 -> <= $b",
	"> $b:operand - 1 -> >= $b", "$a:operand - 1 >= -> $a >", "$a:operand + 1 <= -> $a <",
	"$a:operand - 1 < -> $a <=", "$a:operand + 1 > -> $a >=", NULL,
};
static const char *const branches[] = {
	"if ( $a:operand == $b:operand ) { } else -> if ( $a != $b )",
	"if ( $a:operand != $b:operand ) { } else -> if ( $a == $b )",
	"if ( $c:operand ) { } else -> if ( ! $c )",
	"if $c:( { } else -> if ( ! $c )",
	"if $c:( { } else if $:( $b:run -> if ( ! $c ) $b",
	"if ( $a:rest ) { if ( $b:rest ) $c:{ } -> if ( $a && $b ) $c",
	NULL,
};
static const char *const bare_branches[] = {
	"if $a:operand == $b:operand { } else $c:{ -> if $a != $b $c",
	"if $a:operand != $b:operand { } else $c:{ -> if $a == $b $c",
	"if $c:operand { } else $b:{ -> if ! $c $b",
	"if $c:run { } else $b:{ -> if ! ( $c ) $b",
	"if $c:run { } else if $:run $b:{ -> if ! ( $c ) $b",
	"if $a:run { if $b:run $c:{ } -> if $a && $b $c",
	NULL,
};
/* What is asked for and what is done then are statements, or operands of one. */
static const char *const conditions[] = { "if ( $c:rest ) $b:run -> $c ; $b",
	                                  "if ( $c:rest ) { $b:operand ; } -> $c && $b ;",
	                                  "if ( $c:rest ) $b:operand -> $c && $b", NULL };
/* To the shortest of those that numbers have in most languages. */
static const char *const types[] = { "double -> int",
	                             "float -> int",
	                             "unsigned -> int",
	                             "long -> int",
	                             "short -> int",
	                             "char -> int",
	                             NULL };
static const struct {
	const char *name;
	const char *const *lines;
} sets[] = {
	{ "comparisons", comparisons },
	{ "branches", branches },
	{ "bare-branches", bare_branches },
	{ "conditions", conditions },
	{ "types", types },
};

static int parse_set(const struct parser *p, const char *const *lines)
{
	int rc = 0;
	for (; *lines && !rc; lines++) {
		struct parser line = *p;
		line.text = line.at = mem_strdup(*lines);
		rc = rewrite_parse(&line, false);
		free(line.text);
	}
	return rc;
}

int rewrite_parse_sets(struct parser *p)
{
	char *word = parser_word(p);
	if (!word)
		return parser_fail(p, p->at, "expected the name of a set of rewrites");
	for (; word; word = parser_word(p)) {
		size_t i = 0, n = sizeof sets / sizeof *sets;
		while (i < n && strcmp(word, sets[i].name))
			i++;
		if (i == n)
			return parser_fail(p, word, "there is no set of rewrites \"%s\"", word);
		if (parse_set(p, sets[i].lines))
			return parser_fail(
				p, word,
				"expected earlier \"operand\" and \"bracket\" lines that "
				"the rewrites \"%s\" need",
				word);
	}
	return 0;
}

static const char *const classes[] = {
	[REWRITE_GONE] = "gone",     [REWRITE_GROUP] = "group", [REWRITE_OPERAND] = "operand",
	[REWRITE_ITEM] = "item",     [REWRITE_EACH] = "each",   [REWRITE_RUN] = "run",
	[REWRITE_LIST] = "list",     [REWRITE_REST] = "rest",   [REWRITE_LINES] = "lines",
	[REWRITE_CALLEE] = "callee",
};

void rewrite_release(struct rewrite *rewrite)
{
	for (size_t i = 0; i <= REWRITE_MAX; i++)
		free(rewrite->between[i]);
	free(rewrite->line);
}

void operands_release(struct operands *operands)
{
	texts_release(&operands->words);
	texts_release(&operands->joins);
}

/* The pair with this name among those declared above; 0 when there is none. */
static unsigned find_pair(const struct tokenizer *tok, const char *name)
{
	for (size_t i = 1; i < tok->n_pairs; i++)
		if (!strcmp(tok->pairs[i].name, name))
			return (unsigned)i;
	return 0;
}

static int find_kind(const char *name)
{
	static const enum token_kind kinds[] = { TOKEN_OTHER,      TOKEN_STRING,  TOKEN_NUMBER,
		                                 TOKEN_IDENTIFIER, TOKEN_KEYWORD, TOKEN_SEPARATOR,
		                                 TOKEN_TERMINATOR, TOKEN_OPEN,    TOKEN_CLOSE };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(name, token_kind_name(kinds[i])))
			return (int)kinds[i];
	return -1;
}

static int read_class(struct parser *p, const char *name, bool gone, struct rewrite_element *e)
{
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (classes[i] && !strcmp(name, classes[i]) && (i != REWRITE_GONE || gone)) {
			e->class = (uint8_t)i;
			return (i == REWRITE_OPERAND || i == REWRITE_CALLEE) &&
			                       !p->tok->operands.declared
			               ? parser_fail(p, name,
			                             "expected an earlier \"operand\" line that "
			                             "defines operands")
			               : 0;
		}
	int kind = find_kind(name);
	unsigned pair = kind < 0 ? find_pair(p->tok, name) : 0;
	if (kind < 0 && !pair)
		return parser_fail(p, name,
		                   "expected a kind of token, a bracket pair declared above, "
		                   "or one of group, operand, callee, item, each, run, list, "
		                   "lines, rest; not \"%s\"",
		                   name);
	e->class = kind < 0 ? REWRITE_PAIR : REWRITE_KIND;
	e->detail = kind < 0 ? (uint8_t)pair : (uint8_t)kind;
	return 0;
}

/* The text that WORD stands for. */
static char *literal(char *word)
{
	return !strncmp(word, "@word:", 6) && word[6] ? word + 6 : word;
}

/* $NAME:CLASS or a text. */
static int read_element(struct parser *p, char *word, struct rewrite *r)
{
	if (r->n == REWRITE_MAX)
		return parser_fail(p, word, "expected at most %d tokens and placeholders",
		                   REWRITE_MAX);
	struct rewrite_element *e = &r->pattern[r->n];
	*e = (struct rewrite_element){ .class = REWRITE_TEXT,
		                       .text = literal(word),
		                       .len = (uint32_t)strlen(literal(word)) };
	if (*word == '$') {
		char *colon = strchr(word, ':');
		if (!colon)
			return parser_fail(p, word, "expected $NAME:CLASS");
		*colon = '\0';
		e->name = word + 1;
		for (uint32_t i = 0; i < r->n && *e->name; i++)
			if (r->pattern[i].name && !strcmp(r->pattern[i].name, e->name))
				return parser_fail(p, word,
				                   "expected another name; \"$%s\" exists already",
				                   e->name);
		if (read_class(p, colon + 1, r->gone, e))
			return -1;
		if (e->class == REWRITE_EACH && (!r->n || e[-1].class > REWRITE_KIND || *e->name))
			return parser_fail(p, word, "expected \"$:each\" after an opening bracket");
	}
	r->n++;
	return 0;
}

/* Behind the last element that is kept, the one that the LEN bytes of $NAME at WORD stand for. */
static int keep(struct parser *p, const char *word, size_t len, struct rewrite *r)
{
	uint32_t i = 0, after = r->n_kept ? r->kept[r->n_kept - 1] + 1 : 0;
	while (i < r->n &&
	       (!r->pattern[i].name || len < 2 || strlen(r->pattern[i].name) != len - 1 ||
	        strncmp(r->pattern[i].name, word + 1, len - 1) != 0))
		i++;
	if (i == r->n)
		return parser_fail(p, word, "expected a placeholder of the pattern, not \"%.*s\"",
		                   (int)len, word);
	if (i < after)
		return parser_fail(p, word,
		                   "expected placeholders once, in the order of the pattern");
	r->kept[r->n_kept++] = i;
	return 0;
}

static bool is_string(const struct rewrite_element *e)
{
	return e->class == REWRITE_KIND && e->detail == TOKEN_STRING;
}

/* The placeholders of a word: one, or strings that become one. */
static int keep_word(struct parser *p, const char *word, struct rewrite *r)
{
	for (const char *at = word, *end; *at; at = end) {
		end = at + 1 + strcspn(at + 1, "$");
		if (keep(p, at, (size_t)(end - at), r))
			return -1;
		r->between[r->n_kept] = mem_strdup("");
		r->fused[r->n_kept - 1] = at > word;
		if ((at > word || *end) && !is_string(&r->pattern[r->kept[r->n_kept - 1]]))
			return parser_fail(p, at,
			                   "expected a string, which becomes one with the "
			                   "placeholder beside it");
	}
	return 0;
}

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void append_text(char **to, const char *text)
{
	size_t n = strlen(*to);
	bool apart = n && is_word_byte((*to)[n - 1]) && is_word_byte(*text);
	char *longer = mem_printf("%s%s%s", *to, apart ? " " : "", text);
	free(*to);
	*to = longer;
}

static int read_result(struct parser *p, struct rewrite *r)
{
	r->between[0] = mem_strdup("");
	for (char *word; (word = parser_word(p));) {
		if (r->gone && !strcmp(word, "@item"))
			r->item = true;
		else if (*word != '$')
			append_text(&r->between[r->n_kept], literal(word));
		else if (keep_word(p, word, r))
			return -1;
	}
	return 0;
}

/* A name is for the result. */
static int check_names(struct parser *p, const struct rewrite *r)
{
	for (uint32_t i = 0, k = 0; i < r->n; i++) {
		bool kept = k < r->n_kept && r->kept[k] == i;
		k += kept;
		if (!kept && r->pattern[i].name && *r->pattern[i].name)
			return parser_fail(p, r->pattern[i].name - 1,
			                   "expected \"$%s\" in the result, or no name here",
			                   r->pattern[i].name);
	}
	return 0;
}

static int read_rewrite(struct parser *p, struct rewrite *r)
{
	char *word = parser_word(p);
	for (; word && strcmp(word, "->"); word = parser_word(p))
		if (read_element(p, word, r))
			return -1;
	if (!r->n)
		return parser_fail(p, word ? word : p->at, "expected a pattern");
	if (!word)
		return parser_fail(p, p->at, "expected \"->\" and the result");
	if (r->pattern[r->n - 1].class == REWRITE_EACH)
		return parser_fail(p, word, "expected what each item begins with");
	uint32_t mentions = 0;
	for (uint32_t i = 0; i < r->n; i++)
		mentions += r->pattern[i].class == REWRITE_GONE;
	if (r->gone && (!mentions || mentions > REWRITE_GONE_MAX))
		return parser_fail(p, word, "expected 1 to %d placeholders of the class gone",
		                   REWRITE_GONE_MAX);
	if (read_result(p, r))
		return -1;
	if (r->item && (r->n_kept || *r->between[0]))
		return parser_fail(p, word, "expected nothing beside \"@item\"");
	return check_names(p, r);
}

/* Names and texts outlive the file: the words point into a copy of the line. */
int rewrite_parse(struct parser *p, bool gone)
{
	struct tokenizer *tok = p->tok;
	struct parser copy = *p;
	struct rewrite r = { .number = p->line, .gone = gone };
	size_t done = (size_t)(p->at - p->text);
	r.line = mem_dup(p->text, done + strlen(p->at) + 1);
	copy.text = r.line;
	copy.at = r.line + done;
	if (read_rewrite(&copy, &r)) {
		rewrite_release(&r);
		return -1;
	}
	if (gone) {
		MEM_PUSH(tok->gone, tok->n_gone, tok->cap_gone, r);
	} else {
		MEM_PUSH(tok->rewrites, tok->n_rewrites, tok->cap_rewrites, r);
	}
	return 0;
}

int rewrite_parse_operands(struct parser *p)
{
	struct operands *o = &p->tok->operands;
	o->declared = true;
	for (char *word; (word = parser_word(p));) {
		unsigned pair = find_pair(p->tok, word);
		char *text = literal(word);
		if (pair)
			tokenset_add(&o->pairs, pair);
		else
			texts_add(is_word_byte(*text) ? &o->words : &o->joins, mem_strdup(text));
	}
	return 0;
}

/* ---- what a tokenizer declares ---- */

uint32_t tokenizer_n_rewrites(const struct tokenizer *tok)
{
	return (uint32_t)tok->n_rewrites;
}

const struct rewrite *tokenizer_rewrite(const struct tokenizer *tok, bool gone, uint32_t i)
{
	if (gone)
		return i < tok->n_gone ? &tok->gone[i] : NULL;
	return i < tok->n_rewrites ? &tok->rewrites[i] : NULL;
}

unsigned tokenizer_rewrite_line(const struct tokenizer *tok, uint32_t i)
{
	return tok->rewrites[i].number;
}

bool tokenizer_rewrites_branch(const struct tokenizer *tok, uint32_t i)
{
	const struct rewrite_element *first = &tok->rewrites[i].pattern[0];
	return first->class == REWRITE_TEXT &&
	       texts_have_bytes(&tok->branches, first->text, first->len);
}
