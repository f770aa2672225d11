#include "cxx/reach_search.h"

#include "base/mem.h"
#include "cxx/reach_ask.h"
#include "cxx/reach_live.h"

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

static void choose_end(struct reach_end *s)
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
	choose_end(s);
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

enum {
	WIDER = 4, /* each probe into the row is so many times as long as the one before */
	FINE = 64, /* what makes a smaller difference than one part in so many of what is left is
	              not looked for */
	QUESTIONS = 24, /* within so many questions ... */
	PAYS = 16,      /* ... more than one part in so many must go */
};

struct row_entry {
	uint32_t item;
	uint8_t rank;
};

enum row_of {
	ROW_NONE,
	ROW_OF_ALL,
	ROW_OF_TAIL,        /* what stands at the end */
	ROW_OF_DEFINITIONS, /* bodies of functions and of members defined outside of their class;
	                       all else stays */
};

struct reach_search {
	struct reach_ask a;
	uint32_t tail; /* offset: what begins there is a root */
	uint8_t *roots;
	int below, enough; /* levels: too little, if not -1; it works, or nothing was asked */
	int level;         /* the open question's; with a row the one on which it builds */
	enum reach_depth depth;
	unsigned bodies;    /* REACH_WITH_BODIES: without them only the whole works; else 0 */
	enum row_of row_of; /* none: levels are asked for */
	bool had_tail;
	uint32_t n_row;
	struct row_entry *row;
	uint32_t lo, hi; /* so many of the row are too few; with so many it works */
	uint32_t at;     /* the open question's */
};

static bool is_definition(const struct reach_search *s, uint32_t i)
{
	const struct reach_item *item = &s->a.r->items[i];
	return item->kind == REACH_BODY || (item->out_of_line && !item->data);
}

/* What an item of the row is as a root. */
static uint8_t root_of_row(const struct reach_search *s)
{
	return s->row_of == ROW_OF_ALL ? REACH_ROOT_NAMES : 1;
}

/* What the roots and the first N of the row reach. */
static void stays_with(const struct reach_search *s, uint32_t n, uint8_t *stays)
{
	MEM_SCOPED uint8_t *roots = mem_dup(s->roots, s->a.r->n + (size_t)1);
	for (uint32_t i = 0; i < s->a.r->n && s->row_of == ROW_OF_DEFINITIONS; i++)
		roots[i] |= !is_definition(s, i);
	for (uint32_t i = 0; i < n; i++)
		roots[s->row[i].item] = root_of_row(s);
	reach_live(s->a.r, s->a.left, roots, (unsigned)s->level | s->bodies, stays);
}

static int row_order(const void *a, const void *b)
{
	const struct row_entry *x = a, *y = b;
	return x->rank != y->rank ? MEM_ORDER(x, y, rank) : MEM_ORDER(y, x, item);
}

/* Members of types that stay come before what nothing reaches. */
static uint8_t rank(const struct reach *r, const uint8_t *stays, uint32_t i)
{
	uint32_t parent = r->items[i].parent;
	bool near = parent != REACH_NONE && stays[parent] && r->items[parent].kind == REACH_TYPE;
	return stays[i] ? stays[i] : (uint8_t)(2 + REACH_BODIES + !near);
}

static bool is_tail(const struct reach_search *s, uint32_t i)
{
	const struct reach_item *item = &s->a.r->items[i];
	return item->begin >= s->tail || item->end == s->a.r->view->tc->size;
}

/* Everything that is left and not reached on this level. */
static void make_row(struct reach_search *s)
{
	const struct reach *r = s->a.r;
	uint8_t *all = mem_alloc(r->n + (size_t)1);
	stays_with(s, 0, s->a.tried);
	unsigned bodies = s->row_of == ROW_OF_DEFINITIONS ? REACH_WITH_BODIES : 0;
	reach_live(r, s->a.left, s->roots, REACH_BODIES | bodies, all);
	s->n_row = 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (s->a.left[i] && !s->a.tried[i] && (s->row_of != ROW_OF_TAIL || is_tail(s, i)))
			s->row[s->n_row++] =
				(struct row_entry){ i, s->row_of == ROW_OF_TAIL ? 0
				                                                : rank(r, all, i) };
	qsort(s->row, s->n_row, sizeof *s->row, row_order);
	free(all);
	s->lo = s->at = 0;
	s->hi = s->n_row;
}

/* Would the open question's candidate save next to nothing? */
static bool is_fine(const struct reach_search *s)
{
	return s->a.size - reach_size(s->a.r, s->a.tried) <= s->a.size / FINE;
}

/* More of the row than was too little: several times as much, until that is too much; then half
 * way. */
static uint32_t next_probe(const struct reach_search *s)
{
	uint64_t further = s->lo ? (uint64_t)s->lo * WIDER : 1;
	uint32_t half = (s->hi - s->lo) / 2;
	return further < s->lo + half ? (uint32_t)further : s->lo + half;
}

/* What lies between too few and enough of the row becomes roots, be it one declaration or several
 * that are small. Then all that they reach on this level is tried again. */
static void learn_from_row(struct reach_search *s)
{
	for (uint32_t i = s->lo; i < s->hi; i++)
		s->roots[s->row[i].item] = root_of_row(s);
	make_row(s);
}

