#include "search/seen.h"

#include <stdlib.h>

#include "base/mem.h"

enum { SEEN_FIRST = 256 };

static uint64_t *slot_of(const struct seen *seen, uint64_t key)
{
	uint64_t i = key & (seen->cap - 1);
	while (seen->keys[i] && seen->keys[i] != key)
		i = (i + 1) & (seen->cap - 1);
	return &seen->keys[i];
}

static void grow(struct seen *seen)
{
	struct seen old = *seen;
	seen->cap = old.cap ? 2 * old.cap : SEEN_FIRST;
	seen->keys = mem_zero(seen->cap, sizeof *seen->keys);
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.keys[i])
			*slot_of(seen, old.keys[i]) = old.keys[i];
	seen_release(&old);
}

bool seen_add(struct seen *seen, uint64_t key)
{
	key += !key;
	if (2 * seen->n >= seen->cap)
		grow(seen);
	uint64_t *slot = slot_of(seen, key);
	if (*slot)
		return false;
	*slot = key;
	seen->n++;
	return true;
}

void seen_copy(struct seen *to, const struct seen *from)
{
	*to = *from;
	to->keys = mem_dup(from->keys, from->cap * sizeof *from->keys);
}

void seen_release(struct seen *seen)
{
	free(seen->keys);
	*seen = (struct seen){ 0 };
}
