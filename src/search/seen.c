#include "search/seen.h"

#include "base/mem.h"

bool seen_has(const struct seen *seen, uint64_t key)
{
	size_t at;
	for (uint32_t i = map_first(&seen->map, key, &at); i != MAP_END;
	     i = map_next(&seen->map, key, &at))
		if (seen->keys[i] == key)
			return true;
	return false;
}

bool seen_add(struct seen *seen, uint64_t key)
{
	if (seen_has(seen, key))
		return false;
	map_add(&seen->map, key, seen->n);
	MEM_PUSH(seen->keys, seen->n, seen->cap, key);
	return true;
}

void seen_copy(struct seen *to, const struct seen *from)
{
	*to = *from;
	to->keys = mem_dup(from->keys, from->cap * sizeof *from->keys);
	map_copy(&to->map, &from->map);
}

void seen_release(struct seen *seen)
{
	map_release(&seen->map);
	free(seen->keys);
	*seen = (struct seen){ 0 };
}