static int next_level(const struct reach_search *s)
{
	if (s->enough <= REACH_BODIES)
		return (s->enough + s->below) / 2;
	return s->below < 0 ? REACH_BODIES - 1 : REACH_BODIES;
}

/* The next level to ask: half way between what is too little and what works; at last the row of
 * what the highest that is too little lacks. */
static void choose_level(struct reach_search *s)
{
	while (s->enough - s->below > 1) {
		s->level = next_level(s);
		stays_with(s, 0, s->a.tried);
		if (!is_fine(s))
			return;
		s->enough = s->level;
	}
	if (!s->bodies && s->enough == REACH_BODIES) {
		s->bodies = REACH_WITH_BODIES;
		s->below = -1;
		choose_level(s);
		return;
	}
	if (s->depth > REACH_BY_LEVEL && !s->had_tail && s->enough <= REACH_BODIES) {
		s->had_tail = true;
		s->row_of = ROW_OF_TAIL;
		s->level = s->enough;
		for (uint32_t i = 0; i < s->a.r->n; i++)
			s->roots[i] = s->roots[i] == REACH_ROOT_NAMES
			                      ? REACH_ROOT_NAMES
			                      : s->a.r->items[i].kind == REACH_HEAD;
		make_row(s);
		return;
	}
	s->level = s->below;
	bool enough = s->depth < REACH_LEVELS || (s->depth == REACH_LEVELS && s->a.s.n_accepted);
	if (s->below < 0 || enough)
		s->a.s.done = true;
	else {
		s->row_of = ROW_OF_ALL;
		make_row(s);
	}
}

static void choose(struct reach_search *s)
{
	if (s->row_of == ROW_NONE)
		choose_level(s);
	while (s->row_of != ROW_NONE && !s->a.s.done) {
		stays_with(s, s->lo, s->a.tried);
		if (!s->n_row || (!s->lo && is_fine(s))) { /* this level is enough now */
			s->a.s.done |= s->depth == REACH_DEFINITIONS;
			s->row_of = ROW_NONE;
			s->enough = s->level;
			s->below = -1;
			if (!s->a.s.done)
				choose_level(s);
			continue;
		}
		if (s->hi - s->lo <= 1 || (s->lo && is_fine(s))) {
			learn_from_row(s);
			stays_with(s, 0, s->a.tried);
			if (!is_fine(s))
				return;
			continue;
		}
		s->at = next_probe(s);
		stays_with(s, s->at, s->a.tried);
		if (memcmp(s->a.tried, s->a.left, s->a.r->n))
			return;
		s->hi = s->at;
	}
}

static void reach_tell(struct search *search, uint32_t id, bool interesting)
{
	struct reach_search *s = (struct reach_search *)search;
	reach_ask_told(&s->a, id, interesting);
	if (s->row_of == ROW_NONE)
		*(interesting ? &s->enough : &s->below) = s->level;
	else if (interesting)
		s->hi = s->at;
	else
		s->lo = s->at;
	reach_ask_judge(&s->a, QUESTIONS, PAYS);
	if (!search->done)
		choose(s);
}

static struct search *reach_clone(const struct search *search)
{
	const struct reach_search *from = (const struct reach_search *)search;
	struct reach_search *s = mem_dup(from, sizeof *from);
	size_t n = from->a.r->n + (size_t)1;
	reach_ask_own(&s->a);
	s->roots = mem_dup(from->roots, n);
	s->row = mem_dup(from->row, n * sizeof *s->row);
	return &s->a.s;
}

static void reach_free(struct search *search)
{
	struct reach_search *s = (struct reach_search *)search;
	reach_ask_release(&s->a);
	free(s->roots);
	free(s->row);
	free(s);
}

struct search *reach_search_new(struct view *view, enum reach_depth depth)
{
	static const struct search_ops ops = { reach_ask_next, reach_tell, reach_clone,
		                               reach_free };
	struct reach_search *s = mem_zero(1, sizeof *s);
	bool worded = reach_is_worded(view); /* what they do matters, not that they are there */
	reach_ask_begin(&s->a, &ops, reach_new(view, reach_tail(view->tc->size, 0), worded));
	s->bodies = worded ? REACH_WITH_BODIES : 0;
	size_t n = s->a.r->n + (size_t)1;
	s->roots = mem_zero(n, 1);
	s->row = mem_zero(n, sizeof *s->row);
	s->tail = worded || depth == REACH_FULLY || depth == REACH_BY_LEVEL
	                  ? reach_own(s->a.r, REACH_OWN_LEAST)
	                  : s->a.r->tail;
	for (uint32_t i = 0; i < s->a.r->n; i++)
		s->roots[i] = is_tail(s, i) || reach_is_root(s->a.r, i);
	s->depth = depth;
	s->below = -1;
	s->enough = REACH_BODIES + 1;
	if (depth == REACH_DEFINITIONS) {
		s->a.s.done |= s->a.r->libraries.n == 1;
		s->row_of = ROW_OF_DEFINITIONS;
		make_row(s);
	}
	if (!s->a.s.done)
		choose(s);
	return &s->a.s;
}
