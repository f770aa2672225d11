#include "cxx/reach_prune.h"

#include "base/mem.h"
#include "cxx/reach.h"
#include "cxx/reach_live.h"
#include "cxx/reach_ask.h"

/* What has to go with a declaration: all that mentions it and finds no other one of the name. */

/* Owned by who fills it in; sets of items of R. */
struct reach_gone {
	const struct reach *r;
	const uint8_t *left;  /* what is there at all */
	const uint8_t *stays; /* what may not go */
	uint8_t *gone;
	uint64_t steps;    /* what it may cost still: names that are looked up, and who has them */
	uint32_t n, *list; /* what is in it, in the order in which it went; there is room for all */
};

/* What is known about a name that an item declares when that item goes. */
enum declared {
	NOWHERE,
	PARTLY,    /* later, or in another namespace: who mentions it may still mean that */
	ELSEWHERE, /* in another type of the library; for members only */
	BY_NAME,   /* there, but it is a type of which the members are not declared */
	THERE,     /* in the same type, or outside of types like the item */
};

static bool is_type(const struct reach_item *item)
{
	return item->kind == REACH_TYPE;
}

/* Does an item that mentions a type want to see its members, or know its size? */
static bool wants_whole(const struct reach_item *item)
{
	return item->kind == REACH_TYPE || item->kind == REACH_CODE || item->kind == REACH_BODY ||
	       item->stays_with_type || item->instance;
}

static void spend(struct reach_gone *g, uint32_t steps)
{
	g->steps -= steps < g->steps ? steps : g->steps;
}

/* Can what mentions the name of OF mean BY as well? Functions are looked for wherever their
 * arguments come from; all else in the same namespace, and behind its declaration. */
static bool is_there(const struct reach *r, uint32_t by, uint32_t of)
{
	const struct reach_item *item = &r->items[of];
	if (reach_is_member(r, of))
		return r->items[by].parent == item->parent;
	return !reach_is_member(r, by) &&
	       (item->overloaded || (by < of && r->items[by].scope == item->scope));
}

static bool is_other(const struct reach_gone *g, uint32_t by, uint32_t of)
{
	const struct reach_item *item = &g->r->items[by];
	return g->left[by] && !g->gone[by] && !item->out_of_line && !item->special &&
	       !item->instance && item->library == g->r->items[of].library;
}

static enum declared still_declared(struct reach_gone *g, uint32_t item, uint32_t name)
{
	const struct reach *r = g->r;
	const struct reach_item *of = &r->items[item];
	bool member = reach_is_member(r, item);
	enum declared best = NOWHERE;
	spend(g, r->first_by[name + 1] - r->first_by[name]);
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
		uint32_t by = r->by[k];
		if (!is_other(g, by, item))
			continue;
		bool there = is_there(r, by, item);
		if (there && (!is_type(of) || is_type(&r->items[by])))
			return THERE;
		if (there)
			best = BY_NAME;
		else if (best == NOWHERE)
			best = member ? ELSEWHERE : PARTLY;
	}
	return best;
}

/* Does X stand in the namespaces SCOPE? */
static bool is_in(struct reach_gone *g, uint32_t x, uint32_t scope)
{
	for (; x != REACH_NONE && g->r->items[x].scope != scope; spend(g, 1))
		x = g->r->items[x].parent;
	return x != REACH_NONE || !scope;
}

/* Is NAME, which OF declares, declared before X by another one that X may mean? */
static bool has_other(struct reach_gone *g, uint32_t x, uint32_t of, uint32_t name)
{
	const struct reach *r = g->r;
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1] && g->steps; k++) {
		uint32_t by = r->by[k], scope = r->items[by].scope;
		spend(g, 1);
		if (by < x && is_other(g, by, of) && !reach_is_member(r, by) &&
		    (scope == r->items[of].scope || is_in(g, x, scope)))
			return true;
	}
	return false;
}

/* Can item X mean OF by a name that both know? Where the order counts not what stands in front of
 * it, but for what is in its type. */
static bool can_mean(const struct reach *r, uint32_t x, uint32_t of)
{
	uint32_t parent = r->items[of].parent;
	if (r->items[x].kind == REACH_SPACE || r->items[x].kind == REACH_MARKER)
		return false;
	if (!reach_is_member(r, of))
		return x > of || !reach_is_forward(r);
	return reach_holds(r, parent, x) || (x > of && r->items[parent].kind == REACH_TYPE);
}

