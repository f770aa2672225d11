#include "config.h"

#include "lang/tokenizer.h"
#include "lang/tokenizer_def.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/signals.h"
#include "lang/pattern.h"
#include "lang/tokenizer_join.h"
#include "lang/tokenizer_span.h"

/* What every pattern of a definition is compiled with. Files are bytes: "(*UTF)" is refused. */
static uint32_t base_options(const struct tokenizer *tok)
{
	return PCRE2_MULTILINE | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP |
	       (tok->ignore_case ? PCRE2_CASELESS : 0);
}

static pcre2_code *compile(const char *pattern, size_t len, uint32_t options, int *code,
                           size_t *offset)
{
	pcre2_compile_context *context = pattern_compile_context();
	pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	pcre2_set_bsr(context, PCRE2_BSR_ANYCRLF);
	pcre2_code *re = pcre2_compile((PCRE2_SPTR)pattern, len, options, code, offset, context);
	pcre2_compile_context_free(context);
	return re;
}

static int pattern_error(const struct tokenizer *tok, unsigned line, unsigned column, int code,
                         struct err *err)
{
	PCRE2_UCHAR text[256];
	pcre2_get_error_message(code, text, sizeof text);
	return err_set(err, ERR_USAGE, "%s:%u:%u: %s", tok->file, line, column, (char *)text);
}

bool tokenizer_jit(pcre2_code *code)
{
#ifdef NO_JIT
	(void)code;
	return false;
#else
	return !pcre2_jit_compile(code, PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);
#endif
}

pcre2_code *tokenizer_pattern(const struct tokenizer *tok, const char *pattern, unsigned line,
                              unsigned column, uint32_t options, struct err *err)
{
	int code;
	size_t offset;
	pcre2_code *re =
		compile(pattern, strlen(pattern), base_options(tok) | options, &code, &offset);
	if (!re)
		pattern_error(tok, line, column + (unsigned)offset, code, err);
	return re;
}

/* Which bytes a match can begin with, as PCRE2 knows it. A leading "^" would hide it, so it is left
 * out. */
static int find_starts(const struct tokenizer *tok, struct rule *rule, struct err *err)
{
	const char *pattern = rule->pattern[0] == '^' ? rule->pattern + 1 : rule->pattern;
	pcre2_code *re = tokenizer_pattern(tok, pattern, rule->line, rule->column, 0, err);
	if (!re)
		return -1;
	uint32_t type = 0, unit = 0;
	const uint8_t *bitmap = NULL;
	pcre2_pattern_info(re, PCRE2_INFO_FIRSTCODETYPE, &type);
	pcre2_pattern_info(re, PCRE2_INFO_FIRSTCODEUNIT, &unit);
	pcre2_pattern_info(re, PCRE2_INFO_FIRSTBITMAP, &bitmap);
	for (unsigned b = 0; b < 256; b++) {
		if (type == 1)
			rule->starts[b] = (unsigned)tolower((int)b) == (unsigned)tolower((int)unit);
		else
			rule->starts[b] = type == 2 || !bitmap || bitmap[b / 8] & 1u << b % 8;
	}
	pcre2_code_free(re);
	return 0;
}

static int check_rule(const struct tokenizer *tok, const struct rule *rule, unsigned groups,
                      struct err *err)
{
	pcre2_code *re = tokenizer_pattern(tok, rule->pattern, rule->line, rule->column,
	                                   PCRE2_ANCHORED, err);
	if (!re)
		return -1;
	pcre2_match_data *match = pattern_match_data(1);
	pcre2_match_context *context = pattern_match_context();
	pcre2_set_match_limit(context, TOKENIZER_STEPS);
	int rc = pcre2_match(re, (PCRE2_SPTR) "", 0, 0, 0, match, context);
	pcre2_match_context_free(context);
	pcre2_match_data_free(match);
	pcre2_code_free(re);
	if (rc >= 0)
		return err_set(err, ERR_USAGE,
		               "%s:%u:%u: expected a pattern that matches at least one byte",
		               tok->file, rule->line, rule->column);
	if ((rule->tag || rule->here_doc) && !groups)
		return err_set(err, ERR_USAGE, "%s:%u:%u: expected a group (...) around the %s",
		               tok->file, rule->line, rule->column,
		               rule->tag ? "name of the tag" : "delimiter");
	return 0;
}

/* Appends one alternative: "(?:guard pattern (*:number))". */
static void add_alternative(struct tokenizer *tok, size_t index, const struct join *join,
                            unsigned *base, struct buf *out)
{
	struct rule *rule = &tok->rules[index];
	buf_addf(out, index ? "|(?:" : "(?:");
	if (rule->guard != GUARD_NONE) {
		unsigned n = 0, last = 0;
		for (unsigned b = 0; b < 256; b++)
			if (rule->starts[b])
				n++, last = b;
		if (n == 1)
			buf_addf(out, "(?=\\x%02x)", last);
		buf_addf(out, "(?C%d)", rule->guard);
	}
	*base += join->whole;
	buf_addf(out, join->whole ? "(" : "(?:");
	rule->capture = *base + 1;
	join_add(join, *base, out);
	*base += join->groups;
	buf_addf(out, ")(*:%zu))", index);
	if (rule->tag || rule->here_doc)
		tok->captures = rule->capture;
}

