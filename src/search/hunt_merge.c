#include <stdlib.h>

#include "base/mem.h"
#include "search/hunt_impl.h"

static const struct places *places_of(const struct hunt *h)
{
	return h->proposer->places;
}

struct edit hunt_accepted(const struct hunt *h)
{
	return places_change_edits(places_of(h)) ? h->plain : h->s.accepted;
}

struct edit hunt_repaired(const struct hunt *h, struct edit plain, struct arena *arena)
{
	return places_edit(places_of(h), plain, arena);
}

static void accept(struct hunt *h, struct edit plain)
{
	struct arena scratch = { 0 };
	struct edit whole = hunt_repaired(h, plain, &scratch);
	h->s.repaired |= h->strategy->proves ||
	                 (!places_of(h)->shell && !places_of(h)->tied && !edit_equal(whole, plain));
	search_accept(&h->s, whole); /* PLAIN may be what was accepted, and is gone then */
	arena_release(&scratch);
	if (!places_change_edits(places_of(h)))
		return;
	struct edit old = h->plain;
	h->plain = edit_keep(plain);
	edit_drop(old);
}

void hunt_sort_winners(struct hunt *h)
{
	for (uint32_t i = 1; i < h->n_winners; i++) {
		uint32_t w = h->winners[i], j = i;
		int64_t saving = edit_saving(h->slots[w].p.cut);
		for (; j && edit_saving(h->slots[h->winners[j - 1]].p.cut) < saving; j--)
			h->winners[j] = h->winners[j - 1];
		h->winners[j] = w;
	}
}

void hunt_push_range(struct hunt *h, uint32_t lo, uint32_t hi)
{
	MEM_GROW(h->left.list, h->left.n, h->left.cap);
	h->left.list[h->left.n++] = (struct range){ lo, hi };
}

/* What is accepted with all winners of RANGE that do not conflict. */
static struct edit merge_edit(const struct hunt *h, struct range r, struct arena *arena)
{
	struct edit all = hunt_accepted(h), next;
	struct proposal *taken = arena_alloc(arena, h->n_winners * sizeof *taken);
	uint32_t n = 0;
	for (uint32_t i = 0; i < r.hi; i++) {
		const struct slot *slot = &h->slots[h->winners[i]];
		if (i < r.lo ? slot->state != SLOT_MERGED
		             : !edit_union(arena, all, slot->p.cut, &next))
			continue;
		if (i >= r.lo)
			all = next;
		taken[n++] = slot->p;
	}
	if (n > 1)
		h->proposer->ops->tidy(h->proposer, taken, n, arena, &all);
	return all;
}

void hunt_take_range(struct hunt *h, struct range r, struct edit whole)
{
	for (uint32_t i = r.lo; i < r.hi; i++) {
		struct slot *slot = &h->slots[h->winners[i]];
		if (edit_news(whole, slot->p.cut) == EDIT_ADDS_NOTHING)
			slot->state = SLOT_MERGED;
	}
	accept(h, whole);
	h->merged_any = true;
}

struct edit hunt_top_merge(struct hunt *h)
{
	struct merge *m = &h->merge;
	if (!m->known)
		m->edit = merge_edit(h, h->left.list[h->left.n - 1], &m->arena);
	m->known = true;
	return m->edit;
}

struct range hunt_pop_range(struct hunt *h)
{
	arena_release(&h->merge.arena);
	h->merge.known = false;
	return h->left.list[--h->left.n];
}