static void take_item(struct reach_gone *g, uint32_t i)
{
	if (!g->left[i] || g->gone[i])
		return;
	g->gone[i] = 1;
	g->list[g->n++] = i;
}

/* The template goes, and so do its specializations. */
static void take_specializations(struct reach_gone *g, uint32_t item, uint32_t name)
{
	const struct reach *r = g->r;
	bool member = reach_is_member(r, item);
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
		uint32_t i = r->by[k];
		if (r->items[i].special && r->items[i].library == r->items[item].library &&
		    (member ? r->items[i].parent == r->items[item].parent : !reach_is_member(r, i)))
			take_item(g, i);
	}
}

static bool declares_one_of(const struct reach *r, const struct reach_item *item,
                            const struct reach_item *of)
{
	for (uint32_t i = 0; i < item->n_declares; i++)
		for (uint32_t k = 0; k < of->n_declares; k++)
			if (r->names[item->declares + i] == r->names[of->declares + k])
				return true;
	return false;
}

/* Members that are defined outside of their type: of a type, or of that name. */
static void take_definitions(struct reach_gone *g, uint32_t item, uint32_t name)
{
	const struct reach *r = g->r;
	const struct reach_item *of = &r->items[item];
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
		const struct reach_item *by = &r->items[r->by[k]];
		if (by->out_of_line &&
		    (!reach_is_member(r, item) || declares_one_of(r, by, &r->items[of->parent])))
			take_item(g, r->by[k]);
	}
}

/* Does another member of a type around X declare NAME? */
static bool means_member(struct reach_gone *g, uint32_t x, uint32_t name)
{
	const struct reach *r = g->r;
	for (uint32_t p = r->items[x].parent; p != REACH_NONE; p = r->items[p].parent) {
		if (!is_type(&r->items[p]))
			continue;
		spend(g, r->first_by[name + 1] - r->first_by[name]);
		for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1] && g->steps; k++)
			if (r->by[k] != x && g->left[r->by[k]] && r->items[r->by[k]].parent == p)
				return true;
	}
	return false;
}

/* Item X mentions NAME, which ITEM declared and which is still declared as STILL says. */
static bool depends(struct reach_gone *g, uint32_t x, uint32_t item, uint32_t name,
                    enum declared still)
{
	const struct reach *r = g->r;
	bool member = reach_is_member(r, item);
	if (!can_mean(r, x, item) || (!member && means_member(g, x, name)))
		return false;
	if (still == BY_NAME)
		return wants_whole(&r->items[x]);
	if (still == PARTLY)
		return !has_other(g, x, item, name);
	return still == NOWHERE || (member && reach_holds(r, r->items[item].parent, x));
}

/* Other parts of an inline namespace are ones only behind the part that says so. */
static void take_parts(struct reach_gone *g, uint32_t item, uint32_t name)
{
	const struct reach *r = g->r;
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++)
		if (r->by[k] > item && r->items[r->by[k]].scope == r->items[item].scope &&
		    r->items[r->by[k]].kind == REACH_SPACE && !reach_is_inline(r, r->by[k]))
			take_item(g, r->by[k]);
}

static void take_by_name(struct reach_gone *g, uint32_t item, uint32_t name)
{
	const struct reach *r = g->r;
	if (reach_is_inline(r, item))
		take_parts(g, item, name);
	enum declared still = still_declared(g, item, name);
	if (still == THERE)
		return;
	if (still != BY_NAME)
		take_specializations(g, item, name);
	spend(g, r->first_in[name + 1] - r->first_in[name]);
	for (uint32_t k = r->first_in[name]; k < r->first_in[name + 1] && g->steps; k++)
		if (depends(g, r->in[k], item, name, still))
			take_item(g, r->in[k]);
	take_definitions(g, item, name);
}

/* ITEM goes, with all that depends on it. False as soon as that is something that may not go, or no
 * steps are left; GONE then holds a part of it. */
