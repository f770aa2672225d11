/* A stretch of a list of elements, gone through by blocks of falling size, from its end: delta
 * debugging's partition, with levels that yield nothing skipped. For blocks.c, which chooses the
 * stretch that has its turn. */
#ifndef WHITTLE_SEARCH_STRETCH_H
#define WHITTLE_SEARCH_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

/* A queue of first halves of blocks that were refused. One is put off until the verdict on its
 * second half is in: where that can go, this one cannot, as both together could not. */
struct halves {
	uint32_t n, cap, next;
	uint32_t n_fresh; /* the last so many are of this window: verdicts are still to come */
	struct half {
		uint32_t a, b;     /* elements [a, b) */
		uint32_t second_b; /* where the second half ends */
		bool known;        /* not to be asked about */
	} * list;
};

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
	struct halves off;                 /* put off */
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
/* N_GONE elements have gone as a block that ended before element B. */
void stretch_won(struct stretch *s, uint32_t b, uint32_t n_gone);
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

#endif
