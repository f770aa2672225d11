/* A set of content hashes. Zero-initialise; hash_set_release. */
#ifndef WHITTLE_BASE_HASH_SET_H
#define WHITTLE_BASE_HASH_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "base/map.h"

struct hash_set {
	struct hash *list; /* in the order in which they were added */
	size_t n, cap;
	struct map map;
};

/* Adds HASH; false: it was there. */
bool hash_set_add(struct hash_set *set, struct hash hash);
bool hash_set_has(const struct hash_set *set, struct hash hash);
void hash_set_release(struct hash_set *set);

#endif
