/* SHA-1, SHA-256 and MD5, which formats carry as checksums: nettle's, chosen by a number. */
#pragma once

#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <stddef.h>
#include <stdint.h>

enum digest_kind { DIGEST_MD5, DIGEST_SHA1, DIGEST_SHA256 };
enum { DIGEST_MAX = SHA256_DIGEST_SIZE };

struct digest {
	enum digest_kind kind;
	union {
		struct md5_ctx md5;
		struct sha1_ctx sha1;
		struct sha256_ctx sha256;
	} state;
};

void digest_begin(struct digest *d, enum digest_kind kind);
void digest_feed(struct digest *d, const void *bytes, size_t n);
/* Writes it, DIGEST_MAX bytes at most; returns how many bytes it takes. */
uint32_t digest_end(struct digest *d, uint8_t *out);
