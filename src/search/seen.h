/* A set of keys (hashes of what was asked). Zero-initialise; the owner calls seen_release. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct seen {
	uint32_t n, cap;
	uint64_t *keys;
	struct map map;
};

bool seen_add(struct seen *seen, uint64_t key); /* false: it was there */
bool seen_has(const struct seen *seen, uint64_t key);
void seen_copy(struct seen *to, const struct seen *from);
void seen_release(struct seen *seen);
