/* What rewrites are matched against: groups and items by their first token, and operands. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "lang/rewrite.h"
#include "lang/rewrite_def.h"

struct rewrite_ground *rewrite_ground_new(const struct testcase *tc, const struct tokens *tokens,
                                          const struct tree *tree, struct arena *arena)
{
	struct rewrite_ground *g = arena_alloc(arena, sizeof *g);
	size_t n = tokens->n + (size_t)1;
	*g = (struct rewrite_ground){ .tc = tc, .tokens = tokens, .tree = tree };
	g->group = arena_alloc(arena, n * sizeof *g->group);
	g->item = arena_alloc(arena, n * sizeof *g->item);
	g->operand = arena_alloc(arena, n * sizeof *g->operand);
	g->callee = arena_alloc(arena, n * sizeof *g->callee);
	g->whole = arena_alloc(arena, n * sizeof *g->whole);
	memset(g->group, 0xff, n * sizeof *g->group);
	memset(g->item, 0xff, n * sizeof *g->item);
	memset(g->operand, 0, n * sizeof *g->operand);
	memset(g->callee, 0, n * sizeof *g->callee);
	memset(g->whole, 0, n * sizeof *g->whole);
	for (uint32_t i = 1; i < tree->n; i++) {
		const struct tree_node *node = &tree->nodes[i];
		if (node->first < node->last)
			(node->kind == TREE_GROUP ? g->group : g->item)[node->first] = i;
	}
	return g;
}

static bool has_text(const struct rewrite_ground *g, const struct tokenizer *tok, uint32_t token,
                     const char *text)
{
	const struct token *t = &g->tokens->list[token];
	size_t len = t[1].begin - t->begin;
	const char *bytes = (const char *)g->tc->bytes + t->begin;
	return len == strlen(text) &&
	       (tok->ignore_case ? !strncasecmp(bytes, text, len) : !memcmp(bytes, text, len));
}

static bool has_text_of(const struct rewrite_ground *g, const struct tokenizer *tok, uint32_t token,
                        char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (has_text(g, tok, token, texts[i]))
			return true;
	return false;
}

/* What operands are found with: the ground, the language, the end of its tokens. */
struct finder {
	struct rewrite_ground *g;
	const struct tokenizer *tok;
	uint32_t last;
};

/* The next token that is no blank, line end within an item, or comment. */
static uint32_t next_solid(const struct finder *f, uint32_t t)
{
	const struct token *list = f->g->tokens->list;
	while (t < f->last && !list[t].strength &&
	       (list[t].kind == TOKEN_BLANK || list[t].kind == TOKEN_NEWLINE ||
	        list[t].kind == TOKEN_COMMENT))
		t++;
	return t;
}

static bool operand_group(const struct finder *f, uint32_t t)
{
	struct tokenset pair = { { 0, 0 } };
	if (t >= f->last || f->g->group[t] == TREE_NONE ||
	    f->g->tokens->list[t].bracket >= f->tok->n_pairs)
		return false;
	tokenset_add(&pair, f->g->tokens->list[t].bracket);
	return tokenset_meets(f->tok->operands.pairs, pair);
}

/* Behind the name, number, string, word or group at T; 0 when there is none. */
static uint32_t primary(const struct finder *f, uint32_t t)
{
	if (t >= f->last)
		return 0;
	uint8_t kind = f->g->tokens->list[t].kind;
	if (operand_group(f, t))
		return f->g->tree->nodes[f->g->group[t]].last;
	bool simple = kind == TOKEN_IDENTIFIER || kind == TOKEN_NUMBER || kind == TOKEN_STRING;
	bool word = kind == TOKEN_KEYWORD &&
	            has_text_of(f->g, f->tok, t, f->tok->operands.words, f->tok->operands.n_words);
	return simple || word ? t + 1 : 0;
}

static bool joins(const struct finder *f, uint32_t t)
{
	return t < f->last && f->g->tokens->list[t].kind != TOKEN_OPEN &&
	       has_text_of(f->g, f->tok, t, f->tok->operands.joins, f->tok->operands.n_joins);
}

/* Behind the operand whose first name, number, string or group ends at END; marks those that are
 * part of it in INNER. In *CALLEE where the part before a group that it ends with ends, or 0. */
static uint32_t chain(const struct finder *f, uint32_t end, bool *inner, uint32_t *callee)
{
	*callee = 0;
	for (;;) {
		uint32_t t = next_solid(f, end), behind;
		if (f->g->tokens->list[end - 1].strength)
			return end;
		if (joins(f, t)) {
			t = next_solid(f, t + 1);
			behind = primary(f, t);
		} else
			behind = operand_group(f, t) ? primary(f, t) : 0;
		if (!behind)
			return end;
		inner[t] = true;
		*callee = operand_group(f, t) ? end : 0;
		end = behind;
	}
}

/* An operand begins with its first name, number, string or group; and once more with the operators
 * in front of it, unless these follow another operand. */
void rewrite_ground_operands(struct rewrite_ground *g, const struct tokenizer *tok, uint32_t first,
                             uint32_t last)
{
	const struct finder f = { g, tok, last };
	bool *inner = mem_zero(last + (size_t)1, sizeof *inner),
	     *ends = mem_zero(last + (size_t)1, sizeof *ends);
	uint32_t prefix = TREE_NONE, before = TREE_NONE;
	for (uint32_t t = first; t < last; t++) {
		const struct token *token = &g->tokens->list[t];
		if (token->kind == TOKEN_BLANK || token->kind == TOKEN_COMMENT ||
		    (token->kind == TOKEN_NEWLINE && !token->strength))
			continue;
		uint32_t end = inner[t] ? 0 : primary(&f, t);
		if (end) {
			uint32_t start = prefix == TREE_NONE ? t : prefix;
			g->operand[t] = end = chain(&f, end, inner, &g->callee[t]);
			ends[end - 1] = true;
			g->operand[start] = end;
			g->callee[start] = g->callee[t];
			g->whole[start] = true;
		}
		bool behind_operand = before != TREE_NONE && ends[before];
		bool other = token->kind == TOKEN_OTHER && !joins(&f, t);
		if (!other || behind_operand)
			prefix = TREE_NONE;
		else if (prefix == TREE_NONE)
			prefix = t;
		before = t;
	}
	free(inner);
	free(ends);
}
