#include "cxx/reach_gone.h"

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
	       item->with_it || item->instance;
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
	       (item->weak || (by < of && r->items[by].scope == item->scope));
}

static bool is_other(const struct reach_gone *g, uint32_t by, uint32_t of)
{
	const struct reach_item *item = &g->r->items[by];
	return g->left[by] && !g->gone[by] && !item->both && !item->special && !item->instance &&
	       item->library == g->r->items[of].library;
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

static bool holds(const struct reach *r, uint32_t outer, uint32_t i)
{
	while (i != REACH_NONE && i > outer)
		i = r->items[i].parent;
	return i == outer;
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
	return holds(r, parent, x) || (x > of && r->items[parent].kind == REACH_TYPE);
}

static void take(struct reach_gone *g, uint32_t i)
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
			take(g, i);
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
		if (by->both &&
		    (!reach_is_member(r, item) || declares_one_of(r, by, &r->items[of->parent])))
			take(g, r->by[k]);
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
	return still == NOWHERE || (member && holds(r, r->items[item].parent, x));
}

/* Other parts of an inline namespace are ones only behind the part that says so. */
static void take_parts(struct reach_gone *g, uint32_t item, uint32_t name)
{
	const struct reach *r = g->r;
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++)
		if (r->by[k] > item && r->items[r->by[k]].scope == r->items[item].scope &&
		    r->items[r->by[k]].kind == REACH_SPACE && !reach_is_inline(r, r->by[k]))
			take(g, r->by[k]);
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
			take(g, r->in[k]);
	take_definitions(g, item, name);
}

bool reach_go(struct reach_gone *g, uint32_t item)
{
	const struct reach *r = g->r;
	uint32_t at = g->n;
	take(g, item);
	for (; at < g->n; at++) {
		uint32_t i = g->list[at];
		const struct reach_item *of = &r->items[i];
		spend(g, 1);
		if (g->stays[i] || !g->steps)
			return false;
		for (uint32_t k = r->first_child[i]; k < r->first_child[i + 1]; k++)
			take(g, r->child[k]);
		bool names = !of->both && !of->special && !of->instance;
		for (uint32_t k = 0; names && k < of->n_declares; k++)
			take_by_name(g, i, r->names[of->declares + k]);
	}
	return true;
}

void reach_gone_cut(struct reach_gone *g, uint32_t to)
{
	while (g->n > to)
		g->gone[g->list[--g->n]] = 0;
}

uint32_t reach_gone_bytes(const struct reach_gone *g, uint32_t from)
{
	uint32_t bytes = 0;
	for (uint32_t k = from; k < g->n; k++) {
		const struct reach_item *item = &g->r->items[g->list[k]];
		if (item->parent == REACH_NONE || !g->gone[item->parent])
			bytes += item->end - item->begin;
	}
	return bytes;
}
