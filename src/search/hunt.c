#include "search/hunt.h"

#include "base/mem.h"
#include "search/integers.h"
#include "search/proposer.h"

enum phase { FILLING, WINDOW, MERGING, ENLARGING, OVER };
enum asked_state { ASKED_NEW, ASKED_OPEN, ASKED_NO, ASKED_YES, ASKED_MERGED, ASKED_SKIPPED };

struct asked {
	struct proposal p;
	enum asked_state state;
	bool after; /* it is asked about when the one before was refused, and skipped when not */
	struct find_change_point fcp; /* of its enlargements, the last of which is the cut */
};

struct asked_range {
	uint32_t lo, hi; /* of winners */
};

/* A stack. */
struct asked_ranges {
	uint32_t n, cap;
	struct asked_range *list;
};

/* What was accepted with the winners of a range. */
struct merge {
	bool known;
	struct edit edit;
	struct arena arena; /* its parts */
};

struct hunt {
	struct search s;
	const struct strategy *strategy;
	struct hunt_options options;
	struct proposer *proposer;
	enum phase phase;
	struct edit plain;  /* what is accepted, before edit_sites_edit changed it; owned */
	struct arena round; /* edits of the window */
	uint32_t room;      /* for slots and winners: a window, each of which may be a pair */
	uint32_t n_slots, next_slot, next_half, n_open, n_told;
	struct asked *slots;
	uint32_t n_winners, *winners;      /* slots that were interesting alone, in merge order */
	struct asked_ranges left;          /* what is still to be merged */
	struct merge merge;                /* of the range on top */
	bool merged_any;                   /* accepted has changed since the window */
	uint8_t merge_chance;              /* of the next question about winners, in percent */
	bool asked;                        /* the single question is open */
	bool enlarges;                     /* the winners of the window are merged */
	uint32_t n_enlarged, *enlarged;    /* those that were */
	uint32_t asked_before, won_before; /* over the whole hunt, for predictions */
	uint32_t grown; /* candidates that the next round may have; 0: as many as ever */
};

/* ---- merging ---- */

static const struct edit_sites *edit_sites_of(const struct hunt *h)
{
	return h->proposer->edit_sites;
}

/* What is accepted as this search adds to it: without what is repaired when a question is asked. */
static struct edit hunt_accepted(const struct hunt *h)
{
	return edit_sites_change_edits(edit_sites_of(h)) ? h->plain : h->s.accepted;
}

/* PLAIN as it is asked about, in ARENA. */
static struct edit hunt_repaired(const struct hunt *h, struct edit plain, struct arena *arena)
{
	return edit_sites_edit(edit_sites_of(h), plain, arena);
}

static void accept(struct hunt *h, struct edit plain)
{
	struct arena scratch = { 0 };
	struct edit whole = hunt_repaired(h, plain, &scratch);
	h->s.repaired |=
		h->strategy->proves ||
		(!edit_sites_of(h)->shell && !edit_sites_of(h)->tied && !edit_equal(whole, plain));
	search_accept(&h->s, whole); /* PLAIN may be what was accepted, and is gone then */
	arena_release(&scratch);
	if (!edit_sites_change_edits(edit_sites_of(h)))
		return;
	struct edit old = h->plain;
	h->plain = edit_keep(plain);
	edit_drop(old);
}

/* Largest saving first, then in order of proposal. */
static void hunt_sort_winners(struct hunt *h)
{
	for (uint32_t i = 1; i < h->n_winners; i++) {
		uint32_t w = h->winners[i], j = i;
		int64_t saving = edit_saving(h->slots[w].p.cut);
		for (; j && edit_saving(h->slots[h->winners[j - 1]].p.cut) < saving; j--)
			h->winners[j] = h->winners[j - 1];
		h->winners[j] = w;
	}
}

static void hunt_push_range(struct hunt *h, uint32_t lo, uint32_t hi)
{
	MEM_PUSH(h->left.list, h->left.n, h->left.cap, (struct asked_range){ lo, hi });
}

