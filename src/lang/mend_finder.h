/* Inside of mend_new: scanning a test case. Internal to mend_find.c and mend_mentions.c. */
#ifndef WHITTLE_LANG_MEND_FINDER_H
#define WHITTLE_LANG_MEND_FINDER_H

#include "base/map.h"
#include "base/mem.h"
#include "lang/mend_def.h"
#include "lang/rewrite.h"

/* Where a scan is, and lists that grow. */
struct finder {
	struct mend *g;
	const struct tokenizer *tok;
	const struct tokens *tokens;
	const struct tree *tree;
	struct rewrite_ground *ground;
	struct arena scratch;
	uint16_t separators; /* strengths of what is between items, as commas are */
	struct map names;    /* of definitions */
	uint32_t cap_definitions, cap_mentions, cap_matches, cap_choices, cap_statements,
		cap_sections, cap_scopes;
	uint32_t scope, section, statement; /* MEND_NONE: in none; the statement is a node */
	uint32_t body;                      /* the node of the group with sections */
	uint32_t number;                    /* the next in the scope */
	uint32_t top;                       /* the node of the item of the top */
	uint32_t *open;                     /* groups around a token */
};

static inline const struct token *finder_token(const struct finder *f, uint32_t t)
{
	return &f->tokens->list[t];
}

static inline uint32_t finder_begin(const struct finder *f, uint32_t t)
{
	return f->tokens->list[t].begin;
}

static inline bool finder_is_solid(const struct token *t)
{
	return t->kind != TOKEN_BLANK && t->kind != TOKEN_NEWLINE && t->kind != TOKEN_COMMENT &&
	       t->begin != t[1].begin;
}

/* The innermost item of a body that begins with T and is no part of a statement; TREE_NONE: none
 * does. */
uint32_t finder_statement(const struct finder *f, uint32_t t);

/* The name in the token [begin, end), *len bytes, and the mark in front of it where it is mentioned
 * (none: an empty string). */
const uint8_t *finder_name(const struct finder *f, uint32_t begin, uint32_t end, char mark[2],
                           uint32_t *len);

/* The definition of a name in a scope (MEND_NONE: outside of all), or MEND_NONE. */
uint32_t finder_definition(const struct finder *f, const char *mark, const uint8_t *name,
                           uint32_t len, uint32_t scope);

/* Mentions and choices in the item NODE of the top, which is the current scope; *next_section is
 * the first section that does not begin before it. */
void finder_mentions(struct finder *f, uint32_t node, uint32_t *next_section);

/* Lists of mentions by definition, once all are known. */
void finder_sort_uses(struct mend *g);

/* What mentions become, once all are known. */
void finder_matches(struct finder *f);

#endif
