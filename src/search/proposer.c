#include "search/proposer.h"

#include "base/mem.h"
#include "base/work.h"
#include "search/stretch.h"

enum {
	MANY = 256, /* in places with fewer elements the order hardly matters */
	LARGE = 16, /* a list with one part in so many of all elements is a stretch by itself */
	STRETCHES = 2 * LARGE + 1, /* at most */
};

struct blocks {
	struct proposer p;
	uint64_t *gone; /* bit set of elements */
	bool begun;     /* a round */
	uint32_t n, at; /* stretches; which one has its turn (n: none) */
	uint32_t first; /* likewise, in this round */
	struct stretch *list;
};

static size_t words(const struct blocks *b)
{
	return b->p.edit_sites->n / 64 + 1;
}

/* The number of elements that begin before the offset AT. */
static uint32_t elements_before(const struct edit_sites *p, uint32_t at)
{
	uint32_t e = p->n;
	while (e && edit_sites_at(p, e - 1) >= at)
		e--;
	return e;
}

static bool is_gone(const struct blocks *b, uint32_t e)
{
	return stretch_is_gone(b->gone, e);
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
	const struct edit_sites *p = b->p.edit_sites;
	struct edit_part none = { 0 };
	uint32_t lo = with[i].a;
	if (!p->node || !lo || p->list_end[lo - 1] <= lo)
		return none;
	uint32_t end = p->list_end[lo];
	struct edit_part last = view_comma(p->view, p->node[end - 1]);
	if (last.begin < last.end)
		return none; /* this list ends with a separator by habit */
	for (uint32_t e = with[i].b; e < end; e++)
		if (!is_taken(b, with, n, e))
			return none;
	for (uint32_t e = lo; e > 0 && p->list_end[e - 1] == end; e--)
		if (!is_taken(b, with, n, e - 1))
			return view_comma(p->view, p->node[e - 1]);
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
	const struct edit_sites *p = b->p.edit_sites;
	uint32_t n = edit_sites_first(p, hi) - edit_sites_first(p, lo), m = 0;
	work_step(hi - lo + n);
	MEM_SCOPED struct edit_part *parts = mem_alloc((n + (size_t)1) * sizeof *parts);
	for (uint32_t e = lo; e < hi; e++)
		if (!is_gone(b, e))
			for (uint32_t i = edit_sites_first(p, e); i < edit_sites_first(p, e + 1);
			     i++) {
				struct edit_part part = edit_sites_part(p, i),
						 *last = m ? &parts[m - 1] : NULL;
				if (last && !last->len && !part.len && last->end == part.begin)
					last->end = part.end;
				else
					parts[m++] = part;
			}
	struct edit_part tail = dangling_separator(b, &(struct proposal){ .a = lo, .b = hi }, 1, 0);
	if (tail.begin < tail.end)
		parts[m++] = tail;
	return edit_make(arena, parts, m, out);
}

/* Bytes from the first to the last of the elements [LO, HI), of which there is one. */
static uint32_t bytes_of(const struct edit_sites *p, uint32_t lo, uint32_t hi)
{
	uint32_t begin = edit_sites_at(p, lo), end = p->parts.cuts[edit_sites_first(p, hi) - 1].end;
	return end > begin ? end - begin : 0;
}

static void add(struct blocks *b, uint32_t lo, uint32_t hi, uint32_t block, uint32_t position)
{
	if (lo < hi)
		b->list[b->n++] =
			stretch_of(lo, hi, block, position, bytes_of(b->p.edit_sites, lo, hi));
}

/* Large lists become stretches by themselves, and what is between them. */
static void split(struct blocks *b, uint32_t block, uint32_t position)
{
	const struct edit_sites *p = b->p.edit_sites;
	uint32_t small = 0; /* where the lists that are not large begin */
	if (!p->list_end || b->n != 1 || p->list_end[0] == p->n || p->n < MANY)
		return;
	b->n = 0;
	for (uint32_t lo = 0, hi; lo < p->n; lo = hi) {
		hi = p->list_end[lo];
		if (hi - lo <= p->n / LARGE)
			continue;
		add(b, small, lo, block, position);
		add(b, lo, hi, block, position);
		small = hi;
	}
	add(b, small, p->n, block, position);
}

/* All verdicts are in: a new round. When all elements cannot go at once, lists have their turns. */
static void begin_round(struct blocks *b)
{
	uint32_t n = b->p.edit_sites->n;
	bool refused = b->list->block == n && b->list->tried && !b->list->won;
	for (uint32_t i = 0; i < b->n; i++)
		stretch_advance(&b->list[i], b->gone);
	if (refused)
		split(b, n, n);
	for (uint32_t i = 0; i < b->n; i++) {
		b->list[i].asked = b->list[i].over;
		b->list[i].worth = stretch_worth(&b->list[i]);
	}
	b->at = b->first = b->n;
	b->begun = true;
}

