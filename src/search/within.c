#include "search/within.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/err.h"
#include "binary/layers.h"

enum {
	WORDS_MAX = 32,
	WORDS_WITHIN = 4,
	STRINGS_MAX = 8,
	STRING_LEAST = 12, /* shorter ones are gone through byte by byte */
	QUOTES = 3,        /* at either side: """ of Python */
};

static uint32_t size_of(const struct coded *w)
{
	return w->end - w->begin;
}

static int longer_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x > y ? -1 : x < y;
}

static void keep_longest(struct coded_list *words, uint32_t most)
{
	if (words->n <= most)
		return;
	uint32_t *sizes = mem_alloc(words->n * sizeof *sizes), n = 0, equal = 1;
	for (uint32_t i = 0; i < words->n; i++)
		sizes[i] = size_of(&words->list[i]);
	qsort(sizes, words->n, sizeof *sizes, longer_first);
	uint32_t least = sizes[most - 1];
	while (equal < most && sizes[most - 1 - equal] == least)
		equal++;
	for (uint32_t i = 0; i < words->n; i++) {
		uint32_t size = size_of(&words->list[i]);
		if (size > least || (size == least && equal && equal--))
			words->list[n++] = words->list[i];
	}
	words->n = n;
	free(sizes);
}

void within_words(const struct view *v, uint32_t depth, struct coded_list *out)
{
	*out = (struct coded_list){ 0 };
	for (uint32_t i = 0; i < v->tc->n_files && (!v->spans || v->records); i++) {
		const struct testcase_file *f = &v->tc->files[i];
		if (!S_ISLNK(f->mode))
			coded_find(v->tc->bytes, f->begin, f->end, out);
	}
	keep_longest(out, depth ? WORDS_WITHIN : WORDS_MAX);
}

/* What stands between the quotes of TOKEN, without a prefix of letters. */
static struct coded text_of(const struct view *v, uint32_t token)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t begin = v->tokens.list[token].begin, end = view_token_end(v, token), quotes = 0;
	while (begin < end && (bytes[begin] | 32) >= 'a' && (bytes[begin] | 32) <= 'z')
		begin++;
	while (begin < end && quotes < QUOTES && bytes[begin] == bytes[end - 1]) {
		begin++;
		end -= begin < end;
		quotes++;
	}
	if (!quotes && end - begin > 2) { /* [[ ]], %w( ), ... */
		begin++;
		end--;
	}
	return (struct coded){
		.begin = begin, .end = end, .size = end - begin, .kind = CODED_PLAIN
	};
}

void within_strings(const struct view *v, uint32_t least, struct coded_list *out)
{
	struct coded_list strings = { 0 };
	least = least < STRING_LEAST ? STRING_LEAST : least;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		struct coded w = { 0 };
		if (v->tokens.list[t].kind == TOKEN_STRING)
			w = text_of(v, t);
		if (size_of(&w) < least)
			continue;
		MEM_GROW(strings.list, strings.n, strings.cap);
		strings.list[strings.n++] = w;
	}
	keep_longest(&strings, STRINGS_MAX);
	for (uint32_t i = 0; i < strings.n; i++) {
		MEM_GROW(out->list, out->n, out->cap);
		out->list[out->n++] = strings.list[i];
	}
	coded_release(&strings);
}

struct view *within_view(const struct view *v, const struct coded *word)
{
	uint8_t *bytes = mem_alloc(word->size + (size_t)1);
	coded_read(word, v->tc->bytes, bytes);
	bytes[word->size] = 0;
	struct testcase *tc = testcase_new("word", 0644, bytes, word->size);
	struct view *w = view_new(tc, view_tokenizer_at(v, word->begin));
	struct records *records = layers_records(NULL, bytes, word->size);
	struct err err = { 0 };
	if (records) {
		/* lines that seem to be counted may not be; layers that are open are */
		records->proven = !records->is_text || !testcase_utf8(bytes, word->size);
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
