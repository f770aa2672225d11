#include "integ/hook_keys.h"

#include <stdlib.h>

#include "base/mem.h"

enum { FIRST_SIZE = 64 };

static bool is_free(struct hash h)
{
	return !h.lo && !h.hi;
}

/* Where KEY is, or would be. */
static struct hash *find(const struct hook_keys *keys, struct hash key)
{
	size_t i = key.lo & (keys->size - 1);
	while (!is_free(keys->slots[i]) && !hash_equal(keys->slots[i], key))
		i = (i + 1) & (keys->size - 1);
	return &keys->slots[i];
}

static void grow(struct hook_keys *keys)
{
	struct hook_keys larger = { .size = keys->size ? 2 * keys->size : FIRST_SIZE,
		                    .n = keys->n };
	larger.slots = mem_zero(larger.size, sizeof *larger.slots);
	for (size_t i = 0; i < keys->size; i++)
		if (!is_free(keys->slots[i]))
			*find(&larger, keys->slots[i]) = keys->slots[i];
	free(keys->slots);
	*keys = larger;
}

bool hook_keys_add(struct hook_keys *keys, struct hash key)
{
	if (2 * (keys->n + 1) > keys->size)
		grow(keys);
	struct hash *slot = find(keys, key);
	bool new = is_free(*slot);
	*slot = key;
	keys->n += new;
	return new;
}

bool hook_keys_has(const struct hook_keys *keys, struct hash key)
{
	return keys->size && !is_free(*find(keys, key));
}

void hook_keys_release(struct hook_keys *keys)
{
	free(keys->slots);
	*keys = (struct hook_keys){ 0 };
}