/* Has A its turn before B? What goes is first, then what a question saves most of. A stands behind
 * B. */
static bool is_before(const struct stretch *a, const struct stretch *b)
{
	bool x = stretch_goes(a), y = stretch_goes(b);
	return x != y ? x : a->worth >= b->worth;
}

/* Where one goes, none that does not is asked about in the same round: that may be needed by what
 * is about to go. */
static bool may_follow(const struct blocks *b, uint32_t i)
{
	return b->first == b->n || !stretch_goes(&b->list[b->first]) || stretch_goes(&b->list[i]);
}

/* Chooses the stretch that has the next turn in this round; false: there is none. */
static bool choose(struct blocks *b)
{
	b->at = b->n;
	for (uint32_t i = 0; i < b->n; i++)
		if (!b->list[i].asked && may_follow(b, i) &&
		    (b->at == b->n || is_before(&b->list[i], &b->list[b->at])))
			b->at = i;
	if (b->at == b->n)
		return false;
	b->list[b->at].asked = true;
	b->first = b->first < b->n ? b->first : b->at;
	return true;
}

static bool next_block(struct blocks *b, struct proposal *p)
{
	while (b->at == b->n || !stretch_next(&b->list[b->at], b->gone, &p->a, &p->b))
		if (!choose(b))
			return false;
	return true;
}

static enum proposal_result blocks_propose(struct proposer *proposer, struct arena *arena,
                                           struct proposal *p)
{
	struct blocks *b = (struct blocks *)proposer;
	if (!b->begun)
		begin_round(b);
	while (next_block(b, p)) {
		p->paired = stretch_is_paired(&b->list[b->at]);
		if (block_edit(b, p->a, p->b, arena, &p->cut))
			return PROPOSAL_MADE;
	}
	return PROPOSAL_WINDOW_ENDS;
}

static void blocks_learn(struct proposer *proposer, const struct proposal *p,
                         enum proposal_fate fate)
{
	struct blocks *b = (struct blocks *)proposer;
	b->begun = false;
	if (fate == PROPOSAL_REFUSED)
		return;
	struct stretch *s = b->list;
	while (s->hi <= p->a)
		s++;
	if (fate == PROPOSAL_SKIPPED) {
		stretch_skipped(s);
		return;
	}
	uint32_t n = 0;
	for (uint32_t e = p->a; e < p->b; e++) {
		n += !is_gone(b, e);
		b->gone[e / 64] |= (uint64_t)1 << (e % 64);
	}
	stretch_won(s, n);
}

static bool blocks_advance(struct proposer *proposer)
{
	struct blocks *b = (struct blocks *)proposer;
	begin_round(b);
	for (uint32_t i = 0; i < b->n; i++)
		if (!b->list[i].over)
			return true;
	return false;
}

/* Of the stretches with the largest blocks the last that is not through: those before it were not
 * asked about, and little is left of others. */
static struct search_cursor blocks_cursor(const struct proposer *proposer)
{
	const struct blocks *b = (const struct blocks *)proposer;
	const struct edit_sites *p = b->p.edit_sites;
	const struct stretch *of = b->list;
	for (uint32_t i = 1; i < b->n; i++)
		if (!b->list[i].over && (of->over || b->list[i].block >= of->block))
			of = &b->list[i];
	struct stretch next = *of; /* its level may be at its end */
	if (!b->begun)
		stretch_advance(&next, b->gone);
	uint32_t at = next.position;
	return (struct search_cursor){ next.block, at && at < p->n ? edit_sites_at(p, at) : 0 };
}

/* Is a list on its way, and, unless ALONE is enough, does a larger one wait for it? */
static bool blocks_go_well(const struct proposer *proposer, bool alone)
{
	const struct blocks *b = (const struct blocks *)proposer;
	if (b->first == b->n || !stretch_goes(&b->list[b->first]))
		return false;
	if (alone)
		return true;
	for (uint32_t i = 0; i < b->n; i++)
		if (!b->list[i].over && !stretch_goes(&b->list[i]) &&
		    stretch_left(&b->list[i]) > stretch_left(&b->list[b->first]))
			return true;
	return false;
}

static struct proposer *blocks_clone(const struct proposer *from)
{
	struct blocks *b = mem_dup(from, sizeof *b);
	edit_sites_ref(b->p.edit_sites);
	b->gone = mem_dup(b->gone, words(b) * sizeof *b->gone);
	b->list = mem_dup(b->list, STRETCHES * sizeof *b->list);
	return &b->p;
}

