#include "cxx/reach_shed.h"

#include "base/mem.h"
#include "cxx/reach_ask.h"
#include "cxx/reach_live.h"

enum {
	EVERYTHING = REACH_BODIES | REACH_AT_ONCE,
	TAIL_LEAST = 2 << 10,
	OWN_LEAST = 256,
	UNITS = 192, /* so many of the last units are looked at ... */
	UNITS_LEAST = 8,
	LOOKED_AT = 1 << 26, /* ... and fewer where that is more than so many names together: for
	                        each unit all that stays is followed */
	FINE = 128,          /* what frees no more than one part in so many of what is left is not
	                        asked */
	FINEST = 1024,       /* likewise when more at once were too much */
	BOLDEST = 6,
	TOGETHER = 4,
	QUESTIONS = 16, /* within so many questions ... */
	PAYS = 32,      /* ... more than one part in so many must go */
};

struct shed {
	struct reach_ask a;
	uint8_t *failed;  /* of an item: its cut was too much */
	uint32_t n_units; /* whose cuts may work, the best first */
	struct reach_unit units[UNITS];
	uint32_t together; /* so many of the best are asked at once: more after each success */
	uint32_t most;     /* and at most so many: more were too much */
	uint32_t taken;    /* so many are in the open question */
	uint32_t own;      /* offset behind the last declaration of the largest library */
	enum shed_manner manner;
	bool bold; /* what mentions a name in the front goes, too, wherever it is declared */
	uint32_t too_bold; /* so often that was too much */
	bool is_new;       /* what is left; the units are looked at anew */
};

/* What goes with a unit. */
struct taken {
	const struct shed *s;
	uint8_t *gone;
	uint32_t n_todo, *todo;
};

static void take(struct taken *t, uint32_t i)
{
	if (!t->s->a.left[i] || t->gone[i])
		return;
	t->gone[i] = 1;
	t->todo[t->n_todo++] = i;
}

/* Is NAME, which an item that goes declares, still declared by another one of its library? */
static bool stays_declared(const struct taken *t, uint32_t name, uint8_t library)
{
	const struct reach *r = t->s->a.r;
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
		uint32_t by = r->by[k];
		if (t->s->a.left[by] && !t->gone[by] && r->items[by].library == library)
			return true;
	}
	return false;
}

static bool is_code(const struct reach *r, uint32_t i)
{
	uint32_t parent = r->items[i].parent;
	return r->items[i].kind == REACH_BODY ||
	       (parent != REACH_NONE && r->items[parent].kind == REACH_CODE);
}

/* Can item X mean OF by a name that both know? Boldly anything can. Not what stands in front of it;
 * of what a function declares only what is in it, too; of members code and what is in their type.
 */
static bool can_mean(const struct shed *s, uint32_t x, uint32_t of)
{
	const struct reach *r = s->a.r;
	uint32_t parent = r->items[of].parent;
	uint8_t around = parent == REACH_NONE ? REACH_SPACE : r->items[parent].kind;
	if (r->items[x].kind == REACH_SPACE || r->items[x].kind == REACH_MARKER)
		return false;
	if (s->bold)
		return around != REACH_CODE || reach_holds(r, parent, x);
	if (r->items[x].begin < s->own)
		return false;
	if (around == REACH_CODE || around == REACH_TYPE)
		return reach_holds(r, parent, x) ||
		       (around == REACH_TYPE && x > of && is_code(r, x));
	return x > of;
}

static void take_all(struct taken *t)
{
	const struct reach *r = t->s->a.r;
	while (t->n_todo) {
		uint32_t i = t->todo[--t->n_todo];
		const struct reach_item *item = &r->items[i];
		for (uint32_t k = r->first_child[i]; k < r->first_child[i + 1]; k++)
			take(t, r->child[k]);
		for (uint32_t k = 0; k < item->n_declares && item->kind != REACH_SPACE; k++) {
			uint32_t name = r->names[item->declares + k];
			if (stays_declared(t, name, item->library))
				continue;
			for (uint32_t m = r->first_in[name]; m < r->first_in[name + 1]; m++)
				if (can_mean(t->s, r->in[m], i))
					take(t, r->in[m]);
		}
	}
}

