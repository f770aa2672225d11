/* Seed 003: put_in_order, a pass that draws two choices in a step, in both orders. Every step is
 * tried at most once on a base, and in the end every one that the last base has was tried. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "search/chooser.h"
#include "search/seen.h"
#include "seeds.h"

enum { LENGTH = 60, REACH = 9, RUNS = 50 };

struct run {
	uint32_t a[LENGTH];
	uint32_t i;     /* first choice of the step under way */
	uint64_t salt;  /* of the interestingness */
	unsigned every; /* interesting: about one of so many swaps */
	unsigned tries, repeats, swaps;
	struct seen tried;
	unsigned tried_here; /* on this base */
};

static bool out_of_order(uint32_t k, void *arg)
{
	const struct run *r = arg;
	return r->a[r->i + 1 + k] < r->a[r->i];
}

static bool is_interesting(const struct run *r)
{
	return hash_bytes(r->a, sizeof r->a, r->salt).lo % r->every == 0;
}

static void swap(struct run *r, uint32_t i, uint32_t j)
{
	uint32_t x = r->a[i];
	r->a[i] = r->a[j];
	r->a[j] = x;
}

/* A step as the document writes it. True when it was a success. */
static bool put_in_order(struct run *r, struct chooser *c)
{
	r->i = chooser_choose(c, LENGTH, NULL, NULL);
	if (r->i == CHOOSER_DEAD)
		return false;
	uint32_t n = LENGTH - r->i - 1 < REACH - 1 ? LENGTH - r->i - 1 : REACH - 1;
	uint32_t k = chooser_choose(c, n, out_of_order, r);
	if (k == CHOOSER_DEAD)
		return false;
	uint32_t j = r->i + 1 + k;
	uint64_t key = hash_bytes(r->a, sizeof r->a, r->i * LENGTH + j).hi;
	r->repeats += !seen_add(&r->tried, key);
	r->tries++;
	r->tried_here++;
	swap(r, r->i, j);
	if (is_interesting(r))
		return true;
	swap(r, r->i, j);
	return false;
}

static unsigned steps_of_base(struct run *r)
{
	unsigned n = 0;
	for (r->i = 0; r->i < LENGTH; r->i++)
		for (uint32_t k = 0; k < REACH - 1 && r->i + 1 + k < LENGTH; k++)
			n += out_of_order(k, r);
	return n;
}

/* Sums tries, repeats and swaps into R; true when every step of the last base was tried. */
static bool run(struct run *r, enum chooser_order order, struct rng *rng)
{
	struct chooser c;
	for (uint32_t i = 0; i < LENGTH; i++)
		r->a[i] = (uint32_t)rng_below(rng, 40);
	r->salt = rng_next(rng);
	r->tried_here = 0;
	chooser_init(&c, order, rng_next(rng));
	while (!chooser_exhausted(&c)) {
		chooser_begin(&c);
		bool success = put_in_order(r, &c);
		chooser_end(&c);
		if (!success)
			continue;
		r->swaps++;
		r->tried_here = 0;
		chooser_restart(&c);
	}
	chooser_release(&c);
	seen_release(&r->tried);
	return r->tried_here == steps_of_base(r);
}

void seeds_order(struct seeds *seeds)
{
	static const struct {
		const char *name;
		enum chooser_order order;
	} orders[] = { { "random", CHOOSER_RANDOM }, { "reverse lexicographic", CHOOSER_REVERSE } };
	printf("Two choices in a step (seed 003): put-in-order over %d lists of %d; repeats and "
	       "missing must be 0\n",
	       RUNS, LENGTH);
	printf("%-22s %17s %8s %8s %8s %8s\n", "order", "interesting", "tries", "swaps", "repeats",
	       "missing");
	for (int o = 0; o < 2; o++)
		for (unsigned every = 1; every <= 9; every *= 3) {
			struct rng rng = seeds_rng(seeds, 2000 + every);
			struct run r = { .every = every };
			unsigned missing = 0;
			for (int k = 0; k < RUNS; k++)
				missing += !run(&r, orders[o].order, &rng);
			printf("%-22s %12s 1 / %u %8u %8u %8u %8u %s\n", orders[o].name, "", every,
			       r.tries, r.swaps, r.repeats, missing,
			       seeds_mark(seeds, !r.repeats && !missing));
		}
	printf("\n");
}
