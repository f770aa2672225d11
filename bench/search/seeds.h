/* What the sections of bench/seeds share: each figure is printed beside its bound; bounds missed
 * are counted. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

struct seeds {
	uint64_t seed;   /* of all random inputs */
	unsigned missed; /* bounds */
};

/* "ok" or "MISSED", which is counted. */
const char *seeds_mark(struct seeds *seeds, bool holds);

/* A stream of random numbers of its own for each SECTION. */
struct rng seeds_rng(const struct seeds *seeds, uint64_t section);

/* Seed 002: the block-size table; adaptive deletion beside delta debugging, the program's own
 * search beside both. */
void seeds_blocks(struct seeds *seeds);
void seeds_subsets(struct seeds *seeds);
/* Seed 001: lists of integers. */
void seeds_lists(struct seeds *seeds);
/* Seed 003: put-in-order through the chooser. */
void seeds_order(struct seeds *seeds);
