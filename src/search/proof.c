#include "search/proof.h"

#include <stdlib.h>

#include "base/err.h"

enum {
	BLOCKS = 16, /* of each size at most, from the end, as far apart as they can be */
	MOST = 128,  /* questions */
	VAIN = 32,   /* of these, once counts are proven, that may show nothing of places */
};

/* With what repairs a cut is asked about. */
enum asked {
	ASK_ALL,
	ASK_NONE,
	ASK_COUNTS, /* all but places */
};

struct proof {
	struct search s; /* first */
	struct places *places;
	struct edit plain;        /* what is accepted, without what is repaired; owned */
	uint32_t size, blocks;    /* elements in a block; blocks of this size to come */
	uint32_t questions, vain; /* in all; since counts were proven */
	enum asked asked;
	bool open, knows_places;
	bool all_works; /* this cut does, with all repairs */
};

static uint32_t blocks_of(const struct proof *p)
{
	uint32_t all = (p->places->n + p->size - 1) / p->size;
	return all < BLOCKS ? all : BLOCKS;
}

/* The cut of the block, with what is accepted; false: that is nothing new. */
static bool cut(const struct proof *p, struct arena *arena, struct edit *out)
{
	const struct places *places = p->places;
	uint32_t all = (places->n + p->size - 1) / p->size, n = blocks_of(p);
	uint32_t lo = (uint32_t)((uint64_t)(p->blocks - 1) * all / n) * p->size;
	uint32_t hi = lo + p->size < places->n ? lo + p->size : places->n;
	uint32_t m = places->first[hi] - places->first[lo];
	struct edit_part *parts = arena_alloc(arena, (m + (size_t)1) * sizeof *parts);
	struct edit block;
	for (uint32_t i = 0; i < m; i++)
		parts[i] = places->parts[places->first[lo] + i];
	return edit_make(arena, parts, m, &block) && edit_union(arena, p->plain, block, out) &&
	       !edit_equal(*out, p->plain);
}

/* What PLAIN is with the repairs of ASKED. */
static struct edit with(const struct proof *p, enum asked asked, struct edit plain,
                        struct arena *arena)
{
	const uint8_t *bytes = p->places->view->tc->bytes;
	if (asked == ASK_NONE)
		return plain;
	if (asked == ASK_ALL)
		return repair_edit(p->s.left, bytes, plain, arena);
	struct repair *counts = repair_without_places(p->s.left);
	struct edit edit = repair_edit(counts, bytes, plain, arena);
	repair_unref(counts);
	return edit;
}

static bool differ(const struct proof *p, enum asked a, enum asked b)
{
	struct arena scratch = { 0 };
	struct edit plain;
	bool fine = cut(p, &scratch, &plain) &&
	            !edit_equal(with(p, a, plain, &scratch), with(p, b, plain, &scratch));
	arena_release(&scratch);
	return fine;
}

static bool has_places(const struct repair *r)
{
	uint32_t i = 0;
	while (i < r->n && r->fields[i].kind != FIELD_PLACE)
		i++;
	return i < r->n;
}

static bool is_worth_asking(const struct proof *p)
{
	return p->s.repaired ? differ(p, ASK_ALL, ASK_COUNTS) : differ(p, ASK_ALL, ASK_NONE);
}

static bool is_over(const struct proof *p)
{
	return !p->s.left->n || p->questions >= MOST ||
	       (p->s.repaired && (p->knows_places || p->vain > VAIN || !has_places(p->s.left)));
}

/* Goes to the next block that tells something. */
static void next_block(struct proof *p)
{
	p->asked = ASK_ALL;
	while (!p->s.done) {
		if (p->blocks > 1)
			p->blocks--;
		else if (p->size > 1) {
			p->size = (p->size + 1) / 2;
			p->blocks = blocks_of(p);
		} else
			p->s.done = true;
		p->s.done |= is_over(p);
		if (!p->s.done && is_worth_asking(p))
			return;
	}
}

/* What is left of the repair when the cut shows that what it repairs is USELESS; the caller's. */
static struct repair *less(const struct proof *p, enum repair_useless useless)
{
	struct arena scratch = { 0 };
	struct edit plain;
	if (!cut(p, &scratch, &plain))
		bug("a block of records has changed");
	struct repair *left = repair_without(p->s.left, p->places->view->tc->bytes,
	                                     with(p, ASK_ALL, plain, &scratch), useless);
	arena_release(&scratch);
	return left;
}