static bool reach_go(struct reach_gone *g, uint32_t item)
{
	const struct reach *r = g->r;
	uint32_t at = g->n;
	take_item(g, item);
	for (; at < g->n; at++) {
		uint32_t i = g->list[at];
		const struct reach_item *of = &r->items[i];
		spend(g, 1);
		if (g->stays[i] || !g->steps)
			return false;
		for (uint32_t k = r->first_child[i]; k < r->first_child[i + 1]; k++)
			take_item(g, r->child[k]);
		uint32_t around = of->parent == REACH_NONE ? i : of->parent;
		if (r->items[around].entries && is_type(&r->items[around]))
			take_item(g, around);
		bool names = !of->out_of_line && !of->special && !of->instance;
		for (uint32_t k = 0; names && k < of->n_declares; k++)
			take_by_name(g, i, r->names[of->declares + k]);
	}
	return true;
}

/* What went last is back, until LIST has TO elements. */
static void reach_gone_cut(struct reach_gone *g, uint32_t to)
{
	while (g->n > to)
		g->gone[g->list[--g->n]] = 0;
}

/* The bytes of what has gone. */
static uint32_t reach_gone_bytes(const struct reach_gone *g)
{
	uint32_t bytes = 0;
	for (uint32_t k = 0; k < g->n; k++) {
		const struct reach_item *item = &g->r->items[g->list[k]];
		if (item->parent == REACH_NONE || !g->gone[item->parent])
			bytes += item->end - item->begin;
	}
	return bytes;
}

enum {
	EVERYTHING = REACH_BODIES | REACH_AT_ONCE,
	TAIL_LEAST = 2 << 10,
	OWN_LEAST = 256, /* bytes of a user's own that are an end */
	ONE = 1 << 16,   /* certain */
	WEIGHT = 256,    /* of one of many declarations of a name */
	WEIGHT_MOST = 64 * WEIGHT,
	HALVING = 44,    /* at first one part in so many of all is in vain as often as not */
	STEPS = 1024,    /* so many for each declaration, and the rest of the units has to wait */
	LOOKED_AT = 256, /* so many of the best units may be part of a question */
	QUESTIONS = 24,  /* within so many questions ... */
	PAYS = 32,       /* ... more than one part in so many must go */
};

/* What goes with an item, and how much is expected of that. */
struct unit {
	uint64_t worth;
	uint32_t item;
};

struct prune {
	struct reach_ask a;
	bool instances;   /* explicit ones are asked for, all at once: nothing depends on them */
	uint64_t half;    /* the weight that halves a unit's chance */
	uint32_t *weight; /* of an item */
	uint8_t *root;    /* of an item: what stands at the end */
	uint8_t *stays;   /* of an item: a root, or what goes with it was too much */
	uint32_t n_units; /* whose cuts may work, the best first */
	struct unit *units;
	uint32_t taken;  /* so many units are in the open question */
	uint32_t last;   /* the one that was taken last */
	uint32_t chance; /* of the open question, in parts of ONE */
	bool is_new;     /* what is left; the units are looked at anew */
};

/* ONE * 2^(-WEIGHT / half), and 1 at least; linear between sixteenths of a halving */
static uint32_t chance_of(const struct prune *s, uint64_t weight)
{
	static const uint32_t root[17] = { 65536, 62757, 60097, 57549, 55109, 52772,
		                           50535, 48393, 46341, 44376, 42495, 40693,
		                           38968, 37316, 35734, 34219, 32768 };
	enum { FRACTION = 256 };
	uint64_t x = weight * 16 * FRACTION / s->half, halvings = x / (16 * FRACTION);
	if (halvings >= 16)
		return 1;
	uint32_t i = (uint32_t)(x / FRACTION % 16), part = (uint32_t)(x % FRACTION);
	uint32_t chance = (root[i] * (FRACTION - part) + root[i + 1] * part) / FRACTION;
	return chance >> halvings;
}

static uint64_t weight_of(const struct prune *s, const struct reach_gone *g, uint32_t from)
{
	uint64_t weight = 0;
	for (uint32_t k = from; k < g->n; k++)
		weight += s->weight[g->list[k]];
	return weight;
}

static struct reach_gone gone_new(const struct prune *s)
{
	size_t n = s->a.r->n + (size_t)1;
	return (struct reach_gone){ .r = s->a.r,
		                    .left = s->a.left,
		                    .stays = s->stays,
		                    .steps = n * (uint64_t)STEPS,
		                    .gone = mem_zero(n, 1),
		                    .list = mem_alloc(n * sizeof(uint32_t)) };
}

static void gone_free(struct reach_gone *g)
{
	free(g->gone);
	free(g->list);
}

