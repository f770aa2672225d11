/* Numbers of a header that count rows or blocks somewhere below it: as many rows that look the
 * same, in one run, or as many rows that begin with one word. There are many runs and words, and
 * a number that is as large as one of them may be so by chance: the more numbers and the more
 * lengths there are, the larger it has to be. All is found in one walk over the rows.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "binary/sections_impl.h"

enum {
	RUN = 8, /* fewer rows that look the same, or blocks, are as many by chance */
	HEADS = 2 * SECTIONS_HEADERS, /* rows from the top one of which begins the first block */
	WANTED = SECTIONS_HEADERS * SECTIONS_WORDS,
	ENOUGH = 2, /* bits that must speak for a number */
};

/* A number of the header. */
struct wanted {
	struct count *count;
	uint32_t run; /* the row where its run begins; 0: there is none */
};

/* The first rows that begin with a word that no row above them begins with. */
struct head {
	uint64_t head;
	uint32_t row, n; /* in all */
};

struct below {
	uint32_t n_wanted, n_heads;
	uint32_t n_values; /* different ones of the numbers */
	uint32_t n_runs;
	struct wanted wanted[WANTED];
	struct head heads[HEADS];
};

static int by_value(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;
	if (x->count->value != y->count->value)
		return x->count->value < y->count->value ? -1 : 1;
	return x->count->at < y->count->at ? -1 : x->count->at > y->count->at;
}

static int by_head(const void *a, const void *b)
{
	const struct head *x = a, *y = b;
	if (x->head != y->head)
		return x->head < y->head ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void gather(struct sections *s, struct below *b)
{
	for (uint32_t i = 0; i < s->n_counts && s->counts[i].row < SECTIONS_HEADERS; i++) {
		struct count *c = &s->counts[i];
		if (!c->taken && c->value >= RUN && c->value < s->n_rows)
			b->wanted[b->n_wanted++] = (struct wanted){ c, 0 };
	}
	if (b->n_wanted)
		qsort(b->wanted, b->n_wanted, sizeof *b->wanted, by_value);
	for (uint32_t i = 0; i < b->n_wanted; i++)
		b->n_values += !i || b->wanted[i].count->value != b->wanted[i - 1].count->value;
}

/* The rows [begin, end) look the same, and those around them do not. */
static void note_run(struct below *b, uint32_t begin, uint32_t end)
{
	uint32_t lo = 0, hi = b->n_wanted;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (b->wanted[mid].count->value < end - begin)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < b->n_wanted && b->wanted[lo].count->value == end - begin; lo++)
		if (!b->wanted[lo].run && b->wanted[lo].count->row < begin)
			b->wanted[lo].run = begin;
	for (uint32_t i = 0; i < b->n_wanted && begin < SECTIONS_HEADERS; i++) {
		struct count *c = b->wanted[i].count; /* the header looks like what it counts */
		if (c->row >= begin && c->row + 1 + c->value == end)
			b->wanted[i].run = c->row + 1;
	}
}

static void find_runs(const struct sections *s, struct below *b)
{
	for (uint32_t at = 0, end; at < s->n_rows; at = end) {
		for (end = at + 1; end < s->n_rows && s->rows[end].head == s->rows[at].head;)
			end++;
		if (end - at >= RUN)
			note_run(b, at, end);
		b->n_runs += end - at >= RUN;
	}
}

static struct head *find_head(struct below *b, uint64_t head)
{
	struct head key = { .head = head };
	uint32_t lo = 0, hi = b->n_heads;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (by_head(&b->heads[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < b->n_heads && b->heads[lo].head == head ? &b->heads[lo] : NULL;
}

static void count_heads(const struct sections *s, struct below *b)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n_rows && i < HEADS; i++)
		if (s->rows[i].head)
			b->heads[b->n_heads++] = (struct head){ s->rows[i].head, i, 0 };
	if (b->n_heads)
		qsort(b->heads, b->n_heads, sizeof *b->heads, by_head);
	for (uint32_t i = 0; i < b->n_heads; i++)
		if (!n || b->heads[n - 1].head != b->heads[i].head)
			b->heads[n++] = b->heads[i];
	b->n_heads = n;
	for (uint32_t i = 0; i < s->n_rows; i++) {
		struct head *head = s->rows[i].head ? find_head(b, s->rows[i].head) : NULL;
		if (head)
			head->n++;
	}
}

/* The row that begins the first of the blocks that C counts; 0: there are none. */
static uint32_t block_of(const struct below *b, const struct count *c)
{
	uint32_t row = 0;
	for (uint32_t i = 0; i < b->n_heads; i++) {
		const struct head *h = &b->heads[i];
		if (h->n == c->value && h->row > c->row && h->row <= c->row + SECTIONS_HEADERS &&
		    (!row || h->row < row))
			row = h->row;
	}
	return row;
}

/* COUNT counts blocks that begin as ROW does; each ends as those do that another one follows. */
static void take_blocks(struct sections *s, struct count *count, uint32_t row)
{
	uint32_t first = s->n_elements, begin = row, at = row + 1;
	uint64_t last = 0;
	for (; at < s->n_rows; at++) {
		if (s->rows[at].head != s->rows[row].head)
			continue;
		last = !last || last == s->rows[at - 1].head ? s->rows[at - 1].head : 1;
		sections_add_element(s, s->rows[begin].begin, s->rows[at].begin);
		begin = at;
	}
	for (at = begin; at + 1 < s->n_rows && s->rows[at].head != last;)
		at++;
	sections_add_element(s, s->rows[begin].begin, s->rows[at].end);
	sections_take(s, count, first);
}

/* Different lengths that a number may be equal to. */
static uint32_t lengths(const struct below *b)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < b->n_heads; i++) {
		bool known = b->heads[i].n < RUN;
		for (uint32_t k = 0; k < i && !known; k++)
			known = b->heads[k].n == b->heads[i].n;
		n += !known;
	}
	return n;
}

/* Are the rows that the number counts in no list yet? */
static bool all_free(const struct sections *s, uint32_t row, uint64_t n)
{
	for (uint64_t i = row; i < row + n; i++)
		if (s->rows[i].list != ROW_FREE)
			return false;
	return true;
}

static int by_file(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;
	return x->count->at < y->count->at ? -1 : x->count->at > y->count->at;
}

void sections_find_below(struct sections *s)
{
	struct below b = { 0 };
	gather(s, &b);
	if (!b.n_wanted)
		return;
	find_runs(s, &b);
	count_heads(s, &b);
	qsort(b.wanted, b.n_wanted, sizeof *b.wanted, by_file);
	uint32_t n = lengths(&b);
	double values = sections_bits(b.n_values) + ENOUGH;
	for (uint32_t i = 0; i < b.n_wanted; i++) {
		struct wanted *w = &b.wanted[i];
		uint32_t row;
		double chance = values + sections_bits(w->run ? n + b.n_runs : n);
		if (sections_bits((double)w->count->value) < chance)
			continue;
		if (w->run && (sections_listed(s, w->run, w->count->value) ||
		               all_free(s, w->run, w->count->value)))
			sections_take_rows(s, w->count, w->run);
		else if (!w->run && (row = block_of(&b, w->count)))
			take_blocks(s, w->count, row);
	}
}
