#include "search/simplify_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "search/simplify.h"

enum { MAX_DIGITS = 20 };

struct place {
	uint32_t begin, end;
	uint64_t value;
};

/* What a search shares with its clones. */
struct numbers {
	unsigned refs;
	struct view *view;
	uint32_t n;
	struct place *places;
};

struct simplify_search {
	struct search s;
	struct numbers *numbers;
	struct simplify *machine;
	struct arena accepted_text; /* bytes that s.accepted inserts */
	bool open;
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
		struct place p = { .begin = v->tokens.list[t].begin, .end = view_token_end(v, t) };
		if (v->tokens.list[t].kind != TOKEN_NUMBER ||
		    !parse_decimal(v->tc->bytes + p.begin, p.end - p.begin, &p.value))
			continue;
		MEM_GROW(numbers->places, numbers->n, cap);
		numbers->places[numbers->n++] = p;
	}
	return numbers;
}

static void numbers_unref(struct numbers *numbers)
{
	if (--numbers->refs)
		return;
	view_unref(numbers->view);
	free(numbers->places);
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

/* The edit that writes LIST in the numbers' places; its bytes are in ARENA too. */
static struct edit list_edit(const struct numbers *numbers, struct simplify_list list,
                             struct arena *arena)
{
	struct edit_part *parts = arena_alloc(arena, (numbers->n + (size_t)1) * sizeof *parts);
	uint32_t n = 0;
	for (uint32_t i = 0; i < numbers->n; i++) {
		const struct place *p = &numbers->places[i];
		if (list.values[i] == p->value)
			continue;
		uint8_t *text = arena_alloc(arena, MAX_DIGITS);
		uint32_t len = print_decimal(list.values[i], text);
		parts[n++] = (struct edit_part){ p->begin, p->end, len, text };
	}
	return (struct edit){ n, parts };
}

static bool values_next(struct search *s, struct arena *arena, struct question *q)
{
	struct simplify_search *v = (struct simplify_search *)s;
	struct simplify_list list;
	bool last_answer;
	if (v->open || s->done || !simplify_next(v->machine, &list))
		return false;
	v->open = true;
	q->id = s->n_rounds;
	q->chance = simplify_first_probe(v->machine, &last_answer) && last_answer ? 75 : 25;
	q->edit = list_edit(v->numbers, list, arena);
	return true;
}

static void accept_best(struct simplify_search *v)
{
	struct arena text = { 0 };
	search_accept(&v->s, list_edit(v->numbers, simplify_best(v->machine), &text));
	arena_release(&v->accepted_text);
	v->accepted_text = text;
}

static void values_tell(struct search *s, uint32_t id, bool interesting)
{
	struct simplify_search *v = (struct simplify_search *)s;
	struct simplify_list list;
	if (!v->open || id != s->n_rounds)
		bug("verdict on a question that was not asked");
	v->open = false;
	simplify_tell(v->machine, interesting);
	if (interesting)
		accept_best(v);
	s->n_rounds++;
	s->done = !simplify_next(v->machine, &list);
}

static struct search *values_clone(const struct search *s)
{
	const struct simplify_search *from = (const struct simplify_search *)s;
	struct simplify_search *v = mem_dup(from, sizeof *from);
	v->numbers->refs++;
	v->machine = simplify_clone(from->machine);
	v->accepted_text = (struct arena){ 0 };
	struct edit accepted = list_edit(v->numbers, simplify_best(v->machine), &v->accepted_text);
	v->s.accepted = edit_keep(accepted);
	return &v->s;
}

static void values_free(struct search *s)
{
	struct simplify_search *v = (struct simplify_search *)s;
	edit_drop(s->accepted);
	simplify_free(v->machine);
	arena_release(&v->accepted_text);
	numbers_unref(v->numbers);
	free(v);
}

struct search *simplify_search_new(struct view *view)
{
	static const struct search_ops ops = { values_next, values_tell, values_clone,
		                               values_free };
	struct simplify_search *v = mem_zero(1, sizeof *v);
	struct simplify_list list;
	v->s.ops = &ops;
	v->numbers = numbers_new(view);
	uint64_t *values = mem_alloc(v->numbers->n * sizeof *values);
	for (uint32_t i = 0; i < v->numbers->n; i++)
		values[i] = v->numbers->places[i].value;
	v->machine = simplify_new(values, v->numbers->n, true);
	free(values);
	v->s.done = !simplify_next(v->machine, &list);
	return &v->s;
}
