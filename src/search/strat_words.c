/* Equal words become a short one, in whatever tokens they stand: the word of a here-document and
 * the line that ends it, a name in a string and the thing it names. */
#include <stdlib.h>
#include <string.h>

#include "search/marks.h"
#include "search/names.h"
#include "search/strategies.h"
#include "search/words.h"

enum { WORDS_MAX = 4096, SHORT = 26 + 26 * 26 };

/* Is any of the words [first, last) of the order not a name of its own, which `rename` knows? */
static bool is_more_than_name(const struct view *v, const struct words *w, uint32_t first,
                              uint32_t last)
{
	for (uint32_t i = first; i < last; i++) {
		struct word x = w->list[w->order[i]];
		uint32_t token = marks_token_at(v, x.begin);
		if (v->tokens.list[token].kind != TOKEN_IDENTIFIER ||
		    v->tokens.list[token].begin != x.begin || view_token_end(v, token) != x.end)
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
	words_read(&w, v->tc, &scratch);
	uint8_t *taken = words_taken(&w, &scratch);
	places_begin(p, w.n, w.n);
	for (uint32_t first = 0, last; first < w.n && p->n < WORDS_MAX; first = last) {
		last = words_equal(&w, first);
		if (last - first > 1 && last - first <= NAMES_MAX_USES &&
		    is_more_than_name(v, &w, first, last))
			add_words(p, &w, first, last, taken);
	}
	arena_release(&scratch);
}

const struct strategy strategy_words = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.open = words_open,
};
