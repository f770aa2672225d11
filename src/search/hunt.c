#include "search/hunt.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "search/find_change_point.h"
#include "search/proposer.h"

enum { SINGLE = UINT32_MAX - 1 }; /* question id outside the window phase */

enum phase { FILLING, WINDOW, MERGING, ENLARGING, OVER };
enum slot_state { SLOT_NEW, SLOT_OPEN, SLOT_NO, SLOT_YES, SLOT_MERGED };

struct slot {
	struct proposal p;
	enum slot_state state;
};

struct range {
	uint32_t lo, hi; /* of winners */
};

/* A stack. */
struct ranges {
	uint32_t n, cap;
	struct range *list;
};

struct hunt {
	struct search s;
	const struct strategy *strategy;
	struct hunt_options options;
	struct proposer *proposer;
	enum phase phase;
	struct edit plain;  /* what is accepted, before places_edit changed it; owned */
	struct arena round; /* edits of the window */
	uint32_t room;      /* for slots and winners */
	uint32_t n_slots, next_slot, n_told;
	struct slot *slots;
	uint32_t n_winners, *winners; /* slots that were interesting alone, in merge order */
	struct ranges left;           /* what is still to be merged */
	bool merged_any;              /* accepted has changed since the window */
	bool asked;                   /* the single question is open */
	uint32_t enlarging;           /* index in winners */
	struct find_change_point fcp;
	uint32_t asked_before, won_before; /* over the whole hunt, for predictions */
};

static const struct places *places_of(const struct hunt *h)
{
	return h->proposer->places;
}

/* What is accepted as this search adds to it: without what is repaired when a question is asked. */
static struct edit accepted(const struct hunt *h)
{
	return places_change_edits(places_of(h)) ? h->plain : h->s.accepted;
}

static struct edit repaired(const struct hunt *h, struct edit plain, struct arena *arena)
{
	return places_edit(places_of(h), plain, arena);
}

static void accept(struct hunt *h, struct edit plain)
{
	struct arena scratch = { 0 };
	struct edit whole = repaired(h, plain, &scratch);
	h->s.repaired |= h->strategy->proves || (!places_of(h)->shell && !edit_equal(whole, plain));
	search_accept(&h->s, whole); /* PLAIN may be what was accepted, and is gone then */
	arena_release(&scratch);
	if (!places_change_edits(places_of(h)))
		return;
	struct edit old = h->plain;
	h->plain = edit_keep(plain);
	edit_drop(old);
}

/* A long hunt has larger rounds. */
static uint32_t window_of(const struct hunt *h)
{
	uint32_t grown = h->asked_before / HUNT_GROWS;
	if (h->options.window || grown < HUNT_WINDOW)
		return h->options.window ? h->options.window : HUNT_WINDOW;
	return grown < HUNT_WINDOW_MAX ? grown : HUNT_WINDOW_MAX;
}

static void fill(struct hunt *h)
{
	uint32_t window = window_of(h);
	struct proposer *proposer = h->proposer;
	h->s.cursor = proposer->ops->cursor(proposer);
	arena_release(&h->round);
	h->n_slots = h->next_slot = h->n_told = h->n_winners = h->left.n = h->enlarging = 0;
	h->merged_any = false;
	enum proposal_result r = PROPOSAL_MADE;
	while (h->n_slots < window && r == PROPOSAL_MADE) {
		struct slot *slot = &h->slots[h->n_slots];
		r = proposer->ops->propose(proposer, &h->round, &slot->p);
		if (r == PROPOSAL_WINDOW_ENDS && !h->n_slots) {
			r = proposer->ops->advance(proposer) ? PROPOSAL_MADE : PROPOSAL_EXHAUSTED;
			continue;
		}
		slot->state = SLOT_NEW;
		h->n_slots +=
			r == PROPOSAL_MADE && edit_news(accepted(h), slot->p.cut) == EDIT_ADDS;
	}
	h->phase = h->n_slots ? WINDOW : OVER;
	h->s.n_rounds++;
	h->s.done = h->phase == OVER;
}

/* Largest saving first, then in order of proposal. */
static void sort_winners(struct hunt *h)
{
	for (uint32_t i = 1; i < h->n_winners; i++) {
		uint32_t w = h->winners[i], j = i;
		int64_t saving = edit_saving(h->slots[w].p.cut);
		for (; j && edit_saving(h->slots[h->winners[j - 1]].p.cut) < saving; j--)
			h->winners[j] = h->winners[j - 1];
		h->winners[j] = w;
	}
}

