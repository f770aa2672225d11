#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "search/proposer.h"

enum {
	GIVE_UP = 96, /* blocks in a row without success after which a level above single elements
	                 is left */
	DRY_SURELY = 32, /* a dry level of so many blocks says that much smaller ones are needed */
	DRY_MAYBE = 8,
	SHORT = 64, /* a list of so few elements is gone through in any case: any dry level says so
	             */
};

/* The first half of a block that was refused. It is put off until the verdict on the second half is
 * in: where that can go, this one cannot, as both together could not. */
struct half {
	uint32_t a, b;     /* elements [a, b) */
	uint32_t second_b; /* where the second half ends */
	bool known;        /* not to be asked about */
};

/* A queue. */
struct halves {
	uint32_t n, cap, next;
	uint32_t n_fresh; /* the last so many are of this window: verdicts are still to come */
	struct half *list;
};

struct blocks {
	struct proposer p;
	uint32_t block;      /* elements in a block */
	uint32_t position;   /* elements from here on have been proposed at this level */
	uint32_t remaining;  /* elements not gone */
	uint32_t tried, won; /* at this level */
	uint32_t dry;        /* blocks tried since the last success at this level */
	uint64_t *gone;      /* bit set of elements */
	bool whole;          /* this level began at the end */
	bool halves;         /* of blocks of the level before, as far as they end behind... */
	uint32_t refused;    /* ...this element */
	struct halves off;   /* put off */
};

static size_t words(const struct blocks *b)
{
	return b->p.places->n / 64 + 1;
}

/* The number of elements that begin before the offset AT. */
static uint32_t elements_before(const struct places *p, uint32_t at)
{
	uint32_t e = p->n;
	while (e && p->parts[p->first[e - 1]].begin >= at)
		e--;
	return e;
}

static bool is_gone(const struct blocks *b, uint32_t e)
{
	return b->gone[e / 64] >> (e % 64) & 1;
}

static bool is_taken(const struct blocks *b, const struct proposal *with, uint32_t n, uint32_t e)
{
	bool taken = is_gone(b, e);
	for (uint32_t i = 0; i < n && !taken; i++)
		taken = e >= with[i].a && e < with[i].b;
	return taken;
}

/* When WITH[i] and what else goes take the rest of a list away, the separator behind the last
 * element that stays must go too. An empty part when there is none. */
static struct edit_part dangling_separator(const struct blocks *b, const struct proposal *with,
                                           uint32_t n, uint32_t i)
{
	const struct places *p = b->p.places;
	struct edit_part none = { 0 };
	uint32_t lo = with[i].a;
	if (!p->separator || !lo || p->list_end[lo - 1] <= lo)
		return none;
	uint32_t end = p->list_end[lo];
	if (p->separator[end - 1].begin < p->separator[end - 1].end)
		return none; /* this list ends with a separator by habit */
	for (uint32_t e = with[i].b; e < end; e++)
		if (!is_taken(b, with, n, e))
			return none;
	for (uint32_t e = lo; e > 0 && p->list_end[e - 1] == end; e--)
		if (!is_taken(b, with, n, e - 1))
			return p->separator[e - 1];
	return none;
}

/* The separators that would be left at the end of a list. */
static bool blocks_tidy(const struct proposer *proposer, const struct proposal *taken, uint32_t n,
                        struct arena *arena, struct edit *edit)
{
	const struct blocks *b = (const struct blocks *)proposer;
	for (uint32_t i = 0; i < n; i++) {
		struct edit_part tail = dangling_separator(b, taken, n, i);
		if (tail.begin < tail.end &&
		    !edit_union(arena, *edit, edit_cut(arena, tail.begin, tail.end), edit))
			return false;
	}
	return true;
}

/* The edit of the elements [lo, hi) that are not gone. Elements may interleave, so parts are sorted
 * when they must be. */
static bool block_edit(const struct blocks *b, uint32_t lo, uint32_t hi, struct arena *arena,
                       struct edit *out)
{
	const struct places *p = b->p.places;
	uint32_t n = p->first[hi] - p->first[lo], m = 0;
	struct edit_part *parts = mem_alloc((n + (size_t)1) * sizeof *parts);
	for (uint32_t e = lo; e < hi; e++)
		if (!is_gone(b, e))
			for (uint32_t i = p->first[e]; i < p->first[e + 1]; i++) {
				struct edit_part *last = m ? &parts[m - 1] : NULL;
				if (last && !last->len && !p->parts[i].len &&
				    last->end == p->parts[i].begin)
					last->end = p->parts[i].end;
				else
					parts[m++] = p->parts[i];
			}
	struct edit_part tail = dangling_separator(b, &(struct proposal){ .a = lo, .b = hi }, 1, 0);
	if (tail.begin < tail.end)
		parts[m++] = tail;
	bool fine = edit_make(arena, parts, m, out);
	free(parts);
	return fine;
}

/* The end of the last element before HI that is not gone. */
static uint32_t block_end(const struct blocks *b, uint32_t hi)
{
	while (hi && is_gone(b, hi - 1))
		hi--;
	return hi;
}

/* Where the block that ends before HI begins. */
static uint32_t block_begin(const struct blocks *b, uint32_t hi)
{
	uint32_t lo = hi, taken = 0;
	while (lo && taken < b->block)
		taken += !is_gone(b, --lo);
	return lo;
}

