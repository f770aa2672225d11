#include "lang/tokenizer_check.h"

#include <ctype.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "lang/pattern.h"
#include "lang/tokenizer_def.h"

enum {
	TEXT_SIZE = 2048,    /* of the texts that patterns are tried on */
	STEPS_PER_BYTE = 64, /* what a match may take */
	HINT_STEPS =
		512,    /* the same for patterns that are searched for, not matched at one place */
	PUMPS_MAX = 12, /* bytes that texts are made of */
};

struct check {
	const struct tokenizer *tok;
	pcre2_code **codes; /* of each rule by itself */
	pcre2_match_data *match;
	pcre2_match_context *context;
	tokenizer_finding *report;
	void *data;
	unsigned n;
};

const char *tokenizer_file(const struct tokenizer *tok)
{
	return tok->file;
}

static void find(struct check *c, unsigned line, unsigned column, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void find(struct check *c, unsigned line, unsigned column, const char *fmt, ...)
{
	char message[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	c->report(c->data, line, column, message);
	c->n++;
}

static int try_text(struct check *c, const pcre2_code *re, const char *text, size_t len,
                    uint32_t options)
{
	return pcre2_match(re, (PCRE2_SPTR)text, len, 0, options, c->match, c->context);
}

/* ---- what is never reached ---- */

/* Whether rule I by itself takes something where TEXT stands, whatever follows. */
static bool takes(struct check *c, size_t i, const char *text)
{
	static const char *const followers[] = { "", "\n", " ", "a", "1", "(", ";" };
	for (size_t f = 0; f < sizeof followers / sizeof *followers; f++) {
		char longer[80];
		int len = snprintf(longer, sizeof longer, "%s%s", text, followers[f]);
		if (try_text(c, c->codes[i], longer, (size_t)len, PCRE2_NOTEMPTY) < 0)
			return false;
	}
	return true;
}

/* The pattern as plain text, when it is nothing else. */
static bool plain_text(const char *pattern, char *out, size_t size)
{
	size_t n = 0, len = strlen(pattern);
	if (len > 4 && !strncmp(pattern, "\\Q", 2) && !strcmp(pattern + len - 2, "\\E")) {
		snprintf(out, size, "%.*s", (int)(len - 4), pattern + 2);
		return true;
	}
	for (const char *p = pattern; *p && n + 1 < size; p++) {
		if (*p == '\\' && ispunct((unsigned char)p[1]))
			p++;
		else if (strchr("\\^$.|?*+()[]{}", *p))
			return false;
		out[n++] = *p;
	}
	out[n] = '\0';
	return n > 0 && n + 1 < size;
}

/* An earlier rule without conditions that takes one byte of whatever rule I could begin with;
 * n_rules when some are free. */
static size_t hidden_by_bytes(const struct tokenizer *tok, size_t i)
{
	size_t by = tok->n_rules;
	for (unsigned b = 0; b < 256; b++) {
		size_t j = 0;
		if (!tok->rules[i].starts[b])
			continue;
		while (j < i && !(tok->rules[j].guard == GUARD_NONE && tok->rules[j].span &&
		                  tok->rules[j].head[b]))
			j++;
		if (j == i)
			return tok->n_rules;
		by = j;
	}
	return by;
}

static void check_reached(struct check *c, size_t i)
{
	const struct tokenizer *tok = c->tok;
	const struct rule *rule = &tok->rules[i];
	char text[64];
	size_t by = hidden_by_bytes(tok, i);
	bool plain = plain_text(rule->pattern, text, sizeof text);
	for (size_t j = 0; j < i && by == tok->n_rules; j++) {
		const struct rule *earlier = &tok->rules[j];
		if (earlier->guard == GUARD_NONE &&
		    (!strcmp(earlier->pattern, rule->pattern) || (plain && takes(c, j, text))))
			by = j;
	}
	if (by < tok->n_rules)
		find(c, rule->line, rule->column,
		     "this pattern is never reached: the one at line %u matches the text first",
		     tok->rules[by].line);
}

/* Whether WORD can become a token that words are looked up for. */
static bool word_reached(struct check *c, const struct word *word, unsigned *line)
{
	for (size_t i = 0; i < c->tok->n_rules; i++) {
		const struct rule *rule = &c->tok->rules[i];
		if (try_text(c, c->codes[i], word->text, word->len,
		             PCRE2_NOTEMPTY | PCRE2_PARTIAL_HARD) == PCRE2_ERROR_PARTIAL)
			return true; /* it depends on what follows */
		if (try_text(c, c->codes[i], word->text, word->len, PCRE2_NOTEMPTY) < 0)
			continue;
		bool looked_up = rule->kind != TOKEN_STRING && rule->kind != TOKEN_NUMBER &&
		                 rule->kind != TOKEN_BLANK && rule->kind != TOKEN_NEWLINE &&
		                 rule->kind != TOKEN_COMMENT;
		if (looked_up && pcre2_get_ovector_pointer(c->match)[1] == word->len)
			return true;
		*line = rule->line;
		if (rule->guard == GUARD_NONE)
			return false;
	}
	return word->len == 1;
}

static void check_word(struct check *c, const struct word *word)
{
	unsigned line = 0;
	if (word_reached(c, word, &line))
		return;
	if (line)
		find(c, word->line, word->column,
		     "\"%s\" is never a token of its own: the pattern at line %u matches a part of "
		     "it, or more",
		     word->text, line);
	else
		find(c, word->line, word->column,
		     "\"%s\" is never a token of its own: no pattern matches it", word->text);
}

/* ---- what is slow ---- */

/* Bytes worth trying: those that the pattern mentions, and some of each common class. */
static size_t choose_pumps(const char *pattern, char pumps[PUMPS_MAX])
{
	size_t n = 0;
	for (const char *p = "a \n1"; *p; p++)
		pumps[n++] = *p;
	for (const char *p = pattern; *p && n < PUMPS_MAX; p++)
		if (!memchr(pumps, *p, n) && !strchr("^.?*+|", *p))
			pumps[n++] = *p;
	return n;
}

/* Bytes that the rule begins with: at most MAX of them, punctuation first. */
static size_t choose_starts(const struct rule *rule, char *starts, size_t max)
{
	size_t n = 0;
	for (int letters = 0; letters < 2; letters++)
		for (int b = 1; b < 127 && n < max; b++)
			if (rule->starts[b] && !isalnum(b) == !letters)
				starts[n++] = (char)b;
	return n;
}

static void fill(char text[TEXT_SIZE], const char *prefix, const char *unit)
{
	size_t at = strlen(prefix), len = strlen(unit);
	memcpy(text, prefix, at);
	for (size_t i = 0; at < TEXT_SIZE; at++, i++)
		text[at] = unit[i % len];
}

static const char *show(const char *unit, char out[16])
{
	size_t n = 0;
	for (; *unit; unit++)
		n += (size_t)snprintf(out + n, 16 - n,
		                      isprint((unsigned char)*unit) ? "%c" : "\\x%02x",
		                      (unsigned char)*unit);
	return out;
}

/* Whether the rule is tried at the beginning of a line only, and TEXT is one line. */
static bool once_a_line(const struct check *c, const struct rule *rule, const char *text)
{
	const struct guard *guard = rule->guard == GUARD_NONE ? NULL : &c->tok->guards[rule->guard];
	struct tokenset line = { { 0, 0 } };
	tokenset_add(&line, TOKENSET_LINE);
	bool only_line = guard && !memcmp(&guard->want[ASPECT_AFTER], &line, sizeof line);
	return (rule->pattern[0] == '^' || only_line) && !memchr(text, '\n', TEXT_SIZE);
}

/* Whether a rule without conditions takes most of TEXT anyway, so that no rule begins again within.
 */
static bool taken_at_once(struct check *c, const char *text)
{
	for (size_t j = 0; j < c->tok->n_rules; j++)
		if (c->tok->rules[j].guard == GUARD_NONE &&
		    c->tok->rules[j].starts[(uint8_t)*text] &&
		    try_text(c, c->codes[j], text, TEXT_SIZE, PCRE2_NOTEMPTY) >= 0)
			return pcre2_get_ovector_pointer(c->match)[1] > TEXT_SIZE / 2;
	return false;
}

/* Tries the rule on PREFIX and many UNITs. True when that was found to be slow, and reported. */
static bool slow_on(struct check *c, size_t i, const char *prefix, const char *unit)
{
	const struct rule *rule = &c->tok->rules[i];
	char text[TEXT_SIZE], shown[16];
	fill(text, prefix, unit);
	int rc = try_text(c, c->codes[i], text, TEXT_SIZE, PCRE2_NOTEMPTY);
	if (rc == PCRE2_ERROR_MATCHLIMIT || rc == PCRE2_ERROR_DEPTHLIMIT ||
	    rc == PCRE2_ERROR_HEAPLIMIT) {
		find(c, rule->line, rule->column,
		     "catastrophic: the matcher tries far too many ways on many \"%s\"",
		     show(unit, shown));
		return true;
	}
	if (rc != PCRE2_ERROR_NOMATCH || *prefix)
		return false;
	if (try_text(c, c->codes[i], text, TEXT_SIZE, PCRE2_NOTEMPTY | PCRE2_PARTIAL_HARD) !=
	            PCRE2_ERROR_PARTIAL ||
	    !strncmp(rule->pattern, "\\A", 2) || taken_at_once(c, text) ||
	    once_a_line(c, rule, text))
		return false;
	find(c, rule->line, rule->column,
	     "catastrophic: on many \"%s\" it reads to the end of the text, fails, and repeats "
	     "that at the next position",
	     show(unit, shown));
	return true;
}

static void check_speed(struct check *c, size_t i)
{
	const struct rule *rule = &c->tok->rules[i];
	char starts[3], pumps[PUMPS_MAX];
	size_t n_starts = choose_starts(rule, starts, sizeof starts),
	       n_pumps = choose_pumps(rule->pattern, pumps);
	for (size_t s = 0; s < n_starts; s++) {
		char prefix[2] = { starts[s], '\0' };
		if (slow_on(c, i, "", prefix))
			return;
		for (size_t p = 0; p < n_pumps; p++) {
			char one[2] = { pumps[p], '\0' }, again[3] = { starts[s], pumps[p], '\0' };
			if (slow_on(c, i, prefix, one) || slow_on(c, i, "", again))
				return;
			for (size_t q = 0; q < n_pumps; q++) {
				char two[3] = { pumps[p], pumps[q], '\0' };
				if (p != q && slow_on(c, i, prefix, two))
					return;
			}
		}
	}
}

/* A pattern that is searched for in the beginning of a file. */
static void check_hint(struct check *c, const struct hint *hint)
{
	struct err ignored;
	char pumps[PUMPS_MAX], text[TEXT_SIZE], shown[16];
	size_t n = choose_pumps(hint->pattern, pumps);
	pcre2_code *re = tokenizer_pattern(c->tok, hint->pattern, hint->line, hint->column,
	                                   PCRE2_NO_START_OPTIMIZE, &ignored);
	if (!re) {
		find(c, hint->line, hint->column, "%s", ignored.msg);
		return;
	}
	pcre2_set_match_limit(c->context, HINT_STEPS * TEXT_SIZE);
	bool slow = false;
	for (size_t p = 0; p < n && !slow; p++) {
		for (size_t q = 0; q < n && !slow; q++) {
			char unit[3] = { pumps[p], pumps[q], '\0' };
			fill(text, "", unit);
			int rc = try_text(c, re, text, TEXT_SIZE, 0);
			slow = rc < 0 && rc != PCRE2_ERROR_NOMATCH;
			if (slow)
				find(c, hint->line, hint->column,
				     "catastrophic: the matcher tries far too many ways on many "
				     "\"%s\"",
				     show(unit, shown));
		}
	}
	pcre2_set_match_limit(c->context, STEPS_PER_BYTE * TEXT_SIZE);
	pcre2_code_free(re);
}

/* ---- all of it ---- */

static void begin(struct check *c)
{
	const struct tokenizer *tok = c->tok;
	c->codes = mem_zero(tok->n_rules + 1, sizeof *c->codes);
	for (size_t i = 0; i < tok->n_rules; i++) {
		const struct rule *rule = &tok->rules[i];
		c->codes[i] = tokenizer_pattern(tok, rule->pattern, rule->line, rule->column,
		                                PCRE2_ANCHORED | PCRE2_NO_START_OPTIMIZE, NULL);
		if (!c->codes[i])
			bug("%s:%u: a pattern compiled once and not twice", tok->file, rule->line);
		tokenizer_jit(c->codes[i]);
	}
	c->match = pattern_match_data(1);
	c->context = pattern_match_context();
	pcre2_set_match_limit(c->context, STEPS_PER_BYTE * TEXT_SIZE);
}

static void end(struct check *c)
{
	for (size_t i = 0; i < c->tok->n_rules; i++)
		pcre2_code_free(c->codes[i]);
	free(c->codes);
	pcre2_match_data_free(c->match);
	pcre2_match_context_free(c->context);
}

unsigned tokenizer_check(const struct tokenizer *tok, tokenizer_finding *report, void *data)
{
	struct check c = { .tok = tok, .report = report, .data = data };
	begin(&c);
	for (size_t i = 0; i < tok->n_interpreters; i++)
		check_hint(&c, &tok->interpreters[i]);
	for (size_t i = 0; i < tok->n_contents; i++)
		check_hint(&c, &tok->contents[i]);
	for (size_t i = 0; i < tok->n_rules; i++) {
		check_reached(&c, i);
		check_speed(&c, i);
	}
	for (size_t i = 0; i < tok->n_words; i++)
		check_word(&c, &tok->words[i]);
	end(&c);
	return c.n;
}
