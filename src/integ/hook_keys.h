/* A set of hashes. Zero-initialise. */
#ifndef WHITTLE_INTEG_HOOK_KEYS_H
#define WHITTLE_INTEG_HOOK_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

struct hook_keys {
	struct hash *slots; /* open addressing; all zero: free */
	size_t n, size;
};

/* Adds KEY; false: it was there. */
bool hook_keys_add(struct hook_keys *keys, struct hash key);
bool hook_keys_has(const struct hook_keys *keys, struct hash key);
void hook_keys_release(struct hook_keys *keys);

#endif
