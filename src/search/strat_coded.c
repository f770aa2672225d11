/* What coded words say (text/coded.h), reduced as if it were the test case, and written back: each
 * word in turn, by the list strategies below. Then the text of long strings, in which programs and
 * documents stand. */
#include "search/strategies.h"
#include "search/within.h"

enum { THREE = 3, ANY = UINT32_MAX, MOST = 2 };

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

/* Of strings, whose bytes are gone through anyhow. */
static const struct strategy *const inner_of_string[] = { &strategy_items, &strategy_lines,
	                                                  &strategy_hollow, &strategy_tokens };

enum { N_OF_STRING = sizeof inner_of_string / sizeof *inner_of_string };

static uint32_t levels_of(const struct strategy *s, const struct view *v)
{
	return s->levels ? s->levels(v) : 1;
}

static uint32_t levels_of_string(const struct view *v, const struct coded *string)
{
	struct view *w = within_view(v, string);
	uint32_t n = 0;
	for (uint32_t k = 0; w && k < N_OF_STRING; k++)
		n += levels_of(inner_of_string[k], w);
	view_unref(w);
	return n;
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

/* The levels of strings that are one part in SHARE of the test case, or more. */
static uint32_t levels_in_strings(const struct view *v, uint32_t share)
{
	struct coded_list strings;
	uint32_t n = 0;
	within_strings(v, v->tc->size / share, &strings);
	for (uint32_t i = 0; i < strings.n; i++)
		n += levels_of_string(v, &strings.list[i]);
	coded_release(&strings);
	return n;
}

static uint32_t coded_levels(const struct view *v)
{
	return levels_within(v, 0) + levels_in_strings(v, ANY);
}

static uint32_t most_levels(const struct view *v)
{
	return levels_in_strings(v, MOST);
}

/* The places of LEVEL of the strategies LIST. */
static void open_one_of(struct places *p, const struct strategy *const *list, uint32_t level,
                        const struct strategy_options *options)
{
	for (uint32_t n; level >= (n = levels_of(*list, p->view)); list++)
		level -= n;
	if (p->view->records && p->view->records->proven)
		places_repair(p, repair_ref(p->view->records->repair));
	(*list)->open(p, level, options);
}

static void open_within(struct places *p, uint32_t level, uint32_t depth,
                        const struct strategy_options *options);

static void look_into(struct places *p, const struct coded *word)
{
	struct coded *kept = arena_alloc(&p->arena, sizeof *kept);
	*kept = *word;
	places_within(p, kept, within_view(p->view, word));
}

static void open_word(struct places *p, const struct coded *word, uint32_t level, uint32_t depth,
                      const struct strategy_options *options)
{
	look_into(p, word);
	uint32_t deeper = levels_within(p->view, depth + 1);
	if (level < deeper)
		open_within(p, level, depth + 1, options);
	else
		open_one_of(p, inner, level - deeper, options);
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

static void open_string(struct places *p, uint32_t level, uint32_t share,
                        const struct strategy_options *options)
{
	struct coded_list strings;
	within_strings(p->view, p->view->tc->size / share, &strings);
	for (uint32_t i = 0; i < strings.n; i++) {
		uint32_t n = levels_of_string(p->view, &strings.list[i]);
		if (level < n) {
			if (strings.list[i].begin >= p->floor) {
				look_into(p, &strings.list[i]);
				open_one_of(p, inner_of_string, level, options);
			}
			break;
		}
		level -= n;
	}
	coded_release(&strings);
}

static void coded_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	uint32_t n = levels_within(p->view, 0);
	if (level < n)
		open_within(p, level, 0, options);
	else
		open_string(p, level - n, ANY, options);
}

static void most_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	open_string(p, level, MOST, options);
}

const struct strategy strategy_coded = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.bare = true,
	.levels = coded_levels,
	.open = coded_open,
};

/* What most of the test case is stands in a string: it has its turn with what is outermost. */
const struct strategy strategy_coded_most = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.bare = true,
	.levels = most_levels,
	.open = most_open,
};
