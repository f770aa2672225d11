#include "edits/words.h"

bool range_same(const uint8_t *bytes, struct range a, struct range b)
{
	return a.end - a.begin == b.end - b.begin &&
	       !memcmp(bytes + a.begin, bytes + b.begin, a.end - a.begin);
}

int range_order(const void *a, const void *b, void *bytes)
{
	const struct range *x = a, *y = b;
	uint32_t n = x->end - x->begin, m = y->end - y->begin;
	if (n != m)
		return n < m ? -1 : 1;
	int d = memcmp((uint8_t *)bytes + x->begin, (uint8_t *)bytes + y->begin, n);
	return d ? d : MEM_ORDER(x, y, begin);
}

struct edit_part range_become(const uint8_t *bytes, struct range place, struct range value)
{
	return (struct edit_part){ place.begin, place.end, value.end - value.begin,
		                   bytes + value.begin };
}

static bool is_letter(uint8_t c)
{
	return c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int compare_words(const void *a, const void *b, void *arg)
{
	const struct words *w = arg;
	return range_order(&w->list[*(const uint32_t *)a], &w->list[*(const uint32_t *)b],
	                   w->bytes);
}

void words_read(struct words *w, const struct testcase *tc, struct arena *arena)
{
	uint32_t size = tc->size, cap = 0;
	struct range *list = NULL;
	*w = (struct words){ .bytes = tc->bytes };
	for (uint32_t at = 0, end; at < size; at = end) {
		end = at + 1;
		while (is_letter(w->bytes[at]) && end < size &&
		       (is_letter(w->bytes[end]) || (w->bytes[end] >= '0' && w->bytes[end] <= '9')))
			end++;
		if (is_letter(w->bytes[at]))
			MEM_PUSH(list, w->n, cap, (struct range){ at, end });
	}
	w->list = arena_copy(arena, list, w->n * sizeof *list);
	free(list);
	w->order = arena_alloc(arena, (w->n + (size_t)1) * sizeof *w->order);
	for (uint32_t i = 0; i < w->n; i++)
		w->order[i] = i;
	if (w->n)
		qsort_r(w->order, w->n, sizeof *w->order, compare_words, w);
}

uint32_t words_equal(const struct words *w, uint32_t first)
{
	struct range x = w->list[w->order[first]];
	uint32_t last = first + 1;
	while (last < w->n && range_same(w->bytes, x, w->list[w->order[last]]))
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
	return words_would_glue(v->tc, view_token_begin(v, first), view_token_end(v, token));
}
