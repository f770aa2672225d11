#include "base/hash.h"

#include <endian.h>

#include "base/work.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct hash hash_bytes(const void *bytes, size_t len, uint64_t seed)
{
	work_step(1 + len / 8);
	XXH128_hash_t h = XXH3_128bits_withSeed(bytes, len, seed);
	return (struct hash){ .hi = h.high64, .lo = h.low64 };
}

struct hash hash_words(const uint64_t *words, unsigned n, uint64_t seed)
{
	uint64_t lowest_first[HASH_WORDS];
	for (unsigned i = 0; i < n; i++)
		lowest_first[i] = htole64(words[i]);
	return hash_bytes(lowest_first, n * sizeof *lowest_first, seed);
}