static void push_range(struct hunt *h, uint32_t lo, uint32_t hi)
{
	MEM_GROW(h->left.list, h->left.n, h->left.cap);
	h->left.list[h->left.n++] = (struct range){ lo, hi };
}

/* What is accepted with all winners of RANGE that do not conflict. */
static struct edit merge_edit(const struct hunt *h, struct range r, struct arena *arena)
{
	struct edit all = accepted(h), next;
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

static void take_range(struct hunt *h, struct range r, struct edit whole)
{
	for (uint32_t i = r.lo; i < r.hi; i++) {
		struct slot *slot = &h->slots[h->winners[i]];
		if (edit_news(whole, slot->p.cut) == EDIT_ADDS_NOTHING)
			slot->state = SLOT_MERGED;
	}
	accept(h, whole);
	h->merged_any = true;
}

static void start_enlarging(struct hunt *h);

/* Takes what needs no question off the stack: nothing new, or a single winner that was judged with
 * just this company. */
static void settle_merging(struct hunt *h)
{
	while (h->left.n) {
		struct range r = h->left.list[h->left.n - 1];
		struct arena scratch = { 0 };
		struct edit whole = merge_edit(h, r, &scratch);
		bool nothing = edit_equal(whole, accepted(h));
		bool known = r.hi - r.lo == 1 && !h->merged_any;
		if (nothing || known) {
			h->left.n--;
			take_range(h, r, whole);
			if (nothing)
				h->s.n_accepted--;
		}
		arena_release(&scratch);
		if (!nothing && !known)
			return;
	}
	start_enlarging(h);
}

static void end_round(struct hunt *h)
{
	for (uint32_t i = 0; i < h->n_slots; i++)
		h->proposer->ops->learn(h->proposer, &h->slots[i].p,
		                        h->slots[i].state == SLOT_MERGED);
	fill(h);
}

/* Goes to the next winner that can be enlarged, or ends the round. */
static void settle_enlarging(struct hunt *h)
{
	for (; h->enlarging < h->n_winners; h->enlarging++) {
		const struct slot *slot = &h->slots[h->winners[h->enlarging]];
		if (slot->state != SLOT_MERGED || !h->strategy->enlarge)
			continue;
		while (!h->fcp.done) {
			struct arena scratch = { 0 };
			struct edit larger;
			uint32_t k = find_change_point_next(&h->fcp);
			enum edit_news news = EDIT_CONFLICTS;
			if (h->strategy->enlarge(places_of(h), slot->p.a, slot->p.b, k, &scratch,
			                         &larger))
				news = edit_news(accepted(h), larger);
			arena_release(&scratch);
			if (news == EDIT_ADDS)
				return;
			find_change_point_tell(&h->fcp, news == EDIT_ADDS_NOTHING);
		}
		h->fcp = find_change_point_start(UINT32_MAX / 4);
	}
	end_round(h);
}

static void start_enlarging(struct hunt *h)
{
	h->phase = ENLARGING;
	h->enlarging = 0;
	h->fcp = find_change_point_start(UINT32_MAX / 4);
	settle_enlarging(h);
}

static void start_merging(struct hunt *h)
{
	for (uint32_t i = 0; i < h->n_slots; i++)
		if (h->slots[i].state == SLOT_YES)
			h->winners[h->n_winners++] = i;
	h->asked_before += h->n_slots;
	h->won_before += h->n_winners;
	sort_winners(h);
	h->phase = MERGING;
	if (h->n_winners)
		push_range(h, 0, h->n_winners);
	settle_merging(h);
}

static struct edit single_edit(const struct hunt *h, struct arena *arena)
{
	if (h->phase == MERGING)
		return merge_edit(h, h->left.list[h->left.n - 1], arena);
	const struct slot *slot = &h->slots[h->winners[h->enlarging]];
	struct edit larger, whole;
	if (!h->strategy->enlarge(places_of(h), slot->p.a, slot->p.b,
	                          find_change_point_next(&h->fcp), arena, &larger) ||
	    !edit_union(arena, accepted(h), larger, &whole))
		bug("an enlargement changed its mind");
	return whole;
}

static bool hunt_next(struct search *s, struct arena *arena, struct question *q)
{
	struct hunt *h = (struct hunt *)s;
	if (h->phase == WINDOW && h->next_slot < h->n_slots) {
		struct slot *slot = &h->slots[h->next_slot];
		slot->state = SLOT_OPEN;
		*q = (struct question){ .id = h->next_slot++,
			                .likely = 2 * h->won_before > h->asked_before };
		struct edit whole;
		bool fine = edit_union(arena, accepted(h), slot->p.cut, &whole);
		q->edit = fine ? repaired(h, whole, arena) : EDIT_NONE;
		return fine;
	}
	if ((h->phase != MERGING && h->phase != ENLARGING) || h->asked)
		return false;
	h->asked = true;
	*q = (struct question){ .id = SINGLE, .edit = repaired(h, single_edit(h, arena), arena) };
	q->likely = h->phase == MERGING || find_change_point_next(&h->fcp) > 1;
	return true;
}

static void tell_merge(struct hunt *h, bool yes)
{
	struct range r = h->left.list[--h->left.n];
	if (yes) {
		struct arena scratch = { 0 };
		take_range(h, r, merge_edit(h, r, &scratch));
		arena_release(&scratch);
	} else if (r.hi - r.lo > 1) {
		uint32_t mid = r.lo + (r.hi - r.lo) / 2;
		push_range(h, mid, r.hi);
		push_range(h, r.lo, mid);
	}
	settle_merging(h);
}

static void tell_enlarge(struct hunt *h, bool yes)
{
	if (yes) {
		struct arena scratch = { 0 };
		accept(h, single_edit(h, &scratch));
		arena_release(&scratch);
	}
	find_change_point_tell(&h->fcp, yes);
	settle_enlarging(h);
}

static void hunt_tell(struct search *s, uint32_t id, bool yes)
{
	struct hunt *h = (struct hunt *)s;
	if (id != SINGLE) {
		h->slots[id].state = yes ? SLOT_YES : SLOT_NO;
		if (++h->n_told == h->n_slots)
			start_merging(h);
		return;
	}
	h->asked = false;
	if (h->phase == MERGING)
		tell_merge(h, yes);
	else
		tell_enlarge(h, yes);
}

static void hunt_free(struct search *s)
{
	struct hunt *h = (struct hunt *)s;
	h->proposer->ops->free(h->proposer);
	arena_release(&h->round);
	edit_drop(h->s.accepted);
	edit_drop(h->plain);
	free(h->slots);
	free(h->winners);
	free(h->left.list);
	free(h);
}

static struct search *hunt_clone(const struct search *s)
{
	const struct hunt *from = (const struct hunt *)s;
	struct hunt *h = mem_dup(from, sizeof *from);
	h->s.accepted = edit_keep(from->s.accepted);
	h->plain = edit_keep(from->plain);
	h->proposer = from->proposer->ops->clone(from->proposer);
	h->round = (struct arena){ 0 };
	h->slots = mem_dup(from->slots, h->room * sizeof *h->slots);
	for (uint32_t i = 0; i < h->n_slots; i++)
		h->slots[i].p.cut = edit_copy(&h->round, from->slots[i].p.cut);
	h->winners = mem_dup(from->winners, h->room * sizeof *h->winners);
	h->left.list = mem_dup(from->left.list, from->left.cap * sizeof *h->left.list);
	return &h->s;
}

static struct proposer *new_proposer(struct places *places, const struct hunt_options *o)
{
	if (o->order == HUNT_BLOCKS)
		return blocks_new(places, o->first_block, o->cursor);
	return sweep_new(places, o->order == HUNT_CHAOS ? CHOOSER_RANDOM : CHOOSER_REVERSE, o->seed,
	                 o->max_steps, o->cursor);
}

struct search *hunt_new(struct places *places, const struct hunt_options *options)
{
	static const struct search_ops ops = { hunt_next, hunt_tell, hunt_clone, hunt_free };
	struct hunt *h = mem_zero(1, sizeof *h);
	h->s.ops = &ops;
	h->strategy = places->strategy;
	h->options = *options;
	uint32_t room = options->window > HUNT_WINDOW_MAX ? options->window : HUNT_WINDOW_MAX;
	h->room = room;
	h->slots = mem_zero(room, sizeof *h->slots);
	h->winners = mem_zero(room, sizeof *h->winners);
	h->proposer = new_proposer(places, options);
	fill(h);
	return &h->s;
}