/* What is expected of ITEM's unit alone; 0: it holds what must stay, as will all that hold it. */
static uint64_t worth(struct prune *s, struct reach_gone *g, uint32_t item)
{
	uint64_t expected = 0;
	if (reach_go(g, item))
		expected = reach_gone_bytes(g) * (uint64_t)chance_of(s, weight_of(s, g, 0));
	s->stays[item] |= !expected && g->steps;
	reach_gone_cut(g, 0);
	return expected;
}

/* An entry of a table goes with what it mentions: alone it is little. So does an import. */
static bool is_entry(const struct reach *r, uint32_t i)
{
	uint32_t parent = r->items[i].parent;
	return r->items[i].said.tied || (parent != REACH_NONE && r->items[parent].entries);
}

/* The unit of which most is expected first, of equal ones the last of the file. */
static int unit_order(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;
	return MEM_ORDER_TWO(y, x, worth, item);
}

/* All units, the best first. From the last one on: those in front find out soon what they hold. */
static void rank_all(struct prune *s, struct reach_gone *g)
{
	s->n_units = 0;
	for (uint32_t i = s->a.r->n; i-- > 0 && g->steps;) {
		bool may = s->a.left[i] && s->a.r->items[i].kind != REACH_MARKER &&
		           !is_entry(s->a.r, i);
		uint64_t w = may ? worth(s, g, i) : 0;
		if (w)
			s->units[s->n_units++] = (struct unit){ w, i };
	}
	qsort(s->units, s->n_units, sizeof *s->units, unit_order);
}

/* The best of before anew, and the others behind them. */
static void rank_again(struct prune *s, struct reach_gone *g)
{
	uint32_t n = 0, k = 0;
	for (; k < s->n_units && (k < LOOKED_AT || !n); k++) {
		uint32_t item = s->units[k].item;
		uint64_t w = worth(s, g, item);
		if (w)
			s->units[n++] = (struct unit){ w, item };
	}
	qsort(s->units, n, sizeof *s->units, unit_order);
	while (k < s->n_units)
		s->units[n++] = s->units[k++];
	s->n_units = n;
}

/* Takes units as long as more is expected of all of them. */
static void take_units(struct prune *s, struct reach_gone *g)
{
	uint64_t best = 0, weight = 0;
	s->taken = 0;
	for (uint32_t k = 0; k < s->n_units && k < LOOKED_AT; k++) {
		uint32_t from = g->n, item = s->units[k].item;
		if (g->gone[item])
			continue;
		bool goes = reach_go(g, item);
		uint64_t more = weight + weight_of(s, g, from);
		uint32_t chance = chance_of(s, more);
		uint64_t expected = goes ? reach_gone_bytes(g) * (uint64_t)chance : 0;
		if (expected <= best) {
			reach_gone_cut(g, from);
			continue;
		}
		best = expected;
		weight = more;
		s->taken++;
		s->last = item;
		s->chance = chance;
	}
}

/* What is left without GONE: what only that needed goes with it. */
static void cut(const struct prune *s, const uint8_t *gone, uint8_t *stays)
{
	const struct reach *r = s->a.r;
	size_t n = r->n + (size_t)1;
	uint8_t *roots = mem_alloc(n), *allowed = mem_alloc(n), *before = mem_alloc(n);
	reach_live(r, s->a.left, s->root, EVERYTHING, before);
	for (uint32_t i = 0; i < r->n; i++) {
		allowed[i] = s->a.left[i] && !gone[i];
		roots[i] = allowed[i] && (s->root[i] || !before[i]);
	}
	reach_live(r, allowed, roots, EVERYTHING, stays);
	free(roots);
	free(allowed);
	free(before);
}

static void take_instances(struct prune *s, struct reach_gone *g)
{
	s->taken = 0;
	for (uint32_t i = 0; i < s->a.r->n; i++)
		if (s->a.left[i] && s->a.r->items[i].instance && !s->root[i])
			s->taken += reach_go(g, i);
}

static void take(struct prune *s, struct reach_gone *g)
{
	if (s->instances)
		take_instances(s, g);
	s->instances = s->instances && s->taken;
	if (s->instances)
		return;
	if (s->is_new)
		rank_all(s, g);
	else
		rank_again(s, g);
	s->is_new = false;
	g->steps = (uint64_t)s->a.r->n * STEPS;
	take_units(s, g);
}

static void choose(struct prune *s)
{
	struct reach_gone g = gone_new(s);
	take(s, &g);
	if (s->taken)
		cut(s, g.gone, s->a.tried);
	s->a.s.done |= !s->taken;
	gone_free(&g);
}

