#include "lang/tokenizer.h"

#include <ctype.h>
#include <strings.h>

#include "base/hash.h"
#include "lang/rewrite_pattern.h"
#include "binary/schema.h"
#include "lang/tokenizer_def.h"

const char *tokenizer_name(const struct tokenizer *tok)
{
	return tok->name;
}

const struct schema *tokenizer_schema(const struct tokenizer *tok)
{
	return tok->schema;
}

const struct tokenizer *tokenizer_held_at(const struct tokenizer *tok, size_t i)
{
	return i < tok->n_held ? tok->held[i] : NULL;
}

const char *tokenizer_simplest(const struct tokenizer *tok, enum token_kind kind)
{
	return tok->simplest[kind];
}

const char *tokenizer_numeric_sign(const struct tokenizer *tok)
{
	return tok->numeric_sign;
}

int tokenizer_tally(const struct tokenizer *tok, const char **signs)
{
	*signs = tok->tally_signs;
	return tok->tally;
}

const char *tokenizer_formatter(const struct tokenizer *tok, size_t i)
{
	return i < tok->formatters.n ? tok->formatters.list[i] : NULL;
}

const char *tokenizer_import_word(const struct tokenizer *tok)
{
	return tok->import_word;
}

void tokenizer_name_part(const struct tokenizer *tok, const uint8_t *bytes, uint32_t *begin,
                         uint32_t *end)
{
	if (!tok->name_marks[0] || *begin >= *end)
		return;
	if (*end - *begin > 1 && bytes[*begin] && strchr(tok->name_marks[0], bytes[*begin]))
		++*begin;
	else if (tokenizer_is_label(tok, bytes + *begin, *end - *begin))
		--*end;
}

bool tokenizer_is_label(const struct tokenizer *tok, const uint8_t *text, uint32_t len)
{
	return tok->name_marks[1] && len > 1 && text[len - 1] &&
	       strchr(tok->name_marks[1], text[len - 1]);
}

const char *tokenizer_stand_in(const struct tokenizer *tok, enum stand_in what, uint32_t i)
{
	return i < tok->stand_ins[what].n ? tok->stand_ins[what].list[i] : NULL;
}

bool tokenizer_declares(const struct tokenizer *tok, enum declares what, const uint8_t *text,
                        uint32_t len)
{
	for (size_t i = 0; i < tok->declares[what].n; i++) {
		const char *word = tok->declares[what].list[i];
		if (strlen(word) == len &&
		    !(tok->ignore_case ? strncasecmp(word, (const char *)text, len)
		                       : memcmp(word, text, len)))
			return true;
	}
	return false;
}

uint64_t tokenizer_hash(const struct tokenizer *tok, const void *name, uint32_t len, uint64_t seed)
{
	const uint8_t *text = name;
	uint8_t small[64]; /* longer than names are */
	if (!tok || !tok->ignore_case || len > sizeof small)
		return hash_bytes(name, len, seed).lo;
	for (uint32_t i = 0; i < len; i++)
		small[i] = (uint8_t)tolower(text[i]);
	return hash_bytes(small, len, seed).lo;
}

bool tokenizer_shares_names(const struct tokenizer *tok)
{
	return tok->declares[DECLARES_PATH].n;
}

bool tokenizer_has_declarations(const struct tokenizer *tok)
{
	return tok->declares[DECLARES_FUNCTION].n || tok->declares[DECLARES_VARIABLE].n ||
	       tok->declares[DECLARES_HEADS].n;
}

static void free_hints(struct hint *hints, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(hints[i].pattern);
	free(hints);
}

static void free_rewrites(struct rewrite *rewrites, size_t n)
{
	for (size_t i = 0; i < n; i++)
		rewrite_release(&rewrites[i]);
	free(rewrites);
}

/* The tokens, brackets and items of TOK. */
static void free_shape(struct tokenizer *tok)
{
	for (size_t i = 0; i < tok->n_pairs; i++)
		free(tok->pairs[i].name);
	for (size_t i = 0; i < tok->n_words; i++)
		free(tok->words[i].text);
	for (size_t i = 0; i < tok->n_rules; i++) {
		free(tok->rules[i].inner_open);
		free(tok->rules[i].inner_close);
		free(tok->rules[i].pattern);
	}
	free(tok->pairs);
	free(tok->words);
	free(tok->rules);
	free(tok->items);
	free(tok->guards);
}

void tokenizer_free(struct tokenizer *tok)
{
	if (!tok)
		return;
	pcre2_code_free(tok->program);
	map_release(&tok->word_map);
	schema_free(tok->schema);
	for (size_t i = 0; i < TOKEN_N_KINDS; i++)
		free(tok->simplest[i]);
	texts_release(&tok->formatters);
	free(tok->import_word);
	free(tok->numeric_sign);
	free(tok->section_end);
	free(tok->name_marks[0]);
	free(tok->name_marks[1]);
	texts_release(&tok->branches);
	for (size_t k = 0; k < STAND_IN_N; k++)
		texts_release(&tok->stand_ins[k]);
	for (size_t k = 0; k < DECLARES_N; k++)
		texts_release(&tok->declares[k]);
	free_rewrites(tok->rewrites, tok->n_rewrites);
	free_rewrites(tok->gone, tok->n_gone);
	operands_release(&tok->operands);
	free_hints(tok->contents, tok->n_contents);
	free_hints(tok->interpreters, tok->n_interpreters);
	texts_release(&tok->globs);
	texts_release(&tok->holds);
	for (size_t i = 0; i < tok->n_held; i++)
		tokenizer_free(tok->held[i]);
	free(tok->held);
	free_shape(tok);
	free(tok->name);
	free(tok->file);
	free(tok);
}
