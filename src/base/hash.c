#include "base/hash.h"

#include <endian.h>
#include <xxhash.h>

#include "base/mem.h"
#include "base/work.h"

#define XXH_INLINE_ALL

struct hash hash_bytes(const void *bytes, size_t len, uint64_t seed)
{
	work_step(1 + len / 8);
	XXH128_hash_t h = XXH3_128bits_withSeed(bytes, len, seed);
	return (struct hash){ .hi = h.high64, .lo = h.low64 };
}

struct hash hash_pieces(const struct mem_piece *pieces, uint64_t seed)
{
	XXH3_state_t *state = XXH3_createState();
	if (!state)
		mem_exhausted();
	XXH3_128bits_reset_withSeed(state, seed);
	for (const struct mem_piece *p = pieces; p->len; p++) {
		work_step(1 + p->len / 8);
		XXH3_128bits_update(state, p->bytes, p->len);
	}
	XXH128_hash_t h = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	return (struct hash){ .hi = h.high64, .lo = h.low64 };
}

struct hash hash_words(const uint64_t *words, unsigned n, uint64_t seed)
{
	uint64_t lowest_first[HASH_WORDS];
	for (unsigned i = 0; i < n; i++)
		lowest_first[i] = htole64(words[i]);
	return hash_bytes(lowest_first, n * sizeof *lowest_first, seed);
}

bool hash_set_has(const struct hash_set *set, struct hash hash)
{
	size_t at;
	uint32_t i = map_first(&set->map, hash.lo, &at);
	while (i != MAP_END && !hash_equal(set->list[i], hash))
		i = map_next(&set->map, hash.lo, &at);
	return i != MAP_END;
}

bool hash_set_add(struct hash_set *set, struct hash hash)
{
	if (hash_set_has(set, hash))
		return false;
	map_add(&set->map, hash.lo, (uint32_t)set->n);
	MEM_PUSH(set->list, set->n, set->cap, hash);
	return true;
}

void hash_set_release(struct hash_set *set)
{
	map_release(&set->map);
	free(set->list);
	*set = (struct hash_set){ 0 };
}