/* The union was too much: what is in it is heavier now. */
static void weigh(struct prune *s)
{
	for (uint32_t i = 0; i < s->a.r->n; i++) {
		if (!s->a.left[i] || s->a.tried[i])
			continue;
		uint64_t heavier = (uint64_t)s->weight[i] * ONE / (ONE + 1 - s->chance);
		s->weight[i] = heavier < WEIGHT_MOST ? (uint32_t)heavier : WEIGHT_MOST;
	}
}

static void learn(struct prune *s, bool interesting)
{
	if (s->instances) {
		s->instances = false;
		return;
	}
	s->is_new = interesting;
	s->half = interesting ? s->half * 10 / 7 : s->half * 5 / 6;
	s->half = s->half < WEIGHT ? WEIGHT : s->half;
	if (interesting)
		return;
	if (s->taken == 1)
		s->stays[s->last] = 1;
	else
		weigh(s);
}

static void prune_tell(struct search *search, uint32_t id, bool interesting)
{
	struct prune *s = (struct prune *)search;
	reach_ask_told(&s->a, id, interesting);
	learn(s, interesting);
	reach_ask_judge(&s->a, QUESTIONS, PAYS);
	if (!search->done)
		choose(s);
}

static struct search *prune_clone(const struct search *search)
{
	const struct prune *from = (const struct prune *)search;
	struct prune *s = mem_dup(from, sizeof *from);
	size_t n = from->a.r->n + (size_t)1;
	reach_ask_own(&s->a);
	s->weight = mem_dup(from->weight, n * sizeof *s->weight);
	s->root = mem_dup(from->root, n);
	s->stays = mem_dup(from->stays, n);
	s->units = mem_dup(from->units, n * sizeof *s->units);
	return &s->a.s;
}

static void prune_free(struct search *search)
{
	struct prune *s = (struct prune *)search;
	reach_ask_release(&s->a);
	free(s->weight);
	free(s->root);
	free(s->stays);
	free(s->units);
	free(s);
}

/* Who says a name that is declared once or twice means that declaration; of many overloads hardly
 * one is meant, and what is not reached at all is hardly needed. STAYS: see reach_live.h. */
static uint32_t weight_at(uint8_t stays)
{
	if (!stays)
		return WEIGHT / 2;
	return stays <= 2 ? 4 * WEIGHT : stays <= 4 ? 2 * WEIGHT : WEIGHT;
}

/* May item I not go: of the front the end, of the end what is in front? */
static bool is_root(const struct reach *r, uint32_t i, enum prune_part part, uint32_t own)
{
	return part == PRUNE_END ? r->items[i].begin < own
	                         : r->items[i].begin >= own || reach_is_root(r, i);
}

struct search *reach_prune_new(struct view *view, enum prune_part part)
{
	static const struct search_ops ops = { reach_ask_next, prune_tell, prune_clone,
		                               prune_free };
	struct prune *s = mem_zero(1, sizeof *s);
	bool end = part == PRUNE_END;
	reach_ask_begin(&s->a, &ops, reach_new(view, reach_tail(view->tc->size, TAIL_LEAST), !end));
	const struct reach *r = s->a.r;
	size_t n = r->n + (size_t)1;
	uint32_t own = reach_own(r, end ? OWN_LEAST : 1), units = 0;
	s->weight = mem_alloc(n * sizeof *s->weight);
	s->root = mem_zero(n, 1);
	s->units = mem_zero(n, sizeof *s->units);
	for (uint32_t i = 0; i < r->n; i++)
		units += !(s->root[i] = is_root(r, i, part, own));
	s->half = (uint64_t)(end ? units : r->n) * WEIGHT / HALVING;
	s->half = s->half < WEIGHT ? WEIGHT : s->half;
	s->stays = mem_dup(s->root, n);
	reach_live(r, NULL, s->root, REACH_BODIES | REACH_WITH_BODIES, s->a.tried);
	for (uint32_t i = 0; i < r->n; i++)
		s->weight[i] = weight_at(s->a.tried[i]);
	s->instances = s->is_new = true;
	s->a.floor = end ? own : 0;
	/* Without a library nothing in front waits for the end. */
	s->a.s.done |= end && own && r->libraries.n == 1;
	if (!s->a.s.done)
		choose(s);
	return &s->a.s;
}
