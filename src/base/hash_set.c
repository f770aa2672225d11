#include "base/hash_set.h"

#include <stdlib.h>

#include "base/mem.h"

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
	MEM_GROW(set->list, set->n, set->cap);
	set->list[set->n++] = hash;
	return true;
}

void hash_set_release(struct hash_set *set)
{
	map_release(&set->map);
	free(set->list);
	*set = (struct hash_set){ 0 };
}
