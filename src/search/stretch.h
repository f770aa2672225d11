/* A stretch of a list of elements, gone through by blocks of falling size, from its end: delta
 * debugging's partition, with levels that yield nothing skipped. For blocks.c, which chooses the
 * stretch that has its turn. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct stretch {
	uint32_t lo, hi;     /* elements [lo, hi) */
	uint32_t bytes;      /* that they had at first */
	uint32_t block;      /* elements in a block */
	uint32_t position;   /* elements from here on have been proposed at this level */
	uint32_t remaining;  /* elements not gone */
	uint32_t tried, won; /* at this level */
	uint32_t dry;        /* blocks tried since the last success at this level */
	uint32_t before_tried, before_won; /* in 16ths, at levels before: each success halves what
	                                      was before it */
	bool whole;                        /* this level began at the end */
	bool halves;                       /* of blocks of the level before, as far as they end
	                                      behind... */
	uint32_t refused;                  /* ...this element */
	uint32_t half_a, half_b; /* the first half [a, b) of the block whose second one is the last
	                            that was given; none: empty */
	bool over;
	bool asked;     /* for blocks.c: it had its turn in this round */
	uint64_t worth; /* likewise: when the round began */
};

static inline bool stretch_is_gone(const uint64_t *gone, uint32_t e)
{
	return gone[e / 64] >> (e % 64) & 1;
}

/* Elements [lo, hi), of which none is gone, from blocks of BLOCK elements on; at first only those
 * before element POSITION. */
struct stretch stretch_of(uint32_t lo, uint32_t hi, uint32_t block, uint32_t position,
                          uint32_t bytes);
/* The next block [*a, *b) of this level, which counts as tried; GONE: the bit set of elements.
 * False: what follows depends on the verdicts. */
bool stretch_next(struct stretch *s, const uint64_t *gone, uint32_t *a, uint32_t *b);
/* Was the last one the second half of a block that was refused? Then the next is the first half,
 * which cannot go where the second one can, as both together could not. */
static inline bool stretch_is_paired(const struct stretch *s)
{
	return s->half_a < s->half_b;
}
/* One that was given was such a first half, and not asked about. */
void stretch_skipped(struct stretch *s);
/* N_GONE elements have gone as a block. */
void stretch_won(struct stretch *s, uint32_t n_gone);
/* All verdicts on its blocks are told: goes to the next level when this one is through. It is over
 * behind single elements. */
void stretch_advance(struct stretch *s, const uint64_t *gone);
/* Does much of it go: of blocks one in RATE lately? */
bool stretch_goes(const struct stretch *s);
/* About how many bytes of it are left. */
static inline uint64_t stretch_left(const struct stretch *s)
{
	return (uint64_t)s->bytes * s->remaining / (s->hi - s->lo);
}

/* How many bytes a question about it is likely to save. */
uint64_t stretch_worth(const struct stretch *s);
