#include "text/diff.h"

#include <ctype.h>

#include "base/hash.h"
#include "base/mem.h"

/* The words of a text; word i is [at[i], at[i + 1]). */
struct words {
	const uint8_t *bytes;
	uint32_t n;
	uint32_t *at;
	uint64_t *hash;
};

bool diff_in_word(uint8_t c)
{
	return isalnum(c) || c == '_' || c >= 0x80;
}

static struct words split(const uint8_t *bytes, uint32_t begin, uint32_t end)
{
	struct words w = { .bytes = bytes };
	w.at = mem_alloc((end - begin + (size_t)1) * sizeof *w.at);
	w.hash = mem_alloc((end - begin) * sizeof *w.hash);
	uint32_t at = begin;
	for (; at < end; w.n++) {
		uint32_t to = at + 1;
		while (diff_in_word(bytes[at]) && to < end && diff_in_word(bytes[to]))
			to++;
		w.at[w.n] = at;
		w.hash[w.n] = hash_bytes(bytes + at, to - at, 0).lo;
		at = to;
	}
	w.at[w.n] = end;
	return w;
}

static void words_release(struct words *w)
{
	free(w->at);
	free(w->hash);
}

/* For each number of differences d, how far each diagonal k (words of A minus words of B, -d to d)
 * came in A. */
struct trace {
	uint32_t n;                 /* differences in all */
	int32_t *row[DIFF_MAX + 1]; /* row[d] has 2 d + 1 values, that of diagonal k at [k + d] */
};

static bool goes_down(const int32_t *before, int32_t d, int32_t k)
{
	/* Row d - 1 has the diagonals -(d - 1) to d - 1; that of k at [k + d - 1]. */
	return k == -d || (k != d && before[k - 1 + d - 1] < before[k + 1 + d - 1]);
}

static bool walk(const struct words *a, const struct words *b, struct trace *t)
{
	int32_t na = (int32_t)a->n, nb = (int32_t)b->n;
	for (int32_t d = 0; d <= DIFF_MAX; d++) {
		const int32_t *before = d ? t->row[d - 1] : NULL;
		int32_t *row = t->row[d] = mem_zero(2 * (size_t)d + 1, sizeof *row);
		t->n = (uint32_t)d;
		for (int32_t k = -d; k <= d; k += 2) {
			int32_t x = !d                        ? 0
			            : goes_down(before, d, k) ? before[k + 1 + d - 1]
			                                      : before[k - 1 + d - 1] + 1;
			while (x < na && x - k < nb && x - k >= 0 && a->hash[x] == b->hash[x - k])
				x++;
			row[k + d] = x;
			if (x >= na && x - k >= nb)
				return true;
		}
	}
	return false;
}

static void add_part(struct edit_part *parts, uint32_t *n, struct edit_part part)
{
	if (part.begin != part.end || part.len)
		parts[(*n)++] = part;
}

/* Goes back through the trace: each run of equal words leaves a gap before it, which is a part.
 * From the end. */
static struct edit parts_of(struct arena *arena, const struct words *a, const struct words *b,
                            const struct trace *t)
{
	struct edit_part *parts = arena_alloc(arena, (t->n + (size_t)2) * sizeof *parts);
	uint32_t n = 0;
	int32_t x = (int32_t)a->n, y = (int32_t)b->n, to_x = x, to_y = y;
	for (int32_t d = (int32_t)t->n; d >= 0; d--) {
		int32_t k = x - y, from_x = 0, from_y = 0;
		if (d) {
			const int32_t *before = t->row[d - 1];
			bool down = goes_down(before, d, k);
			int32_t was = down ? k + 1 : k - 1;
			from_x = before[was + d - 1];
			from_y = from_x - was;
			int32_t equal = down ? x - from_x : x - from_x - 1;
			if (equal) { /* words x - equal to x are equal: what lies behind them is a
				        part */
				add_part(parts, &n,
				         (struct edit_part){ a->at[x], a->at[to_x],
				                             b->at[to_y] - b->at[y],
				                             b->bytes + b->at[y] });
				to_x = x - equal;
				to_y = y - equal;
			}
		} else if (x) {
			add_part(parts, &n,
			         (struct edit_part){ a->at[x], a->at[to_x], b->at[to_y] - b->at[y],
			                             b->bytes + b->at[y] });
			to_x = to_y = 0;
		}
		x = from_x;
		y = from_y;
	}
	add_part(parts, &n,
	         (struct edit_part){ a->at[0], a->at[to_x], b->at[to_y] - b->at[0],
	                             b->bytes + b->at[0] });
	for (uint32_t i = 0; i < n / 2; i++) {
		struct edit_part swap = parts[i];
		parts[i] = parts[n - 1 - i];
		parts[n - 1 - i] = swap;
	}
	return (struct edit){ n, parts };
}

enum { BLOCK = 256 }; /* bytes that are compared at once */

uint32_t diff_common(const uint8_t *a, const uint8_t *b, uint32_t most)
{
	uint32_t n = 0;
	while (most - n >= BLOCK && !memcmp(a + n, b + n, BLOCK))
		n += BLOCK;
	while (n < most && a[n] == b[n])
		n++;
	return n;
}

uint32_t diff_common_end(const uint8_t *a, const uint8_t *b, uint32_t most)
{
	uint32_t n = 0;
	while (most - n >= BLOCK && !memcmp(a - n - BLOCK, b - n - BLOCK, BLOCK))
		n += BLOCK;
	while (n < most && a[-1 - (int64_t)n] == b[-1 - (int64_t)n])
		n++;
	return n;
}

/* Moves the ends of two ranges inwards over what is equal, but not into a word. */
static void trim(const uint8_t *a, uint32_t *a_end, const uint8_t *b, uint32_t *b_end,
                 uint32_t *begin)
{
	uint32_t size = *a_end, least = size < *b_end ? size : *b_end;
	*begin = diff_common(a, b, least);
	uint32_t same = diff_common_end(a + size, b + *b_end, least - *begin);
	*a_end -= same;
	*b_end -= same;
	while (*begin && diff_in_word(a[*begin - 1]))
		--*begin;
	for (; *a_end < size && diff_in_word(a[*a_end]); ++*a_end)
		++*b_end;
}

struct edit diff_edit(struct arena *arena, const struct testcase *base, const uint8_t *new,
                      uint32_t len)
{
	uint32_t begin = 0, end = base->size, new_end = len;
	trim(base->bytes, &end, new, &new_end, &begin);
	if (begin == end && begin == new_end)
		return EDIT_NONE;
	uint8_t *copy = arena_copy(arena, new, new_end);
	SCOPED(words_release)
	struct words a = split(base->bytes, begin, end), b = split(copy, begin, new_end);
	struct trace t = { 0 };
	struct edit edit;
	if (walk(&a, &b, &t))
		edit = parts_of(arena, &a, &b, &t);
	else
		edit = edit_replace(arena, begin, end, copy + begin, new_end - begin);
	for (uint32_t d = 0; d <= t.n; d++)
		free(t.row[d]);
	return edit;
}
