/* Equal words become a short one, in whatever tokens they stand: the word of a here-document and
 * the line that ends it, a name in a string and the thing it names. Or nothing: an alias or a
 * prefix goes from where it is defined, and with the mark behind it from where it is used. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "search/marks.h"
#include "search/names.h"
#include "search/strategies.h"
#include "search/words.h"

enum { WORDS_MAX = 4096, SHORT = 26 + 26 * 26, ALONE_MOST = 2 };
enum level { SHORTER, UNQUALIFIED, N_LEVELS };

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

/* The mark that joins two words: "." and ":" alone, "::", "->". At AT or, if BEFORE, in front of
 * it; how long it is, 0: there is none. */
static uint32_t mark_at(const struct words *w, uint32_t size, uint32_t at, bool before)
{
	static const char *const marks[] = { "::", "->", ".", ":" };
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		uint32_t len = (uint32_t)strlen(marks[i]), begin = before ? at - len : at;
		if ((before && at <= len) || begin + len >= size ||
		    memcmp(w->bytes + begin, marks[i], len) != 0)
			continue;
		uint8_t beyond = w->bytes[before ? begin - 1 : begin + len];
		return isalnum(beyond) || beyond == '_' ? len : 0;
	}
	return 0;
}

/* The uses [first, last) of the order without the word: with the mark behind it (a.x is x), or in
 * front of it (xmlns:a= is xmlns=), or, where it stands alone, with the blank in front of it.
 * Nothing unless there is one use of the first kind and one of the others, and no more than
 * ALONE_MOST of the last. TAKEN: per byte, what goes with another word. */
static void add_unqualified(struct places *p, const struct words *w, uint32_t first, uint32_t last,
                            uint8_t *taken)
{
	uint32_t n = last - first, size = p->view->tc->size, qualifying = 0, alone = 0;
	struct edit_part *parts = arena_alloc(&p->arena, n * sizeof *parts);
	for (uint32_t i = 0; i < n; i++) {
		struct word x = w->list[w->order[first + i]];
		uint32_t behind = mark_at(w, size, x.end, false),
			 before = behind ? 0 : mark_at(w, size, x.begin, true);
		bool single = !behind && !before;
		bool blank = single && x.begin && w->bytes[x.begin - 1] == ' ';
		qualifying += behind > 0;
		alone += single;
		parts[i] = (struct edit_part){ .begin = x.begin - before - blank,
			                       .end = x.end + behind };
		if (memchr(taken + parts[i].begin, 1, parts[i].end - parts[i].begin))
			return;
	}
	if (!qualifying || qualifying == n || alone > ALONE_MOST)
		return;
	for (uint32_t i = 0; i < n; i++) {
		memset(taken + parts[i].begin, 1, parts[i].end - parts[i].begin);
		places_add_part(p, parts[i].begin, parts[i].end, NULL, 0);
	}
	places_end_element(p);
}

/* Words that stand several times, and not as names alone, to one that does not occur; and then
 * those that are an alias or a prefix to nothing. */
static void words_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	const struct view *v = p->view;
	struct arena scratch = { 0 };
	struct words w;
	if (options->keep_names || testcase_is_binary(v->tc))
		return;
	words_read(&w, v->tc, &scratch);
	uint8_t *names = words_taken(&w, &scratch), *bytes = arena_alloc(&scratch, v->tc->size);
	memset(bytes, 0, v->tc->size);
	places_begin(p, w.n, w.n);
	for (uint32_t first = 0, last; first < w.n && p->n < WORDS_MAX; first = last) {
		last = words_equal(&w, first);
		if (last - first < 2 || last - first > NAMES_MAX_USES)
			continue;
		if (level == UNQUALIFIED)
			add_unqualified(p, &w, first, last, bytes);
		else if (is_more_than_name(v, &w, first, last))
			add_words(p, &w, first, last, names);
	}
	arena_release(&scratch);
}

static uint32_t words_levels(const struct view *v)
{
	(void)v;
	return N_LEVELS;
}

const struct strategy strategy_words = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.levels = words_levels,
	.open = words_open,
};
