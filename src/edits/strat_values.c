/* Strategies over values: numbers, strings, what is inside a token, and clones of small things. */

#include "search/simplify.h"
#include "edits/marks.h"
#include "edits/names.h"
#include "edits/words.h"
#include "text/diff.h"
#include "edits/significant.h"
#include "edits/strategies.h"

enum { MAX_INSIDE = 1 << 18, CLONE_CHOICES = 6, MAX_CLONES = 3000 };
enum { NEAR_NAMES = 2, NEAR_TOKENS = 64 };

enum { OPERANDS_MOST = 512 }; /* tokens; larger test cases have too many operands */

/* Adds the replacement of token T by TEXT when that makes the test case simpler. */
static void replace_token(struct edit_sites *p, uint32_t t, const char *text)
{
	uint32_t len, new_len = (uint32_t)strlen(text);
	const uint8_t *old = token_text(p->view, t, &len);
	if (new_len < len || (new_len == len && memcmp(text, old, len) < 0))
		edit_sites_add(p, view_token_begin(p->view, t), view_token_end(p->view, t), text,
		               new_len);
}

/* The simplest token of the kind of token T in its language, NONE when that says nothing. */
static const char *simplest(const struct view *v, uint32_t t, const char *none)
{
	const struct token *token = &v->tokens.list[t];
	const char *text = tokenizer_simplest(view_tokenizer_at(v, view_token_begin(v, t)),
	                                      (enum token_kind)token->kind);
	return text ? text : none;
}

/* First to the simplest number of the language, then to one. The sizes between are probed by
 * `values`. */