/* What is accepted with all winners of RANGE that do not conflict. */
static struct edit merge_edit(const struct hunt *h, struct asked_range r, struct arena *arena)
{
	struct edit all = hunt_accepted(h), next;
	struct proposal *taken = arena_alloc(arena, h->n_winners * sizeof *taken);
	uint32_t n = 0;
	for (uint32_t i = 0; i < r.hi; i++) {
		const struct asked *slot = &h->slots[h->winners[i]];
		if (i < r.lo ? slot->state != ASKED_MERGED
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

/* WHOLE is accepted, and with it the winners of R. */
static void hunt_take_range(struct hunt *h, struct asked_range r, struct edit whole)
{
	for (uint32_t i = r.lo; i < r.hi; i++) {
		struct asked *slot = &h->slots[h->winners[i]];
		if (edit_news(whole, slot->p.cut) == EDIT_ADDS_NOTHING)
			slot->state = ASKED_MERGED;
	}
	accept(h, whole);
	h->merged_any = true;
}

/* What is accepted with the winners of the range on top, until that is taken off. */
static struct edit hunt_top_merge(struct hunt *h)
{
	struct merge *m = &h->merge;
	if (!m->known)
		m->edit = merge_edit(h, h->left.list[h->left.n - 1], &m->arena);
	m->known = true;
	return m->edit;
}

static struct asked_range hunt_pop_range(struct hunt *h)
{
	arena_release(&h->merge.arena);
	h->merge.known = false;
	return h->left.list[--h->left.n];
}

enum { SINGLE = UINT32_MAX - 1 }; /* question id outside the window phase */

/* How often winners are interesting together, in percent: all of a round 34 times in 44; when they
 * clash their first half 11 times in 39, and what is behind that hardly ever (doc/experiments.md).
 */
enum { TOGETHER = 80, FIRST_HALF = 30, BEHIND = 2 };

/* A long hunt has larger rounds. */
static uint32_t window_of(const struct hunt *h)
{
	uint32_t grown = h->asked_before / HUNT_GROWS;
	if (grown < h->grown)
		grown = h->grown;
	if (h->options.window || grown < HUNT_WINDOW)
		return h->options.window ? h->options.window : HUNT_WINDOW;
	return grown < HUNT_WINDOW_MAX ? grown : HUNT_WINDOW_MAX;
}

/* Of records that are what they seem no blocks are left for other passes, nor single ones while
 * they go. */
static bool goes_well(const struct hunt *h)
{
	const struct proposer *p = h->proposer;
	const struct records *records = p->edit_sites->view->records;
	bool sure = h->strategy->proves && records && (records->proven || h->s.repaired);
	return (sure && h->s.cursor.block > 1) || (p->ops->goes_well && p->ops->goes_well(p, sure));
}

static void fill(struct hunt *h)
{
	uint32_t window = window_of(h);
	struct proposer *proposer = h->proposer;
	h->s.cursor = proposer->ops->cursor(proposer);
	arena_release(&h->round);
	h->n_slots = h->next_slot = h->next_half = h->n_told = h->n_winners = h->left.n = 0;
	h->merged_any = h->enlarges = false;
	enum proposal_result r = PROPOSAL_MADE;
	bool paired = false;
	for (uint32_t n = 0; (n < window || paired) && r == PROPOSAL_MADE;) {
		struct asked *slot = &h->slots[h->n_slots];
		slot->p.paired = false;
		r = proposer->ops->propose(proposer, &h->round, &slot->p);
		if (r == PROPOSAL_WINDOW_ENDS && !h->n_slots) {
			r = proposer->ops->advance(proposer) ? PROPOSAL_MADE : PROPOSAL_EXHAUSTED;
			continue;
		}
		if (r != PROPOSAL_MADE || edit_news(hunt_accepted(h), slot->p.cut) != EDIT_ADDS) {
			paired = false;
			continue;
		}
		slot->state = ASKED_NEW;
		slot->after = paired;
		paired = slot->p.paired;
		n += !slot->after;
		h->n_slots++;
	}
	h->n_open = h->n_slots;
	h->phase = h->n_slots ? WINDOW : OVER;
	h->s.goes_well = goes_well(h);
	h->s.n_rounds++;
	h->s.done = h->phase == OVER;
}

static void end_merging(struct hunt *h);

/* Takes what needs no question off the stack: nothing new, or a single winner that was judged with
 * just this company. */
static void settle_merging(struct hunt *h)
{
	while (h->left.n) {
		struct asked_range r = h->left.list[h->left.n - 1];
		bool nothing = edit_equal(hunt_top_merge(h), hunt_accepted(h));
		bool known = r.hi - r.lo == 1 && !h->merged_any;
		if (!nothing && !known)
			return;
		hunt_take_range(h, r, hunt_top_merge(h));
		if (nothing)
			h->s.n_accepted--;
		hunt_pop_range(h);
	}
	end_merging(h);
}

static enum proposal_fate fate_of(const struct asked *slot)
{
	return slot->state == ASKED_MERGED    ? PROPOSAL_ACCEPTED
	       : slot->state == ASKED_SKIPPED ? PROPOSAL_SKIPPED
	                                      : PROPOSAL_REFUSED;
}

static void end_round(struct hunt *h)
{
	for (uint32_t i = 0; i < h->n_slots; i++)
		h->proposer->ops->learn(h->proposer, &h->slots[i].p, fate_of(&h->slots[i]));
	fill(h);
}

/* The next enlargement of SLOT to ask about becomes its cut; false: there is none. */
static bool find_enlargement(struct hunt *h, struct asked *slot)
{
	struct edit larger;
	while (!slot->fcp.done) {
		uint32_t k = find_change_point_next(&slot->fcp);
		enum edit_news news = EDIT_CONFLICTS;
		if (h->strategy->enlarge(h->proposer->edit_sites, slot->p.a, slot->p.b, k,
		                         &h->round, &larger))
			news = edit_news(hunt_accepted(h), larger);
		if (news == EDIT_ADDS) {
			slot->p.cut = larger;
			return true;
		}
		find_change_point_tell(&slot->fcp, news == EDIT_ADDS_NOTHING);
	}
	return false;
}

/* Asks about an enlargement of each winner that may have one, all at once; or ends the round. */
static void settle_enlarging(struct hunt *h)
{
	h->n_open = h->n_told = h->next_slot = 0;
	for (uint32_t i = 0; i < h->n_enlarged; i++) {
		struct asked *slot = &h->slots[h->enlarged[i]];
		bool may_grow = find_enlargement(h, slot);
		slot->state = may_grow ? ASKED_NEW : ASKED_MERGED;
		h->n_open += may_grow;
	}
	h->phase = ENLARGING;
	if (!h->n_open)
		end_round(h);
}

static void start_enlarging(struct hunt *h)
{
	h->n_enlarged = 0;
	for (uint32_t i = 0; i < h->n_winners && h->strategy->enlarge; i++)
		if (h->slots[h->winners[i]].state == ASKED_MERGED) {
			h->slots[h->winners[i]].fcp = find_change_point_start(UINT32_MAX / 4);
			h->enlarged[h->n_enlarged++] = h->winners[i];
		}
	h->enlarges = true;
	settle_enlarging(h);
}

/* What of the window, or of the enlargements, can be merged has been. */
static void end_merging(struct hunt *h)
{
	if (!h->enlarges) {
		start_enlarging(h);
		return;
	}
	for (uint32_t i = 0; i < h->n_enlarged; i++) {
		struct asked *slot = &h->slots[h->enlarged[i]];
		if (!slot->fcp.done)
			find_change_point_tell(&slot->fcp, slot->state == ASKED_MERGED);
	}
	settle_enlarging(h);
}

static void merge_winners(struct hunt *h)
{
	hunt_sort_winners(h);
	h->phase = MERGING;
	h->merged_any = false;
	h->merge_chance = TOGETHER;
	if (h->n_winners)
		hunt_push_range(h, 0, h->n_winners);
	settle_merging(h);
}

static void merge_enlargements(struct hunt *h)
{
	h->n_winners = 0;
	for (uint32_t i = 0; i < h->n_enlarged; i++)
		if (h->slots[h->enlarged[i]].state == ASKED_YES)
			h->winners[h->n_winners++] = h->enlarged[i];
	merge_winners(h);
}

static void start_merging(struct hunt *h)
{
	uint32_t n_asked = 0;
	for (uint32_t i = 0; i < h->n_slots; i++) {
		if (h->slots[i].state == ASKED_YES)
			h->winners[h->n_winners++] = i;
		n_asked += h->slots[i].state != ASKED_SKIPPED;
	}
	h->asked_before += n_asked;
	h->won_before += h->n_winners;
	h->grown = h->options.order == HUNT_BLOCKS && n_asked >= HUNT_WINDOW &&
	                           HUNT_RATE * h->n_winners >= n_asked
	                   ? HUNT_FACTOR * n_asked
	                   : 0;
	merge_winners(h);
}

/* The next first half whose second half was refused, in order whenever verdicts come: so what has
 * been asked after so many questions does not depend on that. NULL: none now. */
static struct asked *next_half(struct hunt *h)
{
	for (; h->next_half < h->n_slots; h->next_half++) {
		struct asked *slot = &h->slots[h->next_half];
		if (!slot->after || slot->state == ASKED_SKIPPED)
			continue;
		if (slot[-1].state != ASKED_NO)
			return NULL;
		h->next_half++;
		return slot;
	}
	return NULL;
}

/* The next slot of the window, or of those that are enlarged; NULL: there is none now. */
static struct asked *next_slot(struct hunt *h)
{
	uint32_t n = h->phase == WINDOW ? h->n_slots : h->phase == ENLARGING ? h->n_enlarged : 0;
	while (h->next_slot < n) {
		uint32_t i = h->next_slot++;
		struct asked *slot = &h->slots[h->phase == WINDOW ? i : h->enlarged[i]];
		if (slot->state == ASKED_NEW && !(h->phase == WINDOW && slot->after))
			return slot;
	}
	return h->phase == WINDOW ? next_half(h) : NULL;
}

/* That SLOT succeeds, in percent: as often as others so far, but a half of what was refused no more
 * often than not. A first enlargement is seldom one. */
static uint8_t chance_of(const struct hunt *h, const struct asked *slot)
{
	if (h->phase == ENLARGING)
		return find_change_point_next(&slot->fcp) > 1 ? 75 : 25;
	uint8_t often = h->asked_before ? (uint8_t)(100ull * h->won_before / h->asked_before) : 0;
	return (uint8_t)(slot->p.paired && often > 50 ? 50 : often);
}

static bool hunt_next(struct search *s, struct arena *arena, struct question *q)
{
	struct hunt *h = (struct hunt *)s;
	struct asked *slot = next_slot(h);
	struct edit whole;
	if (slot) {
		slot->state = ASKED_OPEN;
		*q = (struct question){ .id = (uint32_t)(slot - h->slots),
			                .chance = chance_of(h, slot) };
		bool fine = edit_union(arena, hunt_accepted(h), slot->p.cut, &whole);
		q->edit = fine ? hunt_repaired(h, whole, arena) : EDIT_NONE;
		return fine;
	}
	if (h->phase != MERGING || h->asked)
		return false;
	h->asked = true;
	whole = hunt_repaired(h, hunt_top_merge(h), arena);
	*q = (struct question){ .id = SINGLE, .edit = whole, .chance = h->merge_chance };
	return true;
}

static void tell_merge(struct hunt *h, bool yes)
{
	if (yes)
		hunt_take_range(h, h->left.list[h->left.n - 1], hunt_top_merge(h));
	struct asked_range r = hunt_pop_range(h);
	bool halve = !yes && r.hi - r.lo > 1;
	if (!yes || h->merge_chance != TOGETHER)
		h->merge_chance = halve ? FIRST_HALF : BEHIND;
	if (halve) {
		uint32_t mid = r.lo + (r.hi - r.lo) / 2;
		hunt_push_range(h, mid, r.hi);
		hunt_push_range(h, r.lo, mid);
	}
	settle_merging(h);
}

/* Slot I succeeded. */
static void skip_other_half(struct hunt *h, uint32_t i)
{
	if (i + 1 == h->n_slots || !h->slots[i + 1].after)
		return;
	h->slots[i + 1].state = ASKED_SKIPPED;
	h->n_told++;
}

static void hunt_tell(struct search *s, uint32_t id, bool yes)
{
	struct hunt *h = (struct hunt *)s;
	if (id != SINGLE) {
		h->slots[id].state = yes ? ASKED_YES : ASKED_NO;
		h->n_told++;
		if (yes && h->phase == WINDOW)
			skip_other_half(h, id);
		if (h->n_told < h->n_open)
			return;
		if (h->phase == WINDOW)
			start_merging(h);
		else
			merge_enlargements(h);
		return;
	}
	h->asked = false;
	tell_merge(h, yes);
}

static void hunt_free(struct search *s)
{
	struct hunt *h = (struct hunt *)s;
	h->proposer->ops->free(h->proposer);
	arena_release(&h->round);
	arena_release(&h->merge.arena);
	edit_drop(h->s.accepted);
	edit_drop(h->plain);
	free(h->slots);
	free(h->winners);
	free(h->enlarged);
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
	h->merge = (struct merge){ 0 };
	h->slots = mem_dup(from->slots, h->room * sizeof *h->slots);
	for (uint32_t i = 0; i < h->n_slots; i++)
		h->slots[i].p.cut = edit_copy(&h->round, from->slots[i].p.cut);
	h->winners = mem_dup(from->winners, h->room * sizeof *h->winners);
	h->enlarged = mem_dup(from->enlarged, h->room * sizeof *h->enlarged);
	h->left.list = mem_dup(from->left.list, from->left.cap * sizeof *h->left.list);
	return &h->s;
}

static struct proposer *new_proposer(struct edit_sites *edit_sites, const struct hunt_options *o)
{
	if (o->order == HUNT_BLOCKS)
		return blocks_new(edit_sites, o->first_block, o->cursor);
	return sweep_new(edit_sites, o->order == HUNT_CHAOS ? CHOOSER_RANDOM : CHOOSER_REVERSE,
	                 o->seed, o->max_steps, o->cursor);
}

struct search *hunt_new(struct edit_sites *edit_sites, const struct hunt_options *options)
{
	static const struct search_ops ops = { hunt_next, hunt_tell, hunt_clone, hunt_free };
	struct hunt *h = mem_zero(1, sizeof *h);
	h->s.ops = &ops;
	h->strategy = edit_sites->strategy;
	h->options = *options;
	uint32_t room = 2 * (options->window > HUNT_WINDOW_MAX ? options->window : HUNT_WINDOW_MAX);
	h->room = room;
	h->slots = mem_zero(room, sizeof *h->slots);
	h->winners = mem_zero(room, sizeof *h->winners);
	h->enlarged = mem_zero(room, sizeof *h->enlarged);
	h->proposer = new_proposer(edit_sites, options);
	fill(h);
	return &h->s;
}
