/* Equal words become a short one, in whatever tokens they stand: the word of a here-document and
 * the line that ends it, a name in a string and the thing it names. */
#include <stdlib.h>
#include <string.h>

#include "search/names.h"
#include "search/strategies.h"

enum { WORDS_MAX = 4096, SHORT = 26 + 26 * 26 };

struct word {
	uint32_t begin, end;
};

struct words {
	const uint8_t *bytes;
	uint32_t n;
	struct word *list; /* in document order */
	uint32_t *order;   /* equal ones beside one another, in document order */
};

static bool is_letter(uint8_t c)
{
	return c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int compare_words(const void *a, const void *b, void *arg)
{
	const struct words *w = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	struct word x = w->list[i], y = w->list[k];
	uint32_t n = x.end - x.begin, m = y.end - y.begin;
	int d = n != m ? (n < m ? -1 : 1) : memcmp(w->bytes + x.begin, w->bytes + y.begin, n);
	return d ? d : i < k ? -1 : i > k;
}

static void read_words(const struct view *v, struct words *w, struct arena *arena)
{
	uint32_t size = v->tc->size, cap = 0;
	*w = (struct words){ .bytes = v->tc->bytes };
	for (uint32_t at = 0, end; at < size; at = end) {
		end = at + 1;
		while (is_letter(w->bytes[at]) && end < size &&
		       (is_letter(w->bytes[end]) || (w->bytes[end] >= '0' && w->bytes[end] <= '9')))
			end++;
		if (is_letter(w->bytes[at])) {
			MEM_GROW(w->list, w->n, cap);
			w->list[w->n++] = (struct word){ at, end };
		}
	}
	w->order = arena_alloc(arena, (w->n + (size_t)1) * sizeof *w->order);
	for (uint32_t i = 0; i < w->n; i++)
		w->order[i] = i;
	if (w->n)
		qsort_r(w->order, w->n, sizeof *w->order, compare_words, w);
}

/* Is any of the words [first, last) of the order not a name of its own, which `rename` knows? */
static bool is_more_than_name(const struct view *v, const struct words *w, uint32_t first,
                              uint32_t last)
{
	for (uint32_t i = first; i < last; i++) {
		struct word x = w->list[w->order[i]];
		uint32_t lo = 0, hi = v->tokens.n;
		while (hi - lo > 1) {
			uint32_t mid = lo + (hi - lo) / 2;
			if (v->tokens.list[mid].begin <= x.begin)
				lo = mid;
			else
				hi = mid;
		}
		if (v->tokens.list[lo].kind != TOKEN_IDENTIFIER ||
		    v->tokens.list[lo].begin != x.begin || view_token_end(v, lo) != x.end)
			return true;
	}
	return false;
}

/* Which of the short names are words: one byte each. */
static uint8_t *words_taken(const struct words *w, struct arena *arena)
{
	uint8_t *taken = arena_alloc(arena, SHORT + 1);
	memset(taken, 0, SHORT + 1);
	for (uint32_t i = 0; i < w->n; i++) {
		struct word y = w->list[i];
		taken[names_short_number(w->bytes + y.begin, y.end - y.begin, SHORT)] = 1;
	}
	return taken;
}

/* Where the words that are equal to the one at FIRST of the order end. */
static uint32_t equal_words(const struct words *w, uint32_t first)
{
	struct word x = w->list[w->order[first]];
	uint32_t n = x.end - x.begin, last = first + 1;
	for (; last < w->n; last++) {
		struct word y = w->list[w->order[last]];
		if (y.end - y.begin != n || memcmp(w->bytes + x.begin, w->bytes + y.begin, n) != 0)
			break;
	}
	return last;
}

static void add_words(struct places *p, const struct words *w, uint32_t first, uint32_t last,
                      uint8_t *taken)
{
	struct word x = w->list[w->order[first]];
	char name[8], *text;
	uint32_t k = 0;
	while (k < SHORT && taken[k])
		k++;
	uint32_t len = names_short(k, name);
	if (k == SHORT || len >= x.end - x.begin)
		return;
	taken[k] = 1;
	text = arena_alloc(&p->arena, len);
	memcpy(text, name, len);
	for (uint32_t i = first; i < last; i++)
		places_add_part(p, w->list[w->order[i]].begin, w->list[w->order[i]].end, text, len);
	places_end_element(p);
}

/* Words that stand several times, and not as names alone, to one that does not occur. */
static void words_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level;
	const struct view *v = p->view;
	struct arena scratch = { 0 };
	struct words w;
	if (options->keep_names || testcase_is_binary(v->tc))
		return;
	read_words(v, &w, &scratch);
	uint8_t *taken = words_taken(&w, &scratch);
	places_begin(p, w.n, w.n);
	for (uint32_t first = 0, last; first < w.n && p->n < WORDS_MAX; first = last) {
		last = equal_words(&w, first);
		if (last - first > 1 && last - first <= NAMES_MAX_USES &&
		    is_more_than_name(v, &w, first, last))
			add_words(p, &w, first, last, taken);
	}
	free(w.list);
	arena_release(&scratch);
}

const struct strategy strategy_words = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.open = words_open,
};
