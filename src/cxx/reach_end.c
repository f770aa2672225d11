#include "cxx/reach_end.h"

#include "base/mem.h"
#include "cxx/reach_ask.h"

struct reach_end {
	struct reach_ask a;
	uint32_t lo, hi; /* the first LO items are too few; with the first HI it works */
	uint32_t at;     /* how many the open question keeps */
};

static void ask_about(struct reach_end *s, uint32_t n)
{
	s->at = n;
	memset(s->a.tried, 1, n);
	memset(s->a.tried + n, 0, s->a.r->n - n);
}

/* How many items begin before offset AT; FROM at least, TO at most. */
static uint32_t items_before(const struct reach *r, uint32_t from, uint32_t to, uint32_t at)
{
	while (from < to && r->items[from].begin < at)
		from++;
	return from;
}

/* Is item I a member, or within one, as its body is? */
static bool is_in_member(const struct reach *r, uint32_t i)
{
	while (i != REACH_NONE && !reach_is_member(r, i))
		i = r->items[i].parent;
	return i != REACH_NONE;
}

/* Where a beginning may end that has FROM items or about as many, more than LO and fewer than HI:
 * not in the midst of a type, whose other members need what would go. 0: nowhere. */
static uint32_t place(const struct reach_end *s, uint32_t from)
{
	for (uint32_t n = from; n < s->hi; n++)
		if (!is_in_member(s->a.r, n))
			return n;
	for (uint32_t n = from; n > s->lo + 1; n--)
		if (!is_in_member(s->a.r, n - 1))
			return n - 1;
	return 0;
}

static void choose(struct reach_end *s)
{
	const struct reach_item *items = s->a.r->items;
	uint32_t at = 0;
	if (!s->a.s.done && s->hi - s->lo > 1) {
		uint32_t begin = items[s->lo].begin, end = items[s->hi].begin;
		at = place(s,
		           items_before(s->a.r, s->lo + 1, s->hi - 1, begin + (end - begin) / 2));
	}
	s->a.s.done |= !at;
	if (at)
		ask_about(s, at);
}

static void reach_end_tell(struct search *search, uint32_t id, bool interesting)
{
	struct reach_end *s = (struct reach_end *)search;
	search->done |= !interesting && s->hi == s->a.r->n; /* the tail matters */
	*(interesting ? &s->hi : &s->lo) = s->at;
	reach_ask_told(&s->a, id, interesting);
	choose(s);
}

static struct search *reach_end_clone(const struct search *search)
{
	struct reach_end *s = mem_dup(search, sizeof *s);
	reach_ask_own(&s->a);
	return &s->a.s;
}

static void reach_end_free(struct search *search)
{
	reach_ask_release(&((struct reach_end *)search)->a);
	free(search);
}

struct search *reach_end_new(struct view *view)
{
	static const struct search_ops ops = { reach_ask_next, reach_end_tell, reach_end_clone,
		                               reach_end_free };
	struct reach_end *s = mem_zero(1, sizeof *s);
	uint32_t size = view->tc->size;
	reach_ask_begin(&s->a, &ops, reach_new(view, reach_tail(size, 0), true));
	s->hi = s->a.r->n;
	uint32_t tail = reach_own(s->a.r, REACH_OWN_LEAST);
	ask_about(s, place(s, items_before(s->a.r, 0, s->hi, tail)));
	s->a.s.done |= s->at < 2;
	return &s->a.s;
}
