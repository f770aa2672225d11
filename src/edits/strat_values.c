/* Strategies over values: numbers, strings, what is inside a token, and clones of small things. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "search/simplify.h"
#include "edits/significant.h"
#include "edits/strategies.h"

enum { MAX_INSIDE = 1 << 18, CLONE_CHOICES = 6, CLONE_SMALL = 16, MAX_CLONES = 3000 };

/* Adds the replacement of token T by TEXT when that makes the test case simpler. */
static void replace_token(struct edit_sites *p, uint32_t t, const char *text)
{
	uint32_t len, new_len = (uint32_t)strlen(text);
	const uint8_t *old = token_text(p->view, t, &len);
	if (new_len < len || (new_len == len && memcmp(text, old, len) < 0))
		edit_sites_add(p, p->view->tokens.list[t].begin, view_token_end(p->view, t), text,
		               new_len);
}

/* The simplest token of the kind of token T in its language, NONE when that says nothing. */
static const char *simplest(const struct view *v, uint32_t t, const char *none)
{
	const struct token *token = &v->tokens.list[t];
	const char *text = tokenizer_simplest(view_tokenizer_at(v, token->begin),
	                                      (enum token_kind)token->kind);
	return text ? text : none;
}

/* First to the simplest number of the language, then to one. The sizes between are probed by
 * `values`. */
static void numbers_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	edit_sites_begin(p, v->tokens.n, v->tokens.n);
	for (uint32_t t = 0; t < v->tokens.n; t++)
		if (v->tokens.list[t].kind == TOKEN_NUMBER)
			replace_token(p, t, p->level ? "1" : simplest(v, t, "0"));
}

const struct strategy strategy_numbers = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.n_levels = 2,
	.open = numbers_open,
};

static struct search *values_search(struct view *view, UNUSED uint32_t level)
{
	return simplify_search_new(view);
}

const struct strategy strategy_values = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.search = values_search,
};

/* First to the simplest string of the language, then what stands between the quotes away. */
static void strings_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	edit_sites_begin(p, v->tokens.n, v->tokens.n);
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		if (v->tokens.list[t].kind != TOKEN_STRING)
			continue;
		uint32_t len;
		token_text(v, t, &len);
		if (p->level == 0)
			replace_token(p, t, simplest(v, t, "\"\""));
		else if (len > 2)
			edit_sites_add(p, v->tokens.list[t].begin + 1, view_token_end(v, t) - 1,
			               NULL, 0);
	}
}

const struct strategy strategy_strings = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.n_levels = 2,
	.open = strings_open,
};

enum inside_level { WORD_BEHIND, WORD_BEFORE, BYTES, N_INSIDE };
enum { PART_LEAST = 4 }; /* bytes: shorter ones go as runs of bytes */

static bool in_word(uint8_t c)
{
	return isalnum(c) || c == '_' || c >= 0x80;
}

/* The words of a token, each with what is between it and the next one (WORD_BEHIND), or the one in
 * front of it: the folders of a path, the parts of a name. */
static void add_parts(struct edit_sites *p, uint32_t begin, uint32_t end, bool behind)
{
	const uint8_t *bytes = p->view->tc->bytes;
	for (uint32_t at = begin; at < end;) {
		uint32_t from = at;
		while (at < end && in_word(bytes[at]) == behind)
			at++;
		uint32_t middle = at;
		while (at < end && in_word(bytes[at]) != behind)
			at++;
		bool inner = behind ? at < end : from > begin;
		if (inner && middle > from && at > middle && at - from >= PART_LEAST)
			edit_sites_add(p, from, at, NULL, 0);
	}
}

/* Inside of tokens: all tokens of more than one byte, word by word, then byte by byte, as one list:
 * blocks are halves and quarters. */
static void inside_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	uint32_t room = v->tc->size < MAX_INSIDE ? v->tc->size : 0;
	edit_sites_begin(p, room, room);
	for (uint32_t t = 0; t < v->tokens.n && room; t++) {
		uint32_t begin = v->tokens.list[t].begin, end = view_token_end(v, t);
		uint8_t kind = v->tokens.list[t].kind;
		bool name = kind == TOKEN_IDENTIFIER && p->options.keep_names;
		if (end - begin < 2 || name || !view_token_significant(v, t))
			continue;
		if (p->level != BYTES)
			add_parts(p, begin, end, p->level == WORD_BEHIND);
		for (uint32_t i = begin; i < end && p->level == BYTES; i++)
			edit_sites_add(p, i, i + 1, NULL, 0);
	}
}

const struct strategy strategy_inside = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.n_levels = N_INSIDE,
	.open = inside_open,
};

/* Clones (seed 000): a small span takes the place of another that is no shorter and at most twice
 * as long, or 16. */
struct clone_span {
	uint32_t begin, end;
};

static int clone_order(const void *a, const void *b, void *arg)
{
	const struct clone_span *x = a, *y = b;
	const uint8_t *bytes = arg;
	uint32_t n = x->end - x->begin, m = y->end - y->begin;
	if (n != m)
		return n < m ? -1 : 1;
	int d = memcmp(bytes + x->begin, bytes + y->begin, n);
	return d ? d : (x->begin < y->begin ? -1 : x->begin > y->begin);
}

static bool same_bytes(const struct view *v, const struct clone_span *a, const struct clone_span *b)
{
	return a->end - a->begin == b->end - b->begin &&
	       !memcmp(v->tc->bytes + a->begin, v->tc->bytes + b->begin, a->end - a->begin);
}

/* Starts are the items, from the simplest to the most complicated. */
static void clones_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct clone_span *list = arena_alloc(&p->arena, (v->tree.n + (size_t)1) * sizeof *list);
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		struct clone_span s = { v->tokens.list[n->first].begin,
			                v->tokens.list[n->last].begin };
		if (s.begin < s.end)
			list[p->n++] = s;
	}
	qsort_r(list, p->n, sizeof *list, clone_order, v->tc->bytes);
	p->data = list;
	if (p->n > MAX_CLONES)
		p->n = 0;
}

static uint32_t clones_ends(UNUSED const struct edit_sites *p, uint32_t i)
{
	return i < CLONE_CHOICES ? i : CLONE_CHOICES;
}

static bool clones_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct view *v = p->view;
	const struct clone_span *list = p->data, *to = &list[i], *from = NULL;
	/* The (j + 1)th different span below i in the order, starting with the simplest. */
	for (uint32_t k = 0, seen = 0; k < i && !from; k++)
		if ((!k || !same_bytes(v, &list[k - 1], &list[k])) && seen++ == j)
			from = &list[k];
	if (!from || same_bytes(v, from, to))
		return false;
	uint32_t n = from->end - from->begin;
	if (from->begin < to->end && to->begin < from->end &&
	    !(from->begin >= to->begin && from->end <= to->end))
		return false;
	*out = edit_replace(arena, to->begin, to->end, v->tc->bytes + from->begin, n);
	return true;
}

const struct strategy strategy_clones = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = clones_open,
	.ends = clones_ends,
	.edit = clones_edit,
};
