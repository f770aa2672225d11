/* The one source of randomness: splitmix64 (Steele, Lea, Flood 2014). Its whole state is one word,
 * so that it can be copied for speculation and written down. */
#pragma once

#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* Uniform in [0, n); n > 0. The bias is below n / 2^64. The upper half of the product with n, from
 * halves of 32 bits: not every machine has 128. */
static inline uint64_t rng_below(struct rng *rng, uint64_t n)
{
	uint64_t x = rng_next(rng), low = (uint32_t)x, high = x >> 32;
	uint64_t middle = high * (uint32_t)n + (low * (uint32_t)n >> 32);
	uint64_t other = low * (n >> 32) + (uint32_t)middle;
	return high * (n >> 32) + (middle >> 32) + (other >> 32);
}