static bool next_put_off(struct blocks *b, struct proposal *p)
{
	struct halves *off = &b->off;
	while (off->next < off->n - off->n_fresh && off->list[off->next].known)
		off->next++;
	if (off->next >= off->n - off->n_fresh)
		return false;
	struct half *half = &off->list[off->next++];
	*p = (struct proposal){ .a = half->a, .b = half->b };
	return true;
}

/* Puts off the half in front of the second half P. */
static void put_off(struct blocks *b, const struct proposal *p)
{
	struct halves *off = &b->off;
	uint32_t end = block_end(b, p->a), begin = block_begin(b, end);
	if (!b->halves || !end || begin < b->refused)
		return;
	MEM_GROW(off->list, off->n, off->cap);
	off->list[off->n++] = (struct half){ .a = begin, .b = end, .second_b = p->b };
	off->n_fresh++;
	b->position = begin;
}

/* From the end, consecutive elements that are not gone. */
static bool next_block(struct blocks *b, struct proposal *p)
{
	uint32_t hi = block_end(b, b->position);
	if (!hi || (b->block > 1 && b->dry >= GIVE_UP))
		return false;
	*p = (struct proposal){ .a = block_begin(b, hi), .b = hi };
	b->position = p->a;
	put_off(b, p);
	return true;
}

/* The next block at this level. */
static enum proposal_result blocks_propose(struct proposer *proposer, struct arena *arena,
                                           struct proposal *p)
{
	struct blocks *b = (struct blocks *)proposer;
	if (!b->remaining)
		return PROPOSAL_EXHAUSTED;
	while (next_put_off(b, p) || next_block(b, p)) {
		b->tried++;
		b->dry++;
		if (block_edit(b, p->a, p->b, arena, &p->cut))
			return PROPOSAL_MADE;
	}
	return PROPOSAL_WINDOW_ENDS;
}

static void blocks_learn(struct proposer *proposer, const struct proposal *p, bool accepted)
{
	struct blocks *b = (struct blocks *)proposer;
	b->off.n_fresh = 0;
	if (!accepted)
		return;
	for (uint32_t i = b->off.next; i < b->off.n; i++)
		b->off.list[i].known |= b->off.list[i].second_b == p->b;
	b->won++;
	b->dry = 0;
	for (uint32_t e = p->a; e < p->b; e++)
		if (!is_gone(b, e)) {
			b->gone[e / 64] |= (uint64_t)1 << (e % 64);
			b->remaining--;
		}
}

static bool level_goes_on(const struct blocks *b)
{
	bool left = block_end(b, b->position) != 0;
	return b->off.next < b->off.n || (left && !(b->block > 1 && b->dry >= GIVE_UP));
}

/* Blocks of the next level are so many times smaller. */
static uint32_t factor_of(const struct blocks *b)
{
	if (b->won)
		return 2;
	if (b->tried >= DRY_SURELY || b->p.places->n <= SHORT)
		return 8;
	return b->tried < DRY_MAYBE ? 2 : 4;
}

/* Goes to the next level when this one is through. */
static bool blocks_advance(struct proposer *proposer)
{
	struct blocks *b = (struct blocks *)proposer;
	b->off.n_fresh = 0;
	if (level_goes_on(b))
		return true;
	if (b->block <= 1 || !b->remaining)
		return false;
	uint32_t next = b->block / factor_of(b);
	if (next > b->remaining / 2)
		next = b->remaining / 2;
	next = next ? next : 1;
	b->halves = b->whole && b->block == 2 * next;
	b->refused = b->position;
	b->block = next;
	b->position = b->p.places->n;
	b->whole = true;
	b->off.n = b->off.next = 0;
	b->tried = b->won = b->dry = 0;
	return true;
}

static struct search_cursor blocks_cursor(const struct proposer *proposer)
{
	const struct blocks *b = (const struct blocks *)proposer;
	const struct places *p = b->p.places;
	return (struct search_cursor){ b->block, b->position && b->position < p->n
		                                         ? p->parts[p->first[b->position]].begin
		                                         : 0 };
}

static struct proposer *blocks_clone(const struct proposer *from)
{
	struct blocks *b = mem_dup(from, sizeof *b);
	places_ref(b->p.places);
	b->gone = mem_dup(b->gone, words(b) * sizeof *b->gone);
	b->off.list = mem_dup(b->off.list, b->off.cap * sizeof *b->off.list);
	return &b->p;
}

static void blocks_free(struct proposer *proposer)
{
	struct blocks *b = (struct blocks *)proposer;
	places_unref(b->p.places);
	free(b->gone);
	free(b->off.list);
	free(b);
}

struct proposer *blocks_new(struct places *places, uint32_t first_block, struct search_cursor from)
{
	static const struct proposer_ops ops = {
		.propose = blocks_propose,
		.advance = blocks_advance,
		.learn = blocks_learn,
		.tidy = blocks_tidy,
		.cursor = blocks_cursor,
		.clone = blocks_clone,
		.free = blocks_free,
	};
	if (from.block)
		first_block = from.block;
	uint32_t n = places->n;
	struct blocks *b = mem_alloc(sizeof *b);
	*b = (struct blocks){ .p = { &ops, places_ref(places) }, .position = n, .remaining = n };
	b->block = first_block && first_block < n ? first_block : n;
	if (from.at)
		b->position = elements_before(places, from.at);
	b->whole = !from.at;
	b->gone = mem_zero(words(b), sizeof *b->gone);
	return &b->p;
}
