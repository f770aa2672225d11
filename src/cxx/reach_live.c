#include "cxx/reach_live.h"

#include "base/err.h"
#include "base/work.h"
#include "search/mends.h"

struct live {
	const struct reach *r;
	const uint8_t *allowed;
	unsigned level; /* names up to this one are followed */
	bool bodies;    /* of functions that are reached are needed */
	uint8_t *stays;
	uint64_t *mentioned;    /* by name, a set of the places where it was looked for */
	uint8_t *methods;       /* by name: has some that are yet to be needed with it */
	uint8_t *whole;         /* by item: with its statements */
	uint32_t n_todo, *todo; /* items that have just been reached */
};

/* WHOLE: with all its statements, if it has any. */
static void reach_item(struct live *l, uint32_t i, bool whole)
{
	if (i == REACH_NONE || (l->allowed && !l->allowed[i]))
		return;
	whole = whole && l->r->items[i].kind == REACH_CODE && !l->whole[i];
	if (l->stays[i] && !whole)
		return;
	if (!l->stays[i])
		l->stays[i] = (uint8_t)(1 + l->level);
	l->whole[i] |= whole;
	l->todo[l->n_todo++] = i;
}

/* A member that is qualified is a friend: all its names have to be. */
static bool is_mentioned(const struct live *l, const struct reach_item *item)
{
	for (uint32_t k = 0; k < item->n_declares; k++)
		if ((l->mentioned[l->r->names[item->declares + k]] == 0) == item->out_of_line)
			return !item->out_of_line;
	return item->out_of_line;
}

/* Is item I, which declares NAME, reached now that NAME is mentioned? ALL: whatever the level. */
static bool is_reached(const struct live *l, uint32_t i, uint32_t name, bool all)
{
	const struct reach_item *item = &l->r->items[i];
	if (item->out_of_line && !is_mentioned(l, item))
		return false;
	if (reach_is_member(l->r, i))
		return l->stays[item->parent];
	if (item->said.tied)
		return true;
	if (all || item->out_of_line)
		return all || item->data || l->bodies;
	uint64_t where = (uint64_t)1 << REACH_ANYWHERE | (uint64_t)1 << item->library;
	bool here = !item->library || (l->mentioned[name] & where) || l->level >= REACH_ELSEWHERE;
	return here && l->r->level[item->overloaded][name] <= l->level;
}

static void follow(struct live *l, uint32_t name, bool all)
{
	const struct reach *r = l->r;
	bool space = false; /* of a namespace one part will do */
	for (uint32_t k = r->first_by[name]; k < r->first_by[name + 1]; k++) {
		const struct reach_item *item = &r->items[r->by[k]];
		if ((item->kind == REACH_SPACE && space) || !is_reached(l, r->by[k], name, all))
			continue;
		space |= item->kind == REACH_SPACE;
		reach_item(l, r->by[k], true);
	}
}

static void mention(struct live *l, uint32_t name, uint8_t where)
{
	uint64_t place = (uint64_t)1 << where;
	if (l->mentioned[name] & place)
		return;
	l->mentioned[name] |= place;
	follow(l, name, false);
}

/* Methods that nothing mentions are called by others, if at all, who know their names: `Error`. */
static void need_methods(struct live *l, const struct reach_item *type)
{
	const struct reach *r = l->r;
	uint32_t name = type->n_declares ? r->names[type->declares] : REACH_NONE;
	if (name == REACH_NONE || !l->methods[name] || type->said.of != REACH_NONE)
		return;
	l->methods[name] = 0;
	work_step(r->first_in[name + 1] - r->first_in[name]);
	for (uint32_t k = r->first_in[name]; k < r->first_in[name + 1]; k++) {
		const struct reach_item *item = &r->items[r->in[k]];
		if (item->said.of != name || !item->n_declares)
			continue;
		uint32_t own = r->names[item->declares];
		if (r->first_in[own] == r->first_in[own + 1])
			reach_item(l, r->in[k], true);
	}
}

static void need_all_of(struct live *l, uint32_t i)
{
	const struct reach *r = l->r;
	const struct reach_item *item = &r->items[i];
	reach_item(l, item->parent, false);
	reach_item(l, item->marker, false);
	if (item->out_of_line || item->special || item->kind == REACH_SPACE)
		for (uint32_t k = 0; k < item->n_declares; k++)
			mention(l, r->names[item->declares + k], item->library);
	work_step(1 + item->n_mentions);
	for (uint32_t k = 0; k < item->n_mentions; k++)
		mention(l, r->names[item->mentions + k], r->where[item->mentions + k]);
	if (item->def.begin != REACH_NONE && l->bodies)
		reach_item(l, i + 1, false);
	need_methods(l, item);
	if (item->kind != REACH_TYPE && item->kind != REACH_CODE && !item->entries)
		return;
	for (uint32_t k = r->first_child[i]; k < r->first_child[i + 1]; k++) {
		const struct reach_item *child = &r->items[r->child[k]];
		bool stays_with_type = item->entries || child->stays_with_type;
		if (item->kind == REACH_CODE
		            ? l->whole[i] || (child->n_declares && is_mentioned(l, child))
		            : stays_with_type || is_mentioned(l, child))
			reach_item(l, r->child[k], true);
	}
}