static void blocks_free(struct proposer *proposer)
{
	struct blocks *b = (struct blocks *)proposer;
	edit_sites_unref(b->p.edit_sites);
	free(b->list);
	free(b->gone);
	free(b);
}

struct proposer *blocks_new(struct edit_sites *edit_sites, uint32_t first_block,
                            struct search_cursor from)
{
	static const struct proposer_ops ops = {
		.propose = blocks_propose,
		.advance = blocks_advance,
		.learn = blocks_learn,
		.tidy = blocks_tidy,
		.cursor = blocks_cursor,
		.goes_well = blocks_go_well,
		.clone = blocks_clone,
		.free = blocks_free,
	};
	struct blocks *b = mem_zero(1, sizeof *b);
	uint32_t n = edit_sites->n, position = from.at ? elements_before(edit_sites, from.at) : n;
	uint32_t block = from.block ? from.block : first_block;
	b->p = (struct proposer){ &ops, edit_sites_ref(edit_sites) };
	b->gone = mem_zero(words(b), sizeof *b->gone);
	b->list = mem_zero(STRETCHES, sizeof *b->list);
	add(b, 0, n, block ? block : n, position);
	if (block > 1 && block < n)
		split(b, block, position);
	return &b->p;
}

struct sweep {
	struct proposer p;
	struct chooser chooser;
	uint32_t steps_left;
	uint32_t at; /* the start tried last */
};

/* One step of the chooser. False when it led to no edit. */
static bool step(struct sweep *s, struct arena *arena, struct proposal *p)
{
	const struct edit_sites *edit_sites = s->p.edit_sites;
	p->a = chooser_choose(&s->chooser, edit_sites->n, NULL, NULL);
	if (p->a == CHOOSER_DEAD)
		return false;
	uint32_t ends = edit_sites_ends(edit_sites, p->a);
	p->b = 0;
	if (ends != 1) {
		p->b = chooser_choose(&s->chooser, ends, NULL, NULL);
		if (p->b == CHOOSER_DEAD)
			return false;
	}
	return edit_sites_cut(edit_sites, p->a, p->b, arena, &p->cut);
}

static enum proposal_result sweep_propose(struct proposer *proposer, struct arena *arena,
                                          struct proposal *p)
{
	struct sweep *s = (struct sweep *)proposer;
	while (s->p.edit_sites->n && s->steps_left && !chooser_exhausted(&s->chooser)) {
		chooser_begin(&s->chooser);
		bool made = step(s, arena, p);
		chooser_end(&s->chooser);
		if (!made)
			continue;
		s->steps_left--;
		s->at = p->a;
		return PROPOSAL_MADE;
	}
	return PROPOSAL_EXHAUSTED;
}

/* No step waits for the verdict on another one. */
static bool sweep_advance(UNUSED struct proposer *proposer)
{
	return false;
}

static void sweep_learn(struct proposer *proposer, const struct proposal *p,
                        enum proposal_fate fate)
{
	(void)proposer, (void)p, (void)fate;
}

static bool sweep_tidy(UNUSED const struct proposer *proposer, UNUSED const struct proposal *taken,
                       UNUSED uint32_t n, UNUSED struct arena *arena, UNUSED struct edit *edit)
{
	return true;
}

static struct search_cursor sweep_cursor(const struct proposer *proposer)
{
	return (struct search_cursor){ .at = ((const struct sweep *)proposer)->at };
}

static struct proposer *sweep_clone(const struct proposer *from)
{
	const struct sweep *old = (const struct sweep *)from;
	struct sweep *s = mem_dup(old, sizeof *old);
	edit_sites_ref(s->p.edit_sites);
	chooser_copy(&s->chooser, &old->chooser);
	return &s->p;
}

static void sweep_free(struct proposer *proposer)
{
	struct sweep *s = (struct sweep *)proposer;
	edit_sites_unref(s->p.edit_sites);
	chooser_release(&s->chooser);
	free(s);
}

struct proposer *sweep_new(struct edit_sites *edit_sites, enum chooser_order order, uint64_t seed,
                           uint32_t max_steps, struct search_cursor from)
{
	static const struct proposer_ops ops = {
		.propose = sweep_propose,
		.advance = sweep_advance,
		.learn = sweep_learn,
		.tidy = sweep_tidy,
		.cursor = sweep_cursor,
		.clone = sweep_clone,
		.free = sweep_free,
	};
	struct sweep *s = mem_alloc(sizeof *s);
	*s = (struct sweep){ .p = { &ops, edit_sites_ref(edit_sites) },
		             .steps_left = max_steps ? max_steps : UINT32_MAX };
	chooser_init(&s->chooser, order, seed);
	if (from.at && order == CHOOSER_REVERSE)
		chooser_start_at(&s->chooser, from.at);
	return &s->p;
}
