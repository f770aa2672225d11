#include "edits/words.h"

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

void words_read(struct words *w, const struct testcase *tc, struct arena *arena)
{
	uint32_t size = tc->size, cap = 0;
	struct word *list = NULL;
	*w = (struct words){ .bytes = tc->bytes };
	for (uint32_t at = 0, end; at < size; at = end) {
		end = at + 1;
		while (is_letter(w->bytes[at]) && end < size &&
		       (is_letter(w->bytes[end]) || (w->bytes[end] >= '0' && w->bytes[end] <= '9')))
			end++;
		if (is_letter(w->bytes[at]))
			MEM_PUSH(list, w->n, cap, (struct word){ at, end });
	}
	w->list = arena_copy(arena, list, w->n * sizeof *list);
	free(list);
	w->order = arena_alloc(arena, (w->n + (size_t)1) * sizeof *w->order);
	for (uint32_t i = 0; i < w->n; i++)
		w->order[i] = i;
	if (w->n)
		qsort_r(w->order, w->n, sizeof *w->order, compare_words, w);
}

bool words_are_equal(const struct words *w, struct word a, struct word b)
{
	return a.end - a.begin == b.end - b.begin &&
	       !memcmp(w->bytes + a.begin, w->bytes + b.begin, a.end - a.begin);
}

uint32_t words_equal(const struct words *w, uint32_t first)
{
	struct word x = w->list[w->order[first]];
	uint32_t last = first + 1;
	while (last < w->n && words_are_equal(w, x, w->list[w->order[last]]))
		last++;
	return last;
}

bool words_has(uint8_t c)
{
	return c == '_' || c == '$' || c >= 0x80 || (c >= '0' && c <= '9') ||
	       ((c | 32) >= 'a' && (c | 32) <= 'z');
}

bool words_would_glue(const struct testcase *tc, uint32_t begin, uint32_t end)
{
	return begin && end < tc->size && words_has(tc->bytes[begin - 1]) &&
	       words_has(tc->bytes[end]);
}

bool words_comment_glues(const struct view *v, uint32_t token)
{
	uint32_t first = token;
	if (token + 1 < v->tokens.n && v->tokens.list[token + 1].kind == TOKEN_COMMENT)
		return false;
	while (first && v->tokens.list[first - 1].kind == TOKEN_COMMENT)
		first--;
	return words_would_glue(v->tc, v->tokens.list[first].begin, view_token_end(v, token));
}
