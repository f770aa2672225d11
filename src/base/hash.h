/* Content hashes: 128-bit XXH3. Wide enough that a collision within one reduction is out of the
 * question (2^-80 for a million candidates); not cryptographic, which the tests of one user against
 * himself do not need. */
#pragma once

#include "base/map.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash {
	uint64_t hi, lo;
};

struct hash hash_bytes(const void *bytes, size_t len, uint64_t seed);

/* The same of bytes that lie in PIECES. */
struct mem_piece;
struct hash hash_pieces(const struct mem_piece *pieces, uint64_t seed);

/* The same of N words, at most HASH_WORDS, on each machine: of their bytes from the lowest on. */
enum { HASH_WORDS = 8 };
struct hash hash_words(const uint64_t *words, unsigned n, uint64_t seed);

/* Likewise of a hash. */
static inline struct hash hash_again(struct hash hash, uint64_t seed)
{
	return hash_words((const uint64_t[]){ hash.hi, hash.lo }, 2, seed);
}

/* A hash as 32 hexadecimal digits: printf("... " HASH_DIGITS " ...", HASH_OF(hash)). */
#define HASH_DIGITS "%016" PRIx64 "%016" PRIx64
#define HASH_OF(hash) (hash).hi, (hash).lo

static inline bool hash_equal(struct hash a, struct hash b)
{
	return a.hi == b.hi && a.lo == b.lo;
}

/* A set of content hashes. Zero-initialise; hash_set_release. */

struct hash_set {
	struct hash *list; /* in the order in which they were added */
	size_t n, cap;
	struct map map;
};

/* Adds HASH; false: it was there. */
bool hash_set_add(struct hash_set *set, struct hash hash);
bool hash_set_has(const struct hash_set *set, struct hash hash);
void hash_set_release(struct hash_set *set);
