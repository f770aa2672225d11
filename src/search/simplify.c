#include "search/simplify.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "search/integers.h"
#include "search/seen.h"

enum { MAX_DIGITS = 20 };

enum course { CAPS, SHARED, EACH, N_COURSES };

struct place {
	uint32_t begin, end;
	uint64_t value;
};

/* What a search shares with its clones. */
struct numbers {
	unsigned refs;
	struct view *view;
	uint32_t n;
	struct place *list;
};

/* Where a course stands. */
struct cursor {
	enum course course;
	uint32_t at, end;              /* element; SHARED: entries of `order` */
	struct integer_search integer; /* of a value; CAPS: of a rank */
};

struct simplify_search {
	struct search s;
	struct numbers *numbers;
	uint64_t *values, *candidate; /* the best list so far; the one that is asked about */
	/* As the course began: the distinct values from the smallest; the elements by value, equal
	 * ones by place. */
	uint32_t n_ranks, *order;
	uint64_t *ranks;
	struct cursor cursor;
	bool asked, round_won;
	bool first_answer;          /* to the last first question about a value */
	struct seen seen;           /* lists asked about */
	struct arena accepted_text; /* bytes that s.accepted inserts */
};

static bool parse_decimal(const uint8_t *text, uint32_t len, uint64_t *value)
{
	if (!len || len > MAX_DIGITS || (len > 1 && text[0] == '0'))
		return false;
	*value = 0;
	for (uint32_t i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9' ||
		    __builtin_mul_overflow(*value, (uint64_t)10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(text[i] - '0'), value))
			return false;
	return true;
}

static struct numbers *numbers_new(struct view *v)
{
	struct numbers *numbers = mem_zero(1, sizeof *numbers);
	numbers->refs = 1;
	numbers->view = view_ref(v);
	uint32_t cap = 0;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		struct place p = { .begin = view_token_begin(v, t), .end = view_token_end(v, t) };
		if (v->tokens.list[t].kind != TOKEN_NUMBER ||
		    !parse_decimal(v->tc->bytes + p.begin, p.end - p.begin, &p.value))
			continue;
		MEM_PUSH(numbers->list, numbers->n, cap, p);
	}
	return numbers;
}

static void numbers_unref(struct numbers *numbers)
{
	if (--numbers->refs)
		return;
	view_unref(numbers->view);
	free(numbers->list);
	free(numbers);
}

static uint32_t print_decimal(uint64_t value, uint8_t *text)
{
	uint8_t digits[MAX_DIGITS];
	uint32_t n = 0;
	do
		digits[n++] = (uint8_t)('0' + value % 10);
	while (value /= 10);
	for (uint32_t i = 0; i < n; i++)
		text[i] = digits[n - 1 - i];
	return n;
}

/* The edit that writes VALUES in the numbers' places; its bytes are in ARENA too. */
static struct edit list_edit(const struct numbers *numbers, const uint64_t *values,
                             struct arena *arena)
{
	struct edit_part *parts = arena_alloc(arena, (numbers->n + (size_t)1) * sizeof *parts);
	uint32_t n = 0;
	for (uint32_t i = 0; i < numbers->n; i++) {
		const struct place *p = &numbers->list[i];
		if (values[i] == p->value)
			continue;
		uint8_t *text = arena_alloc(arena, MAX_DIGITS);
		uint32_t len = print_decimal(values[i], text);
		parts[n++] = (struct edit_part){ p->begin, p->end, len, text };
	}
	return (struct edit){ n, parts };
}

/* ---- courses ---- */

static int by_value(const void *a, const void *b, void *arg)
{
	const uint64_t *values = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	if (values[i] != values[j])
		return values[i] < values[j] ? -1 : 1;
	return i < j ? -1 : i > j;
}

static void sort(struct simplify_search *v)
{
	for (uint32_t i = 0; i < v->numbers->n; i++)
		v->order[i] = i;
	qsort_r(v->order, v->numbers->n, sizeof *v->order, by_value, v->values);
	v->n_ranks = 0;
	for (uint32_t i = 0; i < v->numbers->n; i++)
		if (!i || v->values[v->order[i]] != v->ranks[v->n_ranks - 1])
			v->ranks[v->n_ranks++] = v->values[v->order[i]];
}

static void enter(struct simplify_search *v, enum course course)
{
	v->cursor = (struct cursor){ .course = course, .integer.done = true };
	if (course != EACH)
		sort(v);
	if (course == CAPS && v->n_ranks)
		v->cursor.integer = integer_search_start(v->n_ranks - 1);
}

/* Goes to the next run of at least two equal values in `order`, or to the next value. */
static bool next_value(struct simplify_search *v)
{
	struct cursor *c = &v->cursor;
	uint32_t n = v->numbers->n;
	uint64_t value = 0;
	do {
		c->at = c->end++;
		if (c->at >= n)
			return false;
		value = v->values[c->course == EACH ? c->at : v->order[c->at]];
		while (c->course == SHARED && c->end < n && v->values[v->order[c->end]] == value)
			c->end++;
	} while (c->course == SHARED && c->end == c->at + 1);
	c->integer = integer_search_start(value);
	return true;
}

