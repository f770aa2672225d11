/* What the sections of bench/seeds share: a figure is printed beside its bound, and a bound that is missed is counted. */
#ifndef WHITTLE_BENCH_SEEDS_H
#define WHITTLE_BENCH_SEEDS_H

#include <stdbool.h>
#include <stddef.h>
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

/* A set of 64-bit keys (hashes), to find what is tried twice. Zero-initialise. */
struct seeds_set {
	uint64_t *keys;
	size_t n, cap;
};
bool seeds_set_add(struct seeds_set *set, uint64_t key); /* false: it was there */
void seeds_set_clear(struct seeds_set *set);

/* Seed 002: the block-size table; adaptive deletion beside delta debugging, and the program's own search beside both. */
void seeds_blocks(struct seeds *seeds);
void seeds_subsets(struct seeds *seeds);
/* Seed 001: lists of integers. */
void seeds_lists(struct seeds *seeds);
/* Seed 003: put-in-order through the chooser. */
void seeds_order(struct seeds *seeds);

#endif
