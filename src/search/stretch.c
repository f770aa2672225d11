#include "search/stretch.h"

enum {
	GIVE_UP = 96, /* blocks in a row without success after which a level above single elements
	                 is left */
	DRY_SURELY = 32, /* a dry level of so many blocks says that much smaller ones are needed */
	DRY_MAYBE = 8,
	SHORT = 64, /* a list of so few elements is gone through in any case: any dry level says so
	             */
	RATE = 8,   /* one block in so many goes: much */
	UNIT = 16,  /* of what was tried and won before */
};

/* The end of the last element before HI that is not gone. */
static uint32_t block_end(const struct stretch *s, const uint64_t *gone, uint32_t hi)
{
	while (hi > s->lo && stretch_is_gone(gone, hi - 1))
		hi--;
	return hi;
}

/* Where the block that ends before HI begins. */
static uint32_t block_begin(const struct stretch *s, const uint64_t *gone, uint32_t hi)
{
	uint32_t lo = hi, taken = 0;
	while (lo > s->lo && taken < s->block)
		taken += !stretch_is_gone(gone, --lo);
	return lo;
}

/* Is there a first half to the second half that begins at element A? */
static void find_half(struct stretch *s, const uint64_t *gone, uint32_t a)
{
	uint32_t end = block_end(s, gone, a), begin = block_begin(s, gone, end);
	if (!s->halves || end == s->lo || begin < s->refused)
		return;
	s->half_a = s->position = begin;
	s->half_b = end;
}

/* From the end, consecutive elements that are not gone. */
static bool next_block(struct stretch *s, const uint64_t *gone, uint32_t *a, uint32_t *b)
{
	*b = block_end(s, gone, s->position);
	if (*b == s->lo || (s->block > 1 && s->dry >= GIVE_UP))
		return false;
	*a = s->position = block_begin(s, gone, *b);
	find_half(s, gone, *a);
	return true;
}

static void take_half(struct stretch *s, uint32_t *a, uint32_t *b)
{
	*a = s->half_a;
	*b = s->half_b;
	s->half_a = s->half_b = 0;
}

struct stretch stretch_of(uint32_t lo, uint32_t hi, uint32_t block, uint32_t position,
                          uint32_t bytes)
{
	uint32_t n = hi - lo;
	bool whole = position >= hi;
	position = whole ? hi : position < lo ? lo : position;
	return (struct stretch){
		.lo = lo,
		.hi = hi,
		.bytes = bytes,
		.block = block < n ? block : n,
		.position = position,
		.remaining = n,
		.whole = whole,
		.over = !n,
	};
}

bool stretch_next(struct stretch *s, const uint64_t *gone, uint32_t *a, uint32_t *b)
{
	if (stretch_is_paired(s))
		take_half(s, a, b);
	else if (s->over || !s->remaining || !next_block(s, gone, a, b))
		return false;
	s->tried++;
	s->dry++;
	return true;
}

void stretch_skipped(struct stretch *s)
{
	s->tried--;
	s->dry -= s->dry > 0;
}

void stretch_won(struct stretch *s, uint32_t n_gone)
{
	s->won++;
	s->dry = 0;
	s->remaining -= n_gone;
}

static bool level_goes_on(const struct stretch *s, const uint64_t *gone)
{
	bool left = block_end(s, gone, s->position) != s->lo;
	return left && !(s->block > 1 && s->dry >= GIVE_UP);
}

/* Blocks of the next level are so many times smaller. */
static uint32_t factor_of(const struct stretch *s)
{
	if (s->won)
		return 2;
	if (s->tried >= DRY_SURELY || s->hi - s->lo <= SHORT)
		return 8;
	return s->tried < DRY_MAYBE ? 2 : 4;
}

/* The largest that is no more than X. */
static uint32_t power_of_two(uint32_t x)
{
	while (x & (x - 1))
		x &= x - 1;
	return x;
}

void stretch_advance(struct stretch *s, const uint64_t *gone)
{
	if (s->over || level_goes_on(s, gone))
		return;
	s->over = s->block <= 1 || !s->remaining;
	if (s->over)
		return;
	uint32_t next = s->block / factor_of(s);
	if (next > s->remaining / 2)
		next = s->remaining / 2;
	next = power_of_two(next ? next : 1);
	s->halves = s->whole && s->block == 2 * next;
	s->refused = s->position;
	s->block = next;
	s->position = s->hi;
	s->whole = true;
	uint32_t older = s->won ? 2 : 1;
	s->before_tried = s->before_tried / older + UNIT * s->tried / older;
	s->before_won = s->before_won / older + UNIT * s->won / older;
	s->tried = s->won = s->dry = 0;
}

bool stretch_goes(const struct stretch *s)
{
	uint32_t won = UNIT * s->won + s->before_won, tried = UNIT * s->tried + s->before_tried;
	return won && (uint64_t)won * RATE >= tried;
}

uint64_t stretch_worth(const struct stretch *s)
{
	uint64_t block = (uint64_t)s->bytes * s->block / (s->hi - s->lo);
	return block * (UNIT + UNIT * s->won + s->before_won) /
	       (2 * UNIT + UNIT * s->tried + s->before_tried);
}