static bool is_unit(const struct shed *s, uint32_t i)
{
	const struct reach_item *item = &s->a.r->items[i];
	return s->a.left[i] && !s->failed[i] && item->begin >= s->own && item->kind != REACH_MARKER;
}

/* GONE grows by what goes with a unit. */
static void find_gone(const struct shed *s, uint32_t unit, uint8_t *gone, uint32_t *todo)
{
	struct taken t = { .s = s, .gone = gone, .todo = todo };
	take(&t, unit);
	take_all(&t);
}

/* What a cut is worth: what it saves, less the more of the tail goes with it. */
static uint64_t worth(const struct shed *s, const uint8_t *stays, const uint8_t *gone)
{
	uint64_t tail = 1, kept = 1;
	for (uint32_t i = 0; i < s->a.r->n; i++)
		if (s->a.left[i] && s->a.r->items[i].begin >= s->own) {
			tail++;
			kept += !gone[i];
		}
	uint64_t saved = s->a.size - reach_size(s->a.r, stays);
	if (s->manner == SHED_WITHIN)
		return saved / (1 + 16 * (tail - kept) * (tail - kept));
	return saved * kept / tail * kept / tail;
}

static bool holds_failure(const struct shed *s, const uint8_t *gone)
{
	for (uint32_t i = 0; i < s->a.r->n; i++)
		if (gone[i] && s->failed[i])
			return true;
	return false;
}

struct room {
	uint8_t *roots, *before; /* and what they reach */
	uint8_t *gone, *allowed, *still, *after, *stays;
	uint32_t *todo;
};

/* The tail, and what it reaches. */
static void find_roots(const struct shed *s, const struct room *room)
{
	const struct reach *r = s->a.r;
	if (s->manner == SHED_WITHIN)
		return;
	for (uint32_t i = 0; i < r->n; i++)
		room->roots[i] = s->a.left[i] && r->items[i].begin >= s->own;
	reach_live(r, s->a.left, room->roots, EVERYTHING, room->before);
	for (uint32_t i = 0; i < r->n && s->bold; i++) {
		room->roots[i] |= s->a.left[i] && !room->before[i];
		room->before[i] = 1;
	}
}

/* What GONE leaves: what only reaches through it goes with it. */
static void cut_of(const struct shed *s, const struct room *room, uint8_t *stays)
{
	const struct reach *r = s->a.r;
	for (uint32_t i = 0; i < r->n; i++)
		room->allowed[i] = s->a.left[i] && !room->gone[i];
	if (s->manner == SHED_WITHIN) {
		memcpy(stays, room->allowed, r->n);
		return;
	}
	for (uint32_t i = 0; i < r->n; i++)
		room->still[i] = room->roots[i] && !room->gone[i];
	reach_live(r, room->allowed, room->still, EVERYTHING, room->after);
	for (uint32_t i = 0; i < r->n; i++)
		stays[i] = room->allowed[i] && (room->after[i] || !room->before[i]);
}

/* What a unit is worth; false when it holds what was too much. */
static bool judge_unit(const struct shed *s, const struct room *room, uint32_t item,
                       struct reach_unit *unit)
{
	memset(room->gone, 0, s->a.r->n);
	find_gone(s, item, room->gone, room->todo);
	if (holds_failure(s, room->gone))
		return false;
	cut_of(s, room, room->stays);
	*unit = (struct reach_unit){ worth(s, room->stays, room->gone), item };
	return true;
}

/* The last units, looked at anew. */
static void rank_units(struct shed *s, const struct room *room)
{
	uint32_t looked_at = 0, most = LOOKED_AT / (s->a.r->n_names + 1);
	most = most < UNITS_LEAST ? UNITS_LEAST : most < UNITS ? most : UNITS;
	s->n_units = 0;
	for (uint32_t i = s->a.r->n; i-- > 0 && looked_at < most;) {
		if (!is_unit(s, i))
			continue;
		looked_at++;
		s->n_units += judge_unit(s, room, i, &s->units[s->n_units]);
	}
	qsort(s->units, s->n_units, sizeof *s->units, reach_unit_order);
}

/* Those that hold what has just been too much go. */
static void drop_units(struct shed *s, const struct room *room)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n_units; i++) {
		memset(room->gone, 0, s->a.r->n);
		find_gone(s, s->units[i].item, room->gone, room->todo);
		if (!holds_failure(s, room->gone))
			s->units[n++] = s->units[i];
	}
	s->n_units = n;
}

