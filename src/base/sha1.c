#include "base/sha1.h"

#include <string.h>

void sha1_begin(struct sha1 *s)
{
	*s = (struct sha1){ { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 },
		            0,
		            { 0 } };
}

static uint32_t rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

/* Word T of a block's 80: the sixteen before it are enough for it. */
static inline uint32_t word(uint32_t w[16], int t)
{
	if (t >= 16)
		w[t % 16] =
			rotate(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
	return w[t % 16];
}

/* One of the four parts of a block, of 20 rounds. */
#define ROUNDS(FROM, F, K)                                                 \
	_Pragma("GCC unroll 20") for (int t = FROM; t < FROM + 20; t++)    \
	{                                                                  \
		uint32_t next = rotate(a, 5) + (F) + e + (K) + word(w, t); \
		e = d, d = c, c = rotate(b, 30), b = a, a = next;          \
	}

static void sha1_block(struct sha1 *s, const uint8_t *p)
{
	uint32_t w[16], a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3], e = s->h[4];
	for (int t = 0; t < 16; t++, p += 4)
		w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	ROUNDS(0, d ^ (b & (c ^ d)), 0x5a827999)
	ROUNDS(20, b ^ c ^ d, 0x6ed9eba1)
	ROUNDS(40, (b & c) | (d & (b | c)), 0x8f1bbcdc)
	ROUNDS(60, b ^ c ^ d, 0xca62c1d6)
	s->h[0] += a, s->h[1] += b, s->h[2] += c, s->h[3] += d, s->h[4] += e;
}

void sha1_feed(struct sha1 *s, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	size_t have = s->len % sizeof s->block;
	s->len += n;
	if (have) {
		size_t more = n < sizeof s->block - have ? n : sizeof s->block - have;
		memcpy(s->block + have, p, more);
		p += more, n -= more;
		if (have + more < sizeof s->block)
			return;
		sha1_block(s, s->block);
	}
	for (; n >= sizeof s->block; p += sizeof s->block, n -= sizeof s->block)
		sha1_block(s, p);
	memcpy(s->block, p, n);
}

void sha1_end(struct sha1 *s, uint8_t out[SHA1_SIZE])
{
	static const uint8_t end[64] = { 0x80 };
	uint8_t bits[8];
	put32(bits, (uint32_t)(s->len >> 29));
	put32(bits + 4, (uint32_t)(s->len << 3));
	sha1_feed(s, end, 1 + (119 - s->len % 64) % 64);
	sha1_feed(s, bits, sizeof bits);
	for (int i = 0; i < 5; i++)
		put32(out + 4 * i, s->h[i]);
}
