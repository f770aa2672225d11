/* Tokens, and cutting strategies of seed 004 over tokens and bytes. */
#include <ctype.h>

#include "base/map.h"
#include "edits/significant.h"
#include "edits/strategies.h"

enum { BYTE_RUN = 6, MAX_BYTES = 1 << 14 };

static void tokens_open(struct edit_sites *p)
{
	ARENA_SCOPED struct arena scratch = { 0 };
	struct significant *s = significant_new(p->view, false, &scratch);
	for (uint32_t i = 0; i < s->n; i++) {
		struct edit_part cut = significant_cut(p->view, s, i, i + 1);
		edit_sites_add(p, cut.begin, cut.end, NULL, 0);
	}
}

const struct strategy strategy_tokens = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.bare = true,
	.open = tokens_open,
};

/* Common n-grams: for each length, the next place where the n-gram at i stands again. */
struct ngrams {
	struct significant *s;
	uint32_t *next[2]; /* for n = 1 and n = 3: index of the next occurrence, 0 when there is
	                      none */
};

static uint64_t gram(const struct significant *s, uint32_t i, uint32_t n)
{
	return n == 1 ? s->text[i] : s->text[i] * 31 + s->text[i + 1] * 17 + s->text[i + 2];
}

static uint32_t *next_occurrences(const struct significant *s, uint32_t n, struct arena *arena)
{
	uint32_t *next = arena_alloc(arena, (s->n + (size_t)1) * sizeof *next);
	SCOPED(map_release) struct map latest = { 0 }; /* position of each gram */
	map_reserve(&latest, s->n);
	for (uint32_t i = s->n; i-- > 0;) {
		next[i] = 0;
		if (i + n > s->n)
			continue;
		size_t at;
		uint64_t g = gram(s, i, n), hash = g ^ g >> 32;
		uint32_t to = map_first(&latest, hash, &at);
		while (to != MAP_END && gram(s, to, n) != g)
			to = map_next(&latest, hash, &at);
		if (to == MAP_END) {
			map_add(&latest, hash, i);
			continue;
		}
		next[i] = to;
		map_set(&latest, at, i);
	}
	return next;
}

static void ngrams_open(struct edit_sites *p)
{
	struct ngrams *g = arena_alloc(&p->arena, sizeof *g);
	g->s = significant_new(p->view, true, &p->arena);
	g->next[0] = next_occurrences(g->s, 1, &p->arena);
	g->next[1] = next_occurrences(g->s, 3, &p->arena);
	p->n = g->s->n;
	p->data = g;
}

static uint32_t ngrams_ends(const struct edit_sites *p, uint32_t i)
{
	const struct ngrams *g = p->data;
	return (g->next[0][i] != 0) +
	       (uint32_t)(g->next[1][i] != 0 && g->next[1][i] != g->next[0][i]);
}

/* From i to the (k + 1)th next occurrence. */
static bool ngrams_enlarge(const struct edit_sites *p, uint32_t i, uint32_t j, uint32_t k,
                           struct arena *arena, struct edit *out)
{
	const struct ngrams *g = p->data;
	const uint32_t *next = g->next[j || !g->next[0][i]];
	uint32_t to = next[i];
	for (; k && to; k--)
		to = next[to];
	if (!to)
		return false;
	*out = edit_cut(arena, significant_begin(p->view, g->s, i),
	                significant_begin(p->view, g->s, to));
	return true;
}

const struct strategy strategy_ngrams = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TOKENS,
	.open = ngrams_open,
	.ends = ngrams_ends,
	.enlarge = ngrams_enlarge,
};

static void prefixes_open(struct edit_sites *p)
{
	struct significant *s = significant_new(p->view, false, &p->arena);
	p->data = s;
	p->n = s->n;
}

/* Prefixes (j = 0: all before token i) and suffixes (j = 1: all from token i on). */
static uint32_t prefixes_ends(UNUSED const struct edit_sites *p, uint32_t i)
{
	return i ? 2 : 1;
}

static bool prefixes_enlarge(const struct edit_sites *p, uint32_t i, uint32_t j, uint32_t k,
                             struct arena *arena, struct edit *out)
{
	const struct significant *s = p->data;
	if (j ? k > i : i + k > s->n)
		return false;
	*out = j ? edit_cut(arena, significant_begin(p->view, s, i - k), p->view->tc->size)
	         : edit_cut(arena, 0, significant_begin(p->view, s, i + k));
	return out->n && out->parts[0].begin < out->parts[0].end;
}

static bool prefixes_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                          struct edit *out)
{
	return i && prefixes_enlarge(p, i, j, 0, arena, out);
}

const struct strategy strategy_prefixes = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TOKENS,
	.open = prefixes_open,
	.ends = prefixes_ends,
	.edit = prefixes_edit,
	.enlarge = prefixes_enlarge,
};

/* Runs of one character: [i, j) all alike. Cut whole, or down to one. */
static void repeats_open(struct edit_sites *p)
{
	const struct testcase *tc = p->view->tc;
	uint32_t *starts = NULL, cap = 0;
	for (uint32_t i = 0, end; i < tc->size; i = end) {
		for (end = i + 1; end < tc->size && tc->bytes[end] == tc->bytes[i];)
			end++;
		if (end - i < 2)
			continue;
		MEM_PUSH(starts, p->n, cap, i);
	}
	uint32_t *kept = arena_copy(&p->arena, starts, p->n * sizeof *kept);
	free(starts);
	p->data = kept;
}

static bool repeats_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                         struct edit *out)
{
	const struct testcase *tc = p->view->tc;
	uint32_t begin = ((const uint32_t *)p->data)[i], end = begin;
	while (end < tc->size && tc->bytes[end] == tc->bytes[begin])
		end++;
	uint32_t keep = j == 2 ? 0 : j == 1 ? 1 : (end - begin) / 2;
	*out = edit_cut(arena, begin + keep, end);
	return true;
}