/* Checks rule INDEX and appends it to the program, behind *BASE groups. */
static int take_rule(struct tokenizer *tok, size_t index, unsigned *base, struct buf *out,
                     struct err *err)
{
	struct rule *rule = &tok->rules[index];
	struct join join;
	if (signals_check("compiling a tokenizer", err) || join_open(&join, tok, rule, err))
		return -1;
	int rc = check_rule(tok, rule, join.groups, err);
	if (!rc)
		rc = find_starts(tok, rule, err);
	if (!rc)
		add_alternative(tok, index, &join, base, out);
	join_release(&join);
	return rc;
}

static int compile_program(struct tokenizer *tok, struct err *err)
{
	struct buf text = { 0 };
	size_t *ends = mem_zero(tok->n_rules, sizeof *ends);
	unsigned base = 0;
	int rc = 0;
	for (size_t i = 0; i < tok->n_rules && !rc; i++) {
		rc = take_rule(tok, i, &base, &text, err);
		ends[i] = text.len;
	}
	if (!rc && tok->n_rules) {
		int code;
		size_t offset, i = 0;
		uint32_t options = base_options(tok) | PCRE2_ANCHORED | PCRE2_NO_START_OPTIMIZE;
		tok->program = compile(text.data, text.len, options, &code, &offset);
		while (!tok->program && i + 1 < tok->n_rules && ends[i] < offset)
			i++;
		if (!tok->program)
			rc = pattern_error(tok, tok->rules[i].line, tok->rules[i].column, code,
			                   err);
		else
			tok->jit = tokenizer_jit(tok->program);
	}
	free(ends);
	buf_release(&text);
	return rc;
}

/* For each byte the first rule that can begin with it; rules whose guard may keep them from
 * matching are only noted. */
static void fill_dispatch(struct tokenizer *tok)
{
	for (unsigned b = 0; b < 256; b++) {
		struct dispatch *d = &tok->first[b];
		*d = (struct dispatch){ .type = DISPATCH_OTHER };
		for (size_t i = 0; i < tok->n_rules && d->type == DISPATCH_OTHER; i++) {
			const struct rule *rule = &tok->rules[i];
			if (!rule->starts[b])
				continue;
			if (rule->guard != GUARD_NONE) {
				d->guards |= (uint64_t)1 << rule->guard;
				continue;
			}
			d->type = rule->span && rule->head[b] ? DISPATCH_SPAN : DISPATCH_PROGRAM;
			d->rule = (uint16_t)i;
		}
	}
}

static uint32_t word_hash(const struct tokenizer *tok, const uint8_t *text, uint32_t len)
{
	uint32_t h = len, fold = tok->ignore_case ? 0x20 : 0;
	for (uint32_t i = 0; i < len; i++)
		h = (h ^ (text[i] | fold)) * 0x01000193u;
	return h ^ h >> 15;
}

static void fill_words(struct tokenizer *tok)
{
	map_reserve(&tok->word_map, tok->n_words);
	for (size_t i = 0; i < tok->n_words; i++) {
		const struct word *word = &tok->words[i];
		const uint8_t *text = (const uint8_t *)word->text;
		map_add(&tok->word_map, word_hash(tok, text, word->len), (uint32_t)i);
		tok->word_lengths[text[0]] |= 1u << word->len;
		if (tok->ignore_case) {
			tok->word_lengths[(uint8_t)tolower(text[0])] |= 1u << word->len;
			tok->word_lengths[(uint8_t)toupper(text[0])] |= 1u << word->len;
		}
	}
}

const struct word *tokenizer_word(const struct tokenizer *tok, const uint8_t *text, uint32_t len)
{
	if (len > 31 || !(tok->word_lengths[text[0]] >> len & 1))
		return NULL;
	size_t at;
	uint32_t hash = word_hash(tok, text, len);
	for (uint32_t i = map_first(&tok->word_map, hash, &at); i != MAP_END;
	     i = map_next(&tok->word_map, hash, &at)) {
		const struct word *word = &tok->words[i];
		if (word->len == len &&
		    (tok->ignore_case ? !strncasecmp(word->text, (const char *)text, len)
		                      : !memcmp(word->text, text, len)))
			return word;
	}
	return NULL;
}

int tokenizer_compile(struct tokenizer *tok, struct err *err)
{
	if (tok->word_map.size)
		return 0;
	if (compile_program(tok, err))
		return -1;
	for (size_t i = 0; i < tok->n_rules; i++)
		span_recognise(tok->rules[i].pattern, tok->ignore_case, &tok->rules[i]);
	fill_dispatch(tok);
	fill_words(tok);
	for (size_t i = 0; i < tok->n_items; i++)
		tokenset_unite(&tok->item_tokens[tok->items[i].type], tok->items[i].tokens);
	return 0;
}