/* Makes the next candidate; false: the course is through. */
static bool propose(struct simplify_search *v)
{
	struct cursor *c = &v->cursor;
	while (c->integer.done)
		if (c->course == CAPS || !next_value(v))
			return false;
	memcpy(v->candidate, v->values, v->numbers->n * sizeof *v->values);
	uint64_t cap = c->course == CAPS ? v->ranks[c->integer.probe] : UINT64_MAX;
	for (uint32_t i = 0; i < v->numbers->n; i++)
		if (v->candidate[i] > cap)
			v->candidate[i] = cap;
	for (uint32_t i = c->at; c->course != CAPS && i < c->end; i++)
		v->candidate[c->course == EACH ? i : v->order[i]] = c->integer.probe;
	return true;
}

/* A list that was asked about before is not interesting; remembers it. */
static bool seen_before(struct simplify_search *v)
{
	uint32_t n = v->numbers->n;
	return !seen_add(&v->seen, hash_bytes(v->candidate, n * sizeof *v->candidate, n).lo);
}

/* Goes to the next list that has not been asked about. */
static void advance(struct simplify_search *v)
{
	while (!v->s.done) {
		if (propose(v)) {
			if (!seen_before(v))
				return;
			integer_search_tell(&v->cursor.integer, false);
			continue;
		}
		uint32_t next = (v->cursor.course + 1) % N_COURSES;
		v->s.done = !next && !v->round_won;
		v->round_won &= next != 0;
		enter(v, next);
	}
}

/* ---- the search ---- */

/* Is the open question the first about its value? */
static bool is_first(const struct simplify_search *v)
{
	return v->cursor.course != CAPS && !v->cursor.integer.probe;
}

static bool values_next(struct search *s, struct arena *arena, struct question *q)
{
	struct simplify_search *v = (struct simplify_search *)s;
	if (s->done || v->asked)
		return false;
	v->asked = true;
	q->id = s->n_rounds;
	q->chance = is_first(v) && v->first_answer ? 75 : 25;
	q->edit = list_edit(v->numbers, v->candidate, arena);
	return true;
}

static void accept_candidate(struct simplify_search *v)
{
	struct arena text = { 0 };
	uint64_t *old = v->values;
	v->values = v->candidate;
	v->candidate = old;
	search_accept(&v->s, list_edit(v->numbers, v->values, &text));
	arena_release(&v->accepted_text);
	v->accepted_text = text;
}

static void values_tell(struct search *s, uint32_t id, bool interesting)
{
	struct simplify_search *v = (struct simplify_search *)s;
	if (!v->asked || id != s->n_rounds)
		bug("verdict on a question that was not asked");
	if (is_first(v))
		v->first_answer = interesting;
	v->asked = false;
	v->round_won |= interesting;
	if (interesting)
		accept_candidate(v);
	integer_search_tell(&v->cursor.integer, interesting);
	s->n_rounds++;
	advance(v);
}

static struct search *values_clone(const struct search *s)
{
	const struct simplify_search *from = (const struct simplify_search *)s;
	struct simplify_search *v = mem_dup(from, sizeof *from);
	uint32_t n = from->numbers->n;
	v->numbers->refs++;
	v->values = mem_dup(from->values, n * sizeof *v->values);
	v->candidate = mem_dup(from->candidate, n * sizeof *v->candidate);
	v->ranks = mem_dup(from->ranks, n * sizeof *v->ranks);
	v->order = mem_dup(from->order, n * sizeof *v->order);
	seen_copy(&v->seen, &from->seen);
	v->accepted_text = (struct arena){ 0 };
	v->s.accepted = edit_keep(list_edit(v->numbers, v->values, &v->accepted_text));
	return &v->s;
}

static void values_free(struct search *s)
{
	struct simplify_search *v = (struct simplify_search *)s;
	edit_drop(s->accepted);
	free(v->values);
	free(v->candidate);
	free(v->ranks);
	free(v->order);
	seen_release(&v->seen);
	arena_release(&v->accepted_text);
	numbers_unref(v->numbers);
	free(v);
}

struct search *simplify_search_new(struct view *view)
{
	static const struct search_ops ops = { values_next, values_tell, values_clone,
		                               values_free };
	struct simplify_search *v = mem_zero(1, sizeof *v);
	v->s.ops = &ops;
	v->numbers = numbers_new(view);
	uint32_t n = v->numbers->n;
	v->values = mem_zero(n, sizeof *v->values);
	v->candidate = mem_zero(n, sizeof *v->candidate);
	v->ranks = mem_zero(n, sizeof *v->ranks);
	v->order = mem_zero(n, sizeof *v->order);
	for (uint32_t i = 0; i < n; i++)
		v->values[i] = v->numbers->list[i].value;
	enter(v, CAPS);
	advance(v);
	return &v->s;
}