const struct strategy strategy_repeats = {
	.shape = STRATEGY_CUTTING,
	.open = repeats_open,
	.n_ends = 3,
	.edit = repeats_edit,
};

/* Brackets of any kind over plain bytes, whatever the tokenizer makes of them: what is inside
 * strings, patterns, comments, and templates in markup. Enlarged to what stands around them. */
enum { NEST_WHOLE, NEST_INSIDE, NEST_AROUND, NEST_WAYS }; /* AROUND: the brackets alone */

struct nest {
	uint32_t begin, end, parent; /* parent: index + 1; 0: none */
};

static uint8_t closing(uint8_t c)
{
	return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : c == '<' ? '>' : 0;
}

static void nests_open(struct edit_sites *p)
{
	const struct testcase *tc = p->view->tc;
	uint32_t n = 0, depth = 0;
	for (uint32_t i = 0; i < tc->size; i++)
		n += closing(tc->bytes[i]) != 0;
	struct nest *list = arena_alloc(&p->arena, (n + (size_t)1) * sizeof *list);
	uint32_t *open = mem_alloc((n + (size_t)1) * sizeof *open), kept = 0;
	n = 0;
	for (uint32_t i = 0; i < tc->size; i++) {
		uint8_t c = tc->bytes[i];
		if (closing(c)) {
			list[n] = (struct nest){ i, 0, 0 };
			open[depth++] = n++;
			continue;
		}
		uint32_t d = depth;
		while (d && closing(tc->bytes[list[open[d - 1]].begin]) != c)
			d = tc->bytes[list[open[d - 1]].begin] == '<'
			            ? d - 1
			            : 0; /* a lone '<' closes nothing */
		if (d && (c == ')' || c == ']' || c == '}' || c == '>')) {
			depth = d - 1;
			list[open[depth]].end = i + 1;
			list[open[depth]].parent = depth ? open[depth - 1] + 1 : 0;
		}
	}
	uint32_t *renumbered = open; /* no longer needed as a stack */
	for (uint32_t i = 0; i < n; i++) {
		struct nest at = list[i];
		renumbered[i] = at.end ? kept + 1 : 0;
		if (!at.end)
			continue;
		at.parent = at.parent ? renumbered[at.parent - 1] : 0;
		list[kept++] = at;
	}
	free(open);
	p->n = kept;
	p->data = list;
}

static bool nests_enlarge(const struct edit_sites *p, uint32_t i, uint32_t j, uint32_t k,
                          struct arena *arena, struct edit *out)
{
	const struct nest *list = p->data, *at = &list[i];
	struct edit_part *parts = arena_alloc(arena, 2 * (k + (size_t)1) * sizeof *parts);
	uint32_t n = 0;
	for (;; at = &list[at->parent - 1]) {
		parts[n++] = (struct edit_part){ .begin = at->begin, .end = at->begin + 1 };
		parts[n++] = (struct edit_part){ .begin = at->end - 1, .end = at->end };
		if (!k--)
			break;
		if (!at->parent)
			return false;
	}
	if (j == NEST_AROUND)
		return edit_make(arena, parts, n, out);
	*out = edit_cut(arena, at->begin + (j == NEST_INSIDE), at->end - (j == NEST_INSIDE));
	return j == NEST_WHOLE || at->begin + 2 < at->end;
}

const struct strategy strategy_nests = {
	.shape = STRATEGY_CUTTING,
	.open = nests_open,
	.n_ends = NEST_WAYS,
	.enlarge = nests_enlarge,
};

/* Short runs of bytes, two to six, enlarged backwards; of small test cases only: elsewhere tokens
 * do better. */
static void byte_runs_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	p->n = v->tc->size <= MAX_BYTES ? v->tc->size : 0;
	uint32_t *token_end = arena_alloc(&p->arena, (p->n + (size_t)1) * sizeof *token_end);
	for (uint32_t t = 0; p->n && t < v->tokens.n; t++)
		for (uint32_t i = view_token_begin(v, t); i < view_token_end(v, t); i++)
			token_end[i] = view_token_end(v, t);
	p->data = token_end;
}

/* Not over the end of a token: what goes there goes as tokens. */
static uint32_t byte_runs_ends(const struct edit_sites *p, uint32_t i)
{
	uint32_t left = ((const uint32_t *)p->data)[i] - i;
	return left < 2 ? 0 : left < BYTE_RUN ? left - 1 : BYTE_RUN - 1;
}

static bool byte_runs_enlarge(UNUSED const struct edit_sites *p, uint32_t i, uint32_t j, uint32_t k,
                              struct arena *arena, struct edit *out)
{
	if (k > i)
		return false;
	*out = edit_cut(arena, i - k, i + j + 2);
	return true;
}

/* Is [BEGIN, END) part of a word? */
static bool is_in_word(const uint8_t *bytes, uint32_t begin, uint32_t end)
{
	while (begin < end && (isalnum(bytes[begin]) || bytes[begin] == '_'))
		begin++;
	return begin == end;
}

/* Of a word the end at most: all else of it becomes shorter byte by byte (inside), or as a name. */
static bool byte_runs_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                           struct edit *out)
{
	uint32_t end = i + j + 2;
	bool goes_on =
		end < ((const uint32_t *)p->data)[i] && is_in_word(p->view->tc->bytes, i, end + 1);
	return !goes_on && byte_runs_enlarge(p, i, j, 0, arena, out);
}

const struct strategy strategy_byte_runs = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TOKENS,
	.open = byte_runs_open,
	.ends = byte_runs_ends,
	.edit = byte_runs_edit,
	.enlarge = byte_runs_enlarge,
};