static void numbers_open(struct edit_sites *p)
{
	const struct view *v = p->view;
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
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		if (v->tokens.list[t].kind != TOKEN_STRING)
			continue;
		uint32_t len;
		token_text(v, t, &len);
		if (p->level == 0)
			replace_token(p, t, simplest(v, t, "\"\""));
		else if (len > 2)
			edit_sites_add(p, view_token_begin(v, t) + 1, view_token_end(v, t) - 1,
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

/* The words of a token, each with what is between it and the next one (WORD_BEHIND), or the one in
 * front of it: the folders of a path, the parts of a name. */
static void add_parts(struct edit_sites *p, uint32_t begin, uint32_t end, bool behind)
{
	const uint8_t *bytes = p->view->tc->bytes;
	for (uint32_t at = begin; at < end;) {
		uint32_t from = at;
		while (at < end && diff_in_word(bytes[at]) == behind)
			at++;
		uint32_t middle = at;
		while (at < end && diff_in_word(bytes[at]) != behind)
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
	for (uint32_t t = 0; t < v->tokens.n && room; t++) {
		uint32_t begin = view_token_begin(v, t), end = view_token_end(v, t);
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

/* Clones (seed 000): a small span takes the place of another that is no shorter. */
struct clones {
	struct range *places; /* from the simplest to the most complicated; operands: the
	                              largest first */
	struct range *texts;  /* what may come there, the simplest first, all different */
	uint32_t n_texts;
};

enum { CLONE_OPERANDS, CLONE_ITEMS, N_CLONES };

static int largest_first(const void *a, const void *b)
{
	const struct range *x = a, *y = b;
	uint32_t n = x->end - x->begin, m = y->end - y->begin;
	return n != m ? (n > m ? -1 : 1) : MEM_ORDER(x, y, begin);
}

/* Sorts the N texts, and leaves one of those that are equal. */
static void sort_texts(const struct view *v, struct clones *x, uint32_t n)
{
	qsort_r(x->texts, n, sizeof *x->texts, range_order, v->tc->bytes);
	for (uint32_t i = 0; i < n; i++)
		if (!x->n_texts || !range_same(v->tc->bytes, x->texts[x->n_texts - 1], x->texts[i]))
			x->texts[x->n_texts++] = x->texts[i];
}

static struct range span_of(const struct view *v, uint32_t first, uint32_t last)
{
	return (struct range){ view_token_begin(v, first), view_token_end(v, last - 1) };
}

/* All items. */
static void add_items(struct edit_sites *p, struct clones *x)
{
	const struct view *v = p->view;
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		if (n->first < tree_end(&v->tree, i))
			x->places[p->n++] = span_of(v, n->first, tree_end(&v->tree, i));
	}
	if (p->n > MAX_CLONES)
		p->n = 0;
	memcpy(x->texts, x->places, p->n * sizeof *x->texts);
	sort_texts(v, x, p->n);
	qsort_r(x->places, p->n, sizeof *x->places, range_order, v->tc->bytes);
}

/* What begins at token T and has a value: a name or brackets, then brackets and names of members,
 * f(x).y[0], and all that it begins with, but a list or an object alone: a literal is of another
 * kind. CLOSE: per token the one that closes the group that it opens, else 0. */
static void add_operands(struct edit_sites *p, struct clones *x, uint32_t t, const uint32_t *close)
{
	const struct view *v = p->view;
	for (uint32_t at = t; at < v->tokens.n;) {
		const struct token *token = &v->tokens.list[at];
		bool opens = close[at] > at, named = token->kind == TOKEN_IDENTIFIER;
		uint32_t last = opens ? close[at] + 1 : at + 1;
		if ((!opens && !named) || p->n >= MAX_CLONES)
			return;
		if (at > t || named || v->tc->bytes[view_token_begin(v, t)] == '(')
			x->places[p->n++] = span_of(v, t, last);
		at = view_significant_from(v, last, v->tokens.n);
		if (at < v->tokens.n && names_is_mark(v, at))
			at = view_significant_from(v, at + 1, v->tokens.n);
		else if (at == v->tokens.n || close[at] <= at)
			return;
	}
}

static bool is_quote(uint8_t c)
{
	return c == '"' || c == '\'' || c == '`';
}

/* Operands as places, literals as texts: numbers and strings, which may be brackets. */
static void add_all_operands(struct edit_sites *p, struct clones *x)
{
	const struct view *v = p->view;
	const struct token *list = v->tokens.list;
	uint32_t *close = arena_zero(&p->arena, v->tokens.n * sizeof *close), n = 0;
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *g = &v->tree.nodes[i];
		if (g->kind != TREE_GROUP)
			continue;
		close[g->first] = tree_end(&v->tree, i) - 1;
		uint32_t begin = view_token_begin(v, g->first);
		if (view_token_end(v, g->first) > begin && is_quote(v->tc->bytes[begin]))
			x->texts[n++] = span_of(v, g->first, tree_end(&v->tree, i));
	}
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		uint32_t before = view_significant_before(v, t);
		bool behind = before != TREE_NONE && (list[before].kind == TOKEN_IDENTIFIER ||
		                                      list[before].kind == TOKEN_CLOSE);
		if (list[t].kind == TOKEN_STRING || list[t].kind == TOKEN_NUMBER)
			x->texts[n++] = span_of(v, t, t + 1);
		else if (before == TREE_NONE || !(names_is_mark(v, before) || (close[t] && behind)))
			add_operands(p, x, t, close);
	}
	sort_texts(v, x, n);
	qsort(x->places, p->n, sizeof *x->places, largest_first);
}

static void clones_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct clones *x = arena_alloc(&p->arena, sizeof *x);
	size_t most = v->tree.n + (size_t)(p->level == CLONE_ITEMS ? 0 : v->tokens.n + MAX_CLONES);
	*x = (struct clones){ .places = arena_alloc(&p->arena, most * sizeof *x->places),
		              .texts = arena_alloc(&p->arena, most * sizeof *x->texts) };
	p->data = x;
	if (p->level == CLONE_ITEMS)
		add_items(p, x);
	else if (v->tokens.n <= OPERANDS_MOST)
		add_all_operands(p, x);
}

static uint32_t n_choices(const struct clones *x)
{
	return x->n_texts < CLONE_CHOICES ? x->n_texts : CLONE_CHOICES;
}

static uint32_t clones_ends(const struct edit_sites *p, UNUSED uint32_t i)
{
	const struct clones *x = p->data;
	return n_choices(x) + (p->level == CLONE_OPERANDS) * NEAR_NAMES;
}

/* Does the name at TOKEN stand alone: not called, no member, nothing's owner? */
static bool is_alone(const struct view *v, uint32_t token)
{
	uint32_t before = view_significant_before(v, token),
		 behind = view_significant_from(v, token + 1, v->tokens.n);
	return v->tokens.list[token].kind == TOKEN_IDENTIFIER && before != TREE_NONE &&
	       !names_is_mark(v, before) && behind < v->tokens.n && !names_is_mark(v, behind) &&
	       v->tokens.list[behind].kind != TOKEN_OPEN;
}

/* The Kth name from the call CALL backwards that stands alone, a parameter or a variable in scope,
 * in *OUT. */
static bool near_name(const struct view *v, struct range call, uint32_t k, struct range *out)
{
	uint32_t t = marks_token_at(v, call.begin), seen[NEAR_NAMES] = { 0 }, n = 0;
	if (v->tokens.list[t].kind != TOKEN_IDENTIFIER ||
	    v->tokens.list[marks_token_at(v, call.end - 1)].kind != TOKEN_CLOSE)
		return false;
	for (uint32_t left = NEAR_TOKENS; t-- > 0 && left-- && n <= k;) {
		bool again = !is_alone(v, t);
		for (uint32_t i = 0; i < n; i++)
			again |= token_same_text(v, t, seen[i]);
		if (!again)
			seen[n++] = t;
	}
	if (n <= k)
		return false;
	*out = span_of(v, seen[k], seen[k] + 1);
	return true;
}

/* The Jth text in place I, when it is simpler, and not a part that also lies outside. */
static bool clones_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct clones *x = p->data;
	const struct view *v = p->view;
	uint32_t choices = n_choices(x);
	struct range to = x->places[i], from;
	if (j < choices)
		from = x->texts[j];
	else if (!near_name(v, to, j - choices, &from))
		return false;
	uint32_t n = from.end - from.begin;
	bool overlap = from.begin < to.end && to.begin < from.end;
	if (range_same(v->tc->bytes, from, to) || range_order(&from, &to, v->tc->bytes) > 0 ||
	    (overlap && (from.begin < to.begin || from.end > to.end)))
		return false;
	*out = edit_replace(arena, to.begin, to.end, v->tc->bytes + from.begin, n);
	return true;
}

const struct strategy strategy_clones = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.n_levels = N_CLONES,
	.open = clones_open,
	.ends = clones_ends,
	.edit = clones_edit,
};