static void run(struct live *l)
{
	while (l->n_todo)
		need_all_of(l, l->todo[--l->n_todo]);
}

/* What has been mentioned already, at a new level. */
static void rise(struct live *l)
{
	for (uint32_t name = 0; name < l->r->texts.n; name++)
		if (l->mentioned[name])
			follow(l, name, false);
	if (l->bodies || l->level < REACH_BODIES)
		return;
	l->bodies = true;
	for (uint32_t i = 0; i < l->r->n; i++)
		if (l->stays[i] && l->r->items[i].def.begin != REACH_NONE)
			reach_item(l, i + 1, false);
}

static void begin(struct live *l, const uint8_t *roots)
{
	for (uint32_t i = 0; i < l->r->n; i++) {
		const struct reach_item *item = &l->r->items[i];
		if (roots[i])
			reach_item(l, i, true);
		for (uint32_t k = 0; roots[i] == REACH_ROOT_NAMES && k < item->n_declares; k++)
			follow(l, l->r->names[item->declares + k], true);
	}
	run(l);
}

/* Does what stays mention in its own file what ITEM imports? So it is, too, where nothing in that
 * file did before: it is mentioned in another way then. */
static bool is_left(const struct live *l, const struct reach_item *item)
{
	const struct reach *r = l->r;
	uint32_t name = r->names[item->declares];
	struct edit_part file = view_file_cut(r->view, item->begin);
	bool any = false;
	for (uint32_t k = r->first_in[name]; k < r->first_in[name + 1]; k++) {
		uint32_t at = r->items[r->in[k]].begin;
		bool here = at >= file.begin && at < file.end;
		if (here && l->stays[r->in[k]])
			return true;
		any |= here;
	}
	return !any;
}

/* What must not stay when nothing mentions it any more, although it was to. */
static void untie(struct live *l)
{
	for (uint32_t i = 0; i < l->r->n; i++) {
		const struct reach_item *item = &l->r->items[i];
		if (l->stays[i] && item->said.tied && item->n_declares && !is_left(l, item))
			l->stays[i] = 0;
	}
}

/* Is all that may stay a root? Then all of it does, and what it mentions leads nowhere else. */
static bool all_are_roots(struct live *l, const uint8_t *roots)
{
	for (uint32_t i = 0; i < l->r->n; i++)
		if (!roots[i] && (!l->allowed || l->allowed[i]))
			return false;
	for (uint32_t i = 0; i < l->r->n; i++)
		l->stays[i] = !l->allowed || l->allowed[i] ? (uint8_t)(1 + l->level) : 0;
	return true;
}

static void live(struct live *l, const uint8_t *roots, unsigned level)
{
	const struct reach *r = l->r;
	unsigned last = level & (REACH_WITH_BODIES - 1);
	last = last < REACH_BODIES ? last : REACH_BODIES;
	l->bodies = level & REACH_WITH_BODIES;
	if (level & REACH_AT_ONCE) {
		l->level = last;
		l->bodies |= last == REACH_BODIES;
	}
	if (all_are_roots(l, roots)) {
		untie(l);
		return;
	}
	l->mentioned = mem_zero(r->texts.n + (size_t)1, sizeof *l->mentioned);
	l->methods = mem_dup(r->methods, r->texts.n + (size_t)1);
	l->whole = mem_zero(r->n + (size_t)1, 1);
	l->todo = mem_alloc((2 * (size_t)r->n + 1) * sizeof *l->todo);
	memset(l->stays, 0, r->n);
	begin(l, roots);
	while (l->level < last) {
		l->level++;
		rise(l);
		run(l);
	}
	untie(l);
	free(l->mentioned);
	free(l->methods);
	free(l->whole);
	free(l->todo);
}

void reach_live(const struct reach *r, const uint8_t *allowed, const uint8_t *roots, unsigned level,
                uint8_t *stays)
{
	struct live l = { .r = r, .allowed = allowed, .stays = stays };
	live(&l, roots, level);
}

static struct edit plain_edit(const struct reach *r, const uint8_t *stays, struct arena *arena)
{
	struct edit_part *parts = arena_alloc(arena, (r->n + (size_t)1) * sizeof *parts);
	struct edit edit = EDIT_NONE;
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t parent = r->items[i].parent;
		if (!stays[i] && (parent == REACH_NONE || stays[parent]))
			parts[n++] = reach_cut(r, i);
	}
	if (!edit_make(arena, parts, n, &edit))
		bug("declarations overlap");
	return edit;
}

struct edit reach_edit(const struct reach *r, const uint8_t *stays, struct arena *arena)
{
	return mends_edit(r->view, plain_edit(r, stays, arena), arena);
}

uint32_t reach_size(const struct reach *r, const uint8_t *stays)
{
	ARENA_SCOPED struct arena scratch = { 0 };
	int64_t saved = edit_saving(plain_edit(r, stays, &scratch));
	return r->view->tc->size - (uint32_t)saved;
}
