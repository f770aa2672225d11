#include "edits/phrases.h"

enum { CANDIDATES = 1024 };

struct suffixes {
	const uint8_t *bytes;
	uint32_t size;
	uint32_t *at; /* offsets, sorted by what begins there */
	uint32_t
		*common; /* bytes that the I-th has in common with the one before it; [size] is 0 */
};

/* Is it in no phrase? A text that goes on behind a quote is two of them. */
static bool is_between(uint8_t c)
{
	return c <= ' ' || strchr("\"'`,;", c);
}

static uint32_t common_bytes(const struct suffixes *s, uint32_t a, uint32_t b)
{
	uint32_t n = 0;
	while (n < PHRASE_LONGEST && a + n < s->size && b + n < s->size &&
	       s->bytes[a + n] == s->bytes[b + n] && !is_between(s->bytes[a + n]))
		n++;
	return n;
}

static int by_text(const void *x, const void *y, void *arg)
{
	const struct suffixes *s = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	uint32_t n = common_bytes(s, a, b);
	int p = a + n < s->size ? s->bytes[a + n] : -1, q = b + n < s->size ? s->bytes[b + n] : -1;
	return n < PHRASE_LONGEST && p != q ? (p < q ? -1 : 1) : (a > b) - (a < b);
}

static void sort(struct suffixes *s, struct arena *arena)
{
	s->at = arena_alloc(arena, (s->size + (size_t)1) * sizeof *s->at);
	s->common = arena_alloc(arena, (s->size + (size_t)1) * sizeof *s->common);
	for (uint32_t i = 0; i < s->size; i++)
		s->at[i] = i;
	qsort_r(s->at, s->size, sizeof *s->at, by_text, s);
	s->common[0] = s->common[s->size] = 0;
	for (uint32_t i = 1; i < s->size; i++)
		s->common[i] = common_bytes(s, s->at[i - 1], s->at[i]);
}

/* Suffixes [lo, hi) that begin with the same LEN bytes. */
struct interval {
	uint32_t len, lo, hi;
};

static uint64_t worth(const struct interval *i)
{
	return (uint64_t)(i->len - 1) * (i->hi - i->lo);
}

static int by_worth(const void *x, const void *y)
{
	const struct interval *a = x, *b = y;
	if (worth(a) != worth(b))
		return worth(a) > worth(b) ? -1 : 1;
	return MEM_ORDER_TWO(a, b, lo, len);
}

/* Does the same byte stand in front of all? Then a longer phrase has them all. */
static bool is_end_of_longer(const struct suffixes *s, const struct interval *v)
{
	for (uint32_t i = v->lo; i < v->hi; i++) {
		uint32_t at = s->at[i], first = s->at[v->lo];
		if (!at || !first || is_between(s->bytes[at - 1]) ||
		    s->bytes[at - 1] != s->bytes[first - 1])
			return false;
	}
	return true;
}

/* All intervals of two bytes or more, each once; how many there are. */
static uint32_t find_intervals(const struct suffixes *s, struct interval *list, struct arena *arena)
{
	struct interval *stack = arena_alloc(arena, (PHRASE_LONGEST + 2) * sizeof *stack);
	uint32_t depth = 0, n = 0;
	for (uint32_t i = 1; i <= s->size; i++) {
		uint32_t lo = i - 1;
		while (depth && stack[depth - 1].len > s->common[i]) {
			struct interval v = stack[--depth];
			v.hi = i;
			lo = v.lo;
			if (v.len > 1 && i - v.lo <= PHRASE_USES && !is_end_of_longer(s, &v))
				list[n++] = v;
		}
		if (s->common[i] && (!depth || stack[depth - 1].len < s->common[i]))
			stack[depth++] = (struct interval){ .len = s->common[i], .lo = lo };
	}
	return n;
}

/* Where it is that nothing of TAKEN is; fewer than two: nowhere. */
static struct phrase phrase_of(const struct suffixes *s, const struct interval *v,
                               const uint8_t *taken, struct arena *arena)
{
	struct phrase p = { .len = v->len };
	uint32_t n = v->hi - v->lo, end = 0;
	p.at = arena_copy(arena, s->at + v->lo, n * sizeof *p.at);
	qsort(p.at, n, sizeof *p.at, mem_order_u32);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = p.at[i];
		if (at < end || memchr(taken + at, 1, p.len))
			continue;
		p.at[p.n++] = at;
		end = at + p.len;
	}
	return p;
}

void phrases_find(struct phrases *phrases, const uint8_t *bytes, uint32_t size, uint32_t most,
                  bool (*fits)(const uint8_t *bytes, const struct phrase *phrase),
                  struct arena *arena)
{
	struct suffixes s = { .bytes = bytes, .size = size };
	*phrases = (struct phrases){ 0 };
	if (!size || size > PHRASES_SIZE)
		return;
	sort(&s, arena);
	struct interval *list = arena_alloc(arena, (size + (size_t)1) * sizeof *list);
	uint32_t n = find_intervals(&s, list, arena);
	qsort(list, n, sizeof *list, by_worth);
	uint8_t *taken = arena_zero(arena, size);
	phrases->list = arena_alloc(arena, (most + (size_t)1) * sizeof *phrases->list);
	for (uint32_t i = 0; i < n && i < CANDIDATES && phrases->n < most; i++) {
		struct phrase p = phrase_of(&s, &list[i], taken, arena);
		if (p.n < 2 || !fits(bytes, &p))
			continue;
		for (uint32_t k = 0; k < p.n; k++)
			memset(taken + p.at[k], 1, p.len);
		phrases->list[phrases->n++] = p;
	}
}
