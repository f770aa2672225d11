#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "text/rewrite_def.h"
#include "text/schema.h"
#include "text/tokenizer_def.h"

const char *tokenizer_name(const struct tokenizer *tok)
{
	return tok->name;
}

const struct schema *tokenizer_schema(const struct tokenizer *tok)
{
	return tok->schema;
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
	return i < tok->n_stand_ins[what] ? tok->stand_ins[what][i] : NULL;
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

static void free_hints(struct hint *hints, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(hints[i].pattern);
	free(hints);
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
	free(tok->import_word);
	free(tok->numeric_sign);
	free(tok->section_end);
	for (size_t i = 0; i < tok->n_branches; i++)
		free(tok->branches[i]);
	free(tok->branches);
	free(tok->name_marks[0]);
	free(tok->name_marks[1]);
	for (size_t k = 0; k < STAND_IN_N; k++) {
		for (size_t i = 0; i < tok->n_stand_ins[k]; i++)
			free(tok->stand_ins[k][i]);
		free(tok->stand_ins[k]);
	}
	for (size_t i = 0; i < tok->n_rewrites; i++)
		rewrite_release(&tok->rewrites[i]);
	free(tok->rewrites);
	for (size_t i = 0; i < tok->n_gone; i++)
		rewrite_release(&tok->gone[i]);
	free(tok->gone);
	operands_release(&tok->operands);
	free_hints(tok->contents, tok->n_contents);
	free_hints(tok->interpreters, tok->n_interpreters);
	for (size_t i = 0; i < tok->n_globs; i++)
		free(tok->globs[i]);
	free(tok->globs);
	free(tok->items);
	free(tok->guards);
	for (size_t i = 0; i < tok->n_pairs; i++)
		free(tok->pairs[i].name);
	free(tok->pairs);
	for (size_t i = 0; i < tok->n_words; i++)
		free(tok->words[i].text);
	free(tok->words);
	for (size_t i = 0; i < tok->n_rules; i++) {
		free(tok->rules[i].inner_open);
		free(tok->rules[i].inner_close);
		free(tok->rules[i].pattern);
	}
	free(tok->rules);
	free(tok->name);
	free(tok->file);
	free(tok);
}