/* The best units are the open question; false when that saves little. */
static bool ask_together(struct shed *s, const struct room *room)
{
	memset(room->gone, 0, s->a.r->n);
	for (s->taken = 0; s->taken < s->n_units && s->taken < s->together; s->taken++)
		find_gone(s, s->units[s->taken].item, room->gone, room->todo);
	cut_of(s, room, s->a.tried);
	return s->a.size - reach_size(s->a.r, s->a.tried) > (s->a.size - s->a.floor) / FINE;
}

/* The best units that are left become the next question, if they save enough. */
static void choose_with(struct shed *s, const struct room *room)
{
	find_roots(s, room);
	if (s->is_new)
		rank_units(s, room);
	else
		drop_units(s, room);
	s->is_new = false;
	while (!ask_together(s, room) && s->together < s->n_units && s->together < s->most)
		s->together = 2 * s->together < s->most ? 2 * s->together : s->most;
	uint32_t least = (s->a.size - s->a.floor) / (s->most < UNITS ? FINEST : FINE);
	bool pays = s->taken && s->a.size - reach_size(s->a.r, s->a.tried) > least;
	s->a.s.done = !pays;
}

static void choose(struct shed *s)
{
	ARENA_SCOPED struct arena scratch = { 0 };
	size_t n = s->a.r->n + (size_t)1;
	uint8_t *bytes = arena_alloc(&scratch, 7 * n);
	struct room room = { .roots = bytes,
		             .before = bytes + n,
		             .gone = bytes + 2 * n,
		             .allowed = bytes + 3 * n,
		             .still = bytes + 4 * n,
		             .after = bytes + 5 * n,
		             .stays = bytes + 6 * n,
		             .todo = arena_alloc(&scratch, n * sizeof(uint32_t)) };
	choose_with(s, &room);
}

static void learn(struct shed *s, bool interesting)
{
	s->is_new = interesting;
	if (!interesting && s->taken == 1)
		s->failed[s->units[0].item] = 1;
	s->together = interesting ? 2 * s->together : (s->taken + 1) / 2;
	s->most = interesting || s->taken == 1 ? UNITS : s->together;
}

static void shed_tell(struct search *search, uint32_t id, bool interesting)
{
	struct shed *s = (struct shed *)search;
	reach_ask_told(&s->a, id, interesting);
	learn(s, interesting);
	search->done |= s->bold && !interesting && ++s->too_bold == BOLDEST;
	reach_ask_judge(&s->a, QUESTIONS, PAYS);
	if (!search->done)
		choose(s);
}

static struct search *shed_clone(const struct search *search)
{
	const struct shed *from = (const struct shed *)search;
	struct shed *s = mem_dup(from, sizeof *from);
	reach_ask_own(&s->a);
	s->failed = mem_dup(from->failed, from->a.r->n + (size_t)1);
	return &s->a.s;
}

static void shed_free(struct search *search)
{
	struct shed *s = (struct shed *)search;
	reach_ask_release(&s->a);
	free(s->failed);
	free(s);
}

struct search *reach_shed_new(struct view *view, bool statements, enum shed_manner manner)
{
	static const struct search_ops ops = { reach_ask_next, shed_tell, shed_clone, shed_free };
	struct shed *s = mem_zero(1, sizeof *s);
	uint32_t size = view->tc->size;
	reach_ask_begin(&s->a, &ops, reach_new(view, reach_tail(size, TAIL_LEAST), !statements));
	s->failed = mem_zero(s->a.r->n + (size_t)1, 1);
	s->own = reach_own(s->a.r, OWN_LEAST);
	bool within = manner == SHED_WITHIN;
	s->together = within ? 2 * TOGETHER : TOGETHER;
	s->most = UNITS;
	s->is_new = true;
	s->bold = !within;
	s->manner = manner;
	s->a.floor = within ? s->own : 0;
	/* Without a library nothing in front waits for the end. */
	s->a.s.done |= within && s->own && s->a.r->libraries.n == 1;
	if (s->a.r->n && !s->a.s.done)
		choose(s);
	return &s->a.s;
}
