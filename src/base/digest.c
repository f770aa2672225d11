#include "base/digest.h"

#include <string.h>

/* Of the rounds of MD5: 2^32 |sin i|. */
static const uint32_t md5_sines[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
	0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
	0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
	0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
	0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
	0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
	0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
	0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
	0xeb86d391,
};

/* Of those of SHA-256: the cubic roots of primes. */
static const uint32_t sha256_roots[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

void digest_begin(struct digest *d, enum digest_kind kind)
{
	static const uint32_t begins[][8] = {
		[DIGEST_MD5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 },
		[DIGEST_SHA1] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 },
		[DIGEST_SHA256] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
		                    0x9b05688c, 0x1f83d9ab, 0x5be0cd19 },
	};
	d->kind = kind;
	d->len = 0;
	memcpy(d->h, begins[kind], sizeof d->h);
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

static void sha1_block(uint32_t h[8], uint32_t w[16])
{
	uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
	ROUNDS(0, d ^ (b & (c ^ d)), 0x5a827999)
	ROUNDS(20, b ^ c ^ d, 0x6ed9eba1)
	ROUNDS(40, (b & c) | (d & (b | c)), 0x8f1bbcdc)
	ROUNDS(60, b ^ c ^ d, 0xca62c1d6)
	h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

static void sha256_block(uint32_t h[8], uint32_t w[16])
{
	uint32_t v[8];
	memcpy(v, h, sizeof v);
	for (int t = 0; t < 64; t++) {
		uint32_t x = w[(t + 1) % 16], y = w[(t + 14) % 16];
		uint32_t m = v[7] + (rotate(v[4], 26) ^ rotate(v[4], 21) ^ rotate(v[4], 7)) +
		             (v[6] ^ (v[4] & (v[5] ^ v[6]))) + sha256_roots[t] + w[t % 16];
		uint32_t n = (rotate(v[0], 30) ^ rotate(v[0], 19) ^ rotate(v[0], 10)) +
		             ((v[0] & v[1]) | (v[2] & (v[0] | v[1])));
		w[t % 16] += (rotate(x, 25) ^ rotate(x, 14) ^ x >> 3) + w[(t + 9) % 16] +
		             (rotate(y, 15) ^ rotate(y, 13) ^ y >> 10);
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += m;
		v[0] = m + n;
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

static void md5_block(uint32_t h[8], const uint32_t w[16])
{
	static const uint8_t turns[4][4] = {
		{ 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 }
	};
	uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
	for (int t = 0; t < 64; t++) {
		const uint32_t f[] = { d ^ (b & (c ^ d)), c ^ (d & (b ^ c)), b ^ c ^ d,
			               c ^ (b | ~d) };
		const int places[] = { t, 5 * t + 1, 3 * t + 5, 7 * t };
		uint32_t sum = a + f[t / 16] + md5_sines[t] + w[places[t / 16] % 16];
		a = d, d = c, c = b;
		b += rotate(sum, turns[t / 16][t % 4]);
	}
	h[0] += a, h[1] += b, h[2] += c, h[3] += d;
}

/* Where byte I of a number stands. */
static int shift(const struct digest *d, int i)
{
	return d->kind == DIGEST_MD5 ? 8 * i : 24 - 8 * i;
}

static void add_block(struct digest *d, const uint8_t *p)
{
	uint32_t w[16] = { 0 };
	for (int i = 0; i < 64; i++)
		w[i / 4] |= (uint32_t)p[i] << shift(d, i % 4);
	if (d->kind == DIGEST_MD5)
		md5_block(d->h, w);
	else if (d->kind == DIGEST_SHA1)
		sha1_block(d->h, w);
	else
		sha256_block(d->h, w);
}

void digest_feed(struct digest *d, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	size_t have = d->len % sizeof d->block;
	d->len += n;
	if (have) {
		size_t more = n < sizeof d->block - have ? n : sizeof d->block - have;
		memcpy(d->block + have, p, more);
		p += more, n -= more;
		if (have + more < sizeof d->block)
			return;
		add_block(d, d->block);
	}
	for (; n >= sizeof d->block; p += sizeof d->block, n -= sizeof d->block)
		add_block(d, p);
	if (n)
		memcpy(d->block, p, n);
}

uint32_t digest_end(struct digest *d, uint8_t *out)
{
	static const uint8_t end[64] = { 0x80 };
	static const uint8_t sizes[] = { 16, SHA1_SIZE, DIGEST_MAX };
	uint64_t n = d->len * 8;
	uint8_t bits[8];
	for (int i = 0; i < 8; i++)
		bits[d->kind == DIGEST_MD5 ? i : 7 - i] = (uint8_t)(n >> 8 * i);
	digest_feed(d, end, 1 + (119 - d->len % 64) % 64);
	digest_feed(d, bits, sizeof bits);
	for (int i = 0; i < sizes[d->kind]; i++)
		out[i] = (uint8_t)(d->h[i / 4] >> shift(d, i % 4));
	return sizes[d->kind];
}
