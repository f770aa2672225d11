/* What coded words say (text/coded.h), reduced as if it were the test case, and written back: each
 * word in turn, by the list strategies below. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "search/strategies.h"
#include "text/coded.h"
#include "text/records.h"

enum { WORDS_MAX = 32, THREE = 3 };

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

static uint32_t size_of(const struct coded *w)
{
	return w->end - w->begin;
}

static int longer_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x > y ? -1 : x < y;
}

static void keep_longest(struct coded_list *words)
{
	if (words->n <= WORDS_MAX)
		return;
	uint32_t *sizes = mem_alloc(words->n * sizeof *sizes), n = 0, equal = 1;
	for (uint32_t i = 0; i < words->n; i++)
		sizes[i] = size_of(&words->list[i]);
	qsort(sizes, words->n, sizeof *sizes, longer_first);
	uint32_t least = sizes[WORDS_MAX - 1];
	while (equal < WORDS_MAX && sizes[WORDS_MAX - 1 - equal] == least)
		equal++;
	for (uint32_t i = 0; i < words->n; i++) {
		uint32_t size = size_of(&words->list[i]);
		if (size > least || (size == least && equal && equal--))
			words->list[n++] = words->list[i];
	}
	words->n = n;
	free(sizes);
}

/* All words of V, the WORDS_MAX longest when there are more. */
static void find_words(const struct view *v, struct coded_list *out)
{
	*out = (struct coded_list){ 0 };
	for (uint32_t i = 0; i < v->tc->n_files && (!v->spans || v->records); i++) {
		const struct testcase_file *f = &v->tc->files[i];
		if (!S_ISLNK(f->mode))
			coded_find(v->tc->bytes, f->begin, f->end, out);
	}
	keep_longest(out);
}

/* What WORD says as a test case of its own, with records; NULL when its tokenizer gives up. */
static struct view *view_within(const struct view *v, const struct coded *word)
{
	uint8_t *bytes = mem_alloc(word->size + (size_t)1);
	coded_read(word, v->tc->bytes, bytes);
	bytes[word->size] = 0;
	struct testcase *tc = testcase_new("word", 0644, bytes, word->size);
	struct view *w = view_new(tc, view_tokenizer_at(v, word->begin));
	struct records *records = records_find(bytes, word->size);
	struct err err = { 0 };
	if (records) {
		records->proven = !records->is_text;
		view_use_records(w, records);
		records_unref(records);
	}
	testcase_unref(tc);
	view_need_lines(w);
	if (view_need_tree(w, &err) == 0)
		return w;
	view_unref(w);
	return NULL;
}

static uint32_t levels_of(const struct strategy *s, const struct view *v)
{
	return s->levels ? s->levels(v) : 1;
}

static uint32_t levels_within(const struct view *v, const struct coded *word)
{
	struct view *w = view_within(v, word);
	uint32_t n = 0;
	for (uint32_t k = 0; w && k < N_INNER; k++)
		n += levels_of(inner[k], w);
	view_unref(w);
	return n;
}

static uint32_t coded_levels(const struct view *v)
{
	struct coded_list words;
	uint32_t n = 0;
	find_words(v, &words);
	for (uint32_t i = 0; i < words.n; i++)
		n += levels_within(v, &words.list[i]);
	coded_release(&words);
	return n;
}

static void open_word(struct places *p, const struct coded *word, struct view *w, uint32_t level,
                      const struct strategy_options *options)
{
	uint32_t k = 0;
	for (uint32_t n; level >= (n = levels_of(inner[k], w)); k++)
		level -= n;
	struct coded *kept = arena_alloc(&p->arena, sizeof *kept);
	*kept = *word;
	places_within(p, kept, w);
	if (w->records && w->records->proven)
		places_repair(p, repair_ref(w->records->repair));
	inner[k]->open(p, level, options);
}

static void coded_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	struct coded_list words;
	find_words(p->view, &words);
	for (uint32_t i = 0; i < words.n; i++) {
		uint32_t n = levels_within(p->view, &words.list[i]);
		if (level >= n) {
			level -= n;
			continue;
		}
		if (words.list[i].begin >= p->floor)
			open_word(p, &words.list[i], view_within(p->view, &words.list[i]), level,
			          options);
		break;
	}
	coded_release(&words);
}

const struct strategy strategy_coded = {
	.shape = STRATEGY_LIST,
	.levels = coded_levels,
	.open = coded_open,
};
