/* A set of keys (hashes of what was asked). Zero-initialise; the owner calls seen_release. */
#ifndef WHITTLE_SEARCH_SEEN_H
#define WHITTLE_SEARCH_SEEN_H

#include <stdbool.h>
#include <stdint.h>

struct seen {
	uint32_t n, cap;
	uint64_t *keys; /* open addressing; 0 is free */
};

bool seen_add(struct seen *seen, uint64_t key); /* false: it was there. Keys 0 and 1 are one */
void seen_copy(struct seen *to, const struct seen *from);
void seen_release(struct seen *seen);

#endif
