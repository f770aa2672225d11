/* Numbers found by the hash of what they stand for: the owner has the things themselves, in a list,
 * and compares. Open addressing, at most half full; eight bytes a slot.
 *
 *	size_t at;
 *	for (uint32_t i = map_first(&m, hash, &at); i != MAP_END; i = map_next(&m, hash, &at))
 *		if (list[i] is what is looked for)
 *			return i;
 *	map_add(&m, hash, n);
 *	list[n++] = ...;
 *
 * Several numbers may have one hash; they come in the order in which they were added, unless the
 * map has grown since (map_reserve). Zero-initialise; map_release.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define MAP_END UINT32_MAX /* no number */

struct map_slot {
	uint32_t hash;
	uint32_t number; /* plus 1; 0: free */
};

struct map {
	struct map_slot *slots;
	size_t n, size; /* size: 0 or a power of 2 */
};

/* Room for N numbers in all. */
void map_reserve(struct map *m, size_t n);

void map_add(struct map *m, uint64_t hash, uint32_t number);
void map_clear(struct map *m); /* keeps the room */
void map_copy(struct map *to, const struct map *from);
void map_release(struct map *m);

static inline uint32_t map_from(const struct map *m, uint32_t hash, size_t *at)
{
	for (;; *at = (*at + 1) & (m->size - 1)) {
		const struct map_slot *p = &m->slots[*at];
		if (!p->number || p->hash == hash)
			return p->number - 1;
	}
}

/* The first number that HASH may stand for, or MAP_END; *at is for map_next. */
static inline uint32_t map_first(const struct map *m, uint64_t hash, size_t *at)
{
	*at = 0;
	if (!m->size)
		return MAP_END;
	*at = (uint32_t)hash & (m->size - 1);
	return map_from(m, (uint32_t)hash, at);
}

static inline uint32_t map_next(const struct map *m, uint64_t hash, size_t *at)
{
	*at = (*at + 1) & (m->size - 1);
	return map_from(m, (uint32_t)hash, at);
}

/* NUMBER replaces the one that was found last. */
static inline void map_set(struct map *m, size_t at, uint32_t number)
{
	m->slots[at].number = number + 1;
}
