/* SHA-1, SHA-256 (FIPS 180-4, 6.1 and 6.2) and MD5 (RFC 1321), which formats carry as checksums. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum digest_kind { DIGEST_MD5, DIGEST_SHA1, DIGEST_SHA256 };
enum { SHA1_SIZE = 20, DIGEST_MAX = 32 };

struct digest {
	enum digest_kind kind;
	uint32_t h[8];
	uint64_t len;
	uint8_t block[64];
};

void digest_begin(struct digest *d, enum digest_kind kind);
void digest_feed(struct digest *d, const void *bytes, size_t n);
/* Writes it, DIGEST_MAX bytes at most; returns how many bytes it takes. */
uint32_t digest_end(struct digest *d, uint8_t *out);
