/* What coded words say (text/coded.h), reduced as if it were the test case, and written back: each
 * word in turn, by the list strategies below. */
#include "search/strategies.h"
#include "search/within.h"

enum { THREE = 3 };

/* Base64 gets shorter by three bytes only. */
static uint32_t threes_levels(const struct view *v)
{
	return v->tc->size > THREE;
}

static void threes_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	uint32_t size = p->view->tc->size, first = size % THREE;
	bool few = size <= STRATEGY_BYTES_MAX;
	places_begin(p, size / THREE + 1, size / THREE + 1);
	for (uint32_t at = first; few && at + THREE <= size; at += THREE)
		places_add(p, at, at + THREE, NULL, 0);
}

static const struct strategy threes = {
	.shape = STRATEGY_LIST,
	.levels = threes_levels,
	.open = threes_open,
};

static const struct strategy *const inner[] = {
	&strategy_records, &strategy_lines,   &strategy_items, &strategy_hollow, &strategy_tokens,
	&strategy_strings, &strategy_numbers, &threes,         &strategy_bytes,  &strategy_lower,
};

enum { N_INNER = sizeof inner / sizeof *inner };

static uint32_t levels_of(const struct strategy *s, const struct view *v)
{
	return s->levels ? s->levels(v) : 1;
}

static uint32_t levels_within(const struct view *v, uint32_t depth);

/* The levels of WORD, which is DEPTH words deep in V: first those of words that are in it. */
static uint32_t levels_of_word(const struct view *v, const struct coded *word, uint32_t depth)
{
	struct view *w = within_view(v, word);
	uint32_t n = w ? levels_within(w, depth + 1) : 0;
	for (uint32_t k = 0; w && k < N_INNER; k++)
		n += levels_of(inner[k], w);
	view_unref(w);
	return n;
}

static uint32_t levels_within(const struct view *v, uint32_t depth)
{
	struct coded_list words;
	uint32_t n = 0;
	if (depth == WITHIN_DEPTH)
		return 0;
	within_words(v, depth, &words);
	for (uint32_t i = 0; i < words.n; i++)
		n += levels_of_word(v, &words.list[i], depth);
	coded_release(&words);
	return n;
}

static uint32_t coded_levels(const struct view *v)
{
	return levels_within(v, 0);
}

static void open_inner(struct places *p, uint32_t level, const struct strategy_options *options)
{
	uint32_t k = 0;
	for (uint32_t n; level >= (n = levels_of(inner[k], p->view)); k++)
		level -= n;
	if (p->view->records && p->view->records->proven)
		places_repair(p, repair_ref(p->view->records->repair));
	inner[k]->open(p, level, options);
}

static void open_within(struct places *p, uint32_t level, uint32_t depth,
                        const struct strategy_options *options);

static void open_word(struct places *p, const struct coded *word, uint32_t level, uint32_t depth,
                      const struct strategy_options *options)
{
	struct coded *kept = arena_alloc(&p->arena, sizeof *kept);
	*kept = *word;
	places_within(p, kept, within_view(p->view, word));
	uint32_t deeper = levels_within(p->view, depth + 1);
	if (level < deeper)
		open_within(p, level, depth + 1, options);
	else
		open_inner(p, level - deeper, options);
}

/* The places of LEVEL in words of the view of P, which are DEPTH words deep. */
static void open_within(struct places *p, uint32_t level, uint32_t depth,
                        const struct strategy_options *options)
{
	struct coded_list words;
	within_words(p->view, depth, &words);
	for (uint32_t i = 0; i < words.n; i++) {
		uint32_t n = levels_of_word(p->view, &words.list[i], depth);
		if (level >= n) {
			level -= n;
			continue;
		}
		if (depth || words.list[i].begin >= p->floor)
			open_word(p, &words.list[i], level, depth, options);
		break;
	}
	coded_release(&words);
}

static void coded_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	open_within(p, level, 0, options);
}

const struct strategy strategy_coded = {
	.shape = STRATEGY_LIST,
	.levels = coded_levels,
	.open = coded_open,
};
