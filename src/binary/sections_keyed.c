/* Numbers behind one word, each in front of the rows that it counts. */
#include <stdlib.h>

#include "base/mem.h"
#include "binary/sections_impl.h"

enum {
	SKIPS = 2,   /* rows from a number to what it counts */
	FEW = 6,     /* so few rows are alike again and again in any text */
	SAID = 32,   /* numbers before one that may have said the same */
	LOOKS = 256, /* at each row, for all words */
	ENOUGH = 4,  /* bits that must speak for numbers; more when there are many words */
};

static int by_key(const void *a, const void *b)
{
	const struct count *x = *(struct count *const *)a, *y = *(struct count *const *)b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Does HEAD begin none of the rows [row, end)? With ONLY: all of them. */
static bool none_begin(const struct sections *s, uint32_t row, uint32_t end, uint64_t head,
                       bool only)
{
	for (; row < end; row++)
		if ((s->rows[row].head == head) != only)
			return false;
	return true;
}

/* Where what C counts ends, if rows from SKIP on are that; 0: it does not. NEXT: the row of the
 * next such number. STOP: what may stand there when rows look different. */
static uint32_t section_end(const struct sections *s, const struct count *c, uint32_t skip,
                            uint32_t next, uint64_t *stop)
{
	uint64_t begin = (uint64_t)c->row + skip, end = begin + c->value;
	if (end > next || begin > s->n_rows)
		return 0;
	uint32_t to = (uint32_t)end, from = (uint32_t)begin;
	if (to == s->n_rows || to == next)
		return to;
	uint64_t head = s->rows[to].head;
	if (!*stop)
		*stop = head;
	bool same = from < to && none_begin(s, from, to, s->rows[from].head, true) &&
	            s->rows[from].head != head;
	return same || (head && head == *stop && none_begin(s, from, to, head, false)) ? to : 0;
}

/* Did one of the numbers before the I-th of LIST say that the same few rows follow? */
static bool said(struct count **list, uint32_t i)
{
	if (list[i]->value >= FEW)
		return false;
	for (uint32_t k = i > SAID ? i - SAID : 0; k < i; k++)
		if (list[k]->value == list[i]->value)
			return true;
	return false;
}

/* What speaks for it that all N numbers of LIST count the rows from SKIP on. Text repeats itself:
 * that one number is in front of the same few rows again and again speaks for it once, unless the
 * next such number follows at once. */
static double judge_key(const struct sections *s, struct count **list, uint32_t n, uint32_t skip,
                        uint64_t *spent)
{
	double bits = -sections_bits(skip);
	uint64_t stop = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = i + 1 < n ? list[i + 1]->row : s->n_rows;
		*spent += list[i]->value < s->n_rows ? list[i]->value : 1;
		uint32_t end = list[i]->taken ? 0 : section_end(s, list[i], skip, next, &stop);
		if (!end)
			return 0;
		if (end == next || !said(list, i))
			bits += sections_bits((double)list[i]->value + 1);
	}
	return n == 1 && list[0]->row + skip < s->n_rows &&
	                       !none_begin(s, list[0]->row + skip,
	                                   list[0]->row + skip + (uint32_t)list[0]->value,
	                                   s->rows[list[0]->row + skip].head, true)
	               ? 0
	               : bits;
}

/* Words behind which stands what may be a count: each of them may seem to be one by chance. */
static uint32_t count_keys(const struct sections *s, struct count **list)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n_counts; i++)
		n += list[i]->value < s->n_rows && (!i || list[i]->key != list[i - 1]->key);
	return n;
}

void sections_find_keyed(struct sections *s)
{
	struct count **list = mem_alloc((s->n_counts + (size_t)1) * sizeof *list);
	for (uint32_t i = 0; i < s->n_counts; i++)
		list[i] = &s->counts[i];
	if (s->n_counts)
		qsort(list, s->n_counts, sizeof(*list), by_key);
	uint64_t spent = 0;
	double enough = ENOUGH, chance = sections_bits(count_keys(s, list));
	enough = chance > enough ? chance : enough;
	for (uint32_t i = 0, end; i < s->n_counts && spent <= (uint64_t)LOOKS * s->n_rows;
	     i = end) {
		uint32_t skip = 1;
		for (end = i + 1; end < s->n_counts && list[end]->key == list[i]->key;)
			end++;
		while (skip <= SKIPS && judge_key(s, list + i, end - i, skip, &spent) < enough)
			skip++;
		for (uint32_t k = i; k < end && skip <= SKIPS; k++)
			sections_take_rows(s, list[k], list[k]->row + skip);
	}
	free(list);
}