static void drop(struct proof *p, enum repair_useless useless)
{
	struct repair *left = less(p, useless);
	repair_unref(p->s.left);
	p->s.left = left;
}

static void accept(struct proof *p, enum asked asked)
{
	struct arena scratch = { 0 };
	struct edit plain;
	if (!cut(p, &scratch, &plain))
		bug("a block of records has changed");
	search_accept(&p->s, with(p, asked, plain, &scratch));
	struct edit old = p->plain;
	p->plain = edit_keep(plain);
	edit_drop(old);
	arena_release(&scratch);
}

/* Does it tell something whether the cut works with all repairs but places? */
static bool counts_tell(const struct proof *p)
{
	if (!differ(p, ASK_ALL, ASK_COUNTS) || !differ(p, ASK_COUNTS, ASK_NONE))
		return false;
	struct repair *left = less(p, REPAIR_USELESS_PLACES);
	bool tells = !p->all_works || left->n < p->s.left->n;
	repair_unref(left);
	return tells;
}

static void try_counts(struct proof *p)
{
	if (counts_tell(p)) {
		p->asked = ASK_COUNTS;
		return;
	}
	if (p->all_works)
		accept(p, ASK_ALL);
	next_block(p);
}

static void tell_all(struct proof *p, bool works)
{
	p->all_works = works;
	if (p->s.repaired)
		try_counts(p);
	else
		p->asked = ASK_NONE;
}

/* Without repairs: if it works so, they are none. */
static void tell_none(struct proof *p, bool works)
{
	if (!works) {
		p->s.repaired |= p->all_works;
		try_counts(p);
		return;
	}
	drop(p, REPAIR_USELESS);
	accept(p, ASK_NONE);
	next_block(p);
}

static void tell_counts(struct proof *p, bool works)
{
	p->knows_places |= p->all_works && !works;
	p->s.repaired |= works;
	if (works)
		drop(p, p->all_works ? REPAIR_USELESS_PLACES : REPAIR_BREAKS);
	if (works || p->all_works)
		accept(p, works ? ASK_COUNTS : ASK_ALL);
	next_block(p);
}

static bool proof_next(struct search *search, struct arena *arena, struct question *q)
{
	struct proof *p = (struct proof *)search;
	struct edit plain;
	if (p->open || search->done)
		return false;
	if (!cut(p, arena, &plain))
		bug("a block of records has changed");
	p->open = true;
	*q = (struct question){ .edit = with(p, p->asked, plain, arena) };
	return true;
}

static void proof_tell(struct search *search, uint32_t id, bool interesting)
{
	struct proof *p = (struct proof *)search;
	if (!p->open || id)
		bug("verdict on a question that was not asked");
	p->open = false;
	p->questions++;
	p->vain += search->repaired;
	static void (*const tell[])(struct proof *, bool) = {
		[ASK_ALL] = tell_all, [ASK_NONE] = tell_none, [ASK_COUNTS] = tell_counts
	};
	tell[p->asked](p, interesting);
	search->n_rounds++;
}

static struct search *proof_clone(const struct search *search)
{
	struct proof *p = mem_dup(search, sizeof *p);
	places_ref(p->places);
	repair_ref(p->s.left);
	p->plain = edit_keep(p->plain);
	p->s.accepted = edit_keep(p->s.accepted);
	return &p->s;
}

static void proof_free(struct search *search)
{
	struct proof *p = (struct proof *)search;
	places_unref(p->places);
	repair_unref(p->s.left);
	edit_drop(p->plain);
	edit_drop(search->accepted);
	free(p);
}

struct search *proof_new(struct places *places)
{
	static const struct search_ops ops = { proof_next, proof_tell, proof_clone, proof_free };
	struct proof *p = mem_zero(1, sizeof *p);
	p->s.ops = &ops;
	p->places = places_ref(places);
	p->s.left = repair_ref(places->repair);
	p->size = places->n;
	p->s.done = !places->n;
	p->blocks = 2; /* behind the only one of this size */
	next_block(p);
	return &p->s;
}
