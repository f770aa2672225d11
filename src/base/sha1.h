/* SHA-1 (FIPS 180-4, 6.1), which formats carry as a checksum. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SHA1_SIZE = 20 };

struct sha1 {
	uint32_t h[5];
	uint64_t len;
	uint8_t block[64];
};

/* The most significant byte first. */
static inline void put32(uint8_t *p, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(x >> (24 - 8 * i));
}

void sha1_begin(struct sha1 *s);
void sha1_feed(struct sha1 *s, const void *bytes, size_t n);
void sha1_end(struct sha1 *s, uint8_t out[SHA1_SIZE]);
