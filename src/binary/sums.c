#include "binary/sums.h"

#include <string.h>

#include "base/work.h"

/* A CRC: its polynomial (reflected ones written so), what it begins with, what is added at the end.
 */
struct crc {
	uint8_t bits;
	bool reflected;
	uint32_t poly, begin, end;
};

static const struct crc crcs[SUM_ALL] = {
	[SUM_CRC32] = { 32, true, 0xedb88320, 0xffffffff, 0xffffffff },
	[SUM_CRC32C] = { 32, true, 0x82f63b78, 0xffffffff, 0xffffffff },
	[SUM_CRC32_MSB] = { 32, false, 0x04c11db7, 0xffffffff, 0xffffffff },
	[SUM_CRC32_MSB0] = { 32, false, 0x04c11db7, 0, 0 },
	[SUM_CRC32_MPEG] = { 32, false, 0x04c11db7, 0xffffffff, 0 },
	[SUM_CRC16] = { 16, true, 0xa001, 0, 0 },
	[SUM_CRC16_MODBUS] = { 16, true, 0xa001, 0xffff, 0 },
	[SUM_CRC16_CCITT] = { 16, false, 0x1021, 0xffff, 0 },
	[SUM_CRC16_XMODEM] = { 16, false, 0x1021, 0, 0 },
	[SUM_CRC16_X25] = { 16, true, 0x8408, 0xffff, 0xffff },
	[SUM_CRC8] = { 8, false, 0x07, 0, 0 },
};

enum { ADLER = 65521, ADLER_SAFE = 4096 }; /* so many bytes do not overflow */

uint32_t sum_width(enum sum sum)
{
	return sum_is_digest(sum)                      ? (sum == SUM_SHA1  ? SHA1_DIGEST_SIZE
	                                                  : sum == SUM_MD5 ? 16
	                                                                   : 32)
	       : sum < SUM_CRC16 || sum >= SUM_LOOKUP3 ? 4
	       : sum < SUM_ADD8                        ? 2
	                                               : 1;
}

static uint32_t crc_entry(const struct crc *c, uint32_t byte)
{
	uint32_t top = 1u << (c->bits - 1), v = c->reflected ? byte : byte << (c->bits - 8);
	for (int i = 0; i < 8; i++)
		v = c->reflected ? (v & 1 ? v >> 1 ^ c->poly : v >> 1)
		                 : (v & top ? v << 1 ^ c->poly : v << 1);
	return c->bits == 32 ? v : v & ((1u << c->bits) - 1);
}

void sum_begin(struct sum_state *s, enum sum sum)
{
	s->sum = sum;
	s->n = 0;
	s->b = 0;
	s->a = sum == SUM_ADLER32 ? 1 : sum == SUM_FNV32 ? 2166136261u : crcs[sum].begin;
	s->tabled = s->counted = false;
	digest_begin(&s->digest, sum == SUM_MD5      ? DIGEST_MD5
	                         : sum == SUM_SHA256 ? DIGEST_SHA256
	                                             : DIGEST_SHA1);
}

/* A table costs as much as so many bytes without one. */
static bool needs_table(const struct sum_state *s, size_t n)
{
	return !s->tabled && n >= sizeof s->table / sizeof *s->table;
}

static uint32_t entry(const struct sum_state *s, const struct crc *c, uint32_t byte)
{
	return s->tabled ? s->table[byte] : crc_entry(c, byte);
}

static void feed_crc(struct sum_state *s, const struct crc *c, const uint8_t *p, size_t n)
{
	uint32_t v = s->a, mask = c->bits == 32 ? UINT32_MAX : (1u << c->bits) - 1;
	uint32_t up = c->bits - 8u;
	if (needs_table(s, n)) {
		for (uint32_t i = 0; i < sizeof s->table / sizeof *s->table; i++)
			s->table[i] = crc_entry(c, i);
		s->tabled = true;
	}
	if (c->reflected)
		for (size_t i = 0; i < n; i++)
			v = entry(s, c, (v ^ p[i]) & 0xff) ^ v >> 8;
	else
		for (size_t i = 0; i < n; i++)
			v = (entry(s, c, (v >> up ^ p[i]) & 0xff) ^ v << 8) & mask;
	s->a = v;
}

static void feed_adler(struct sum_state *s, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		s->a += p[i];
		s->b += s->a;
		if (i % ADLER_SAFE && i + 1 < n)
			continue;
		s->a %= ADLER;
		s->b %= ADLER;
	}
}

/* ---- lookup3 (Jenkins, "lookup3.c", 2006): hashlittle ---- */

static uint32_t turned(uint32_t v, unsigned by)
{
	return v << by | v >> (32 - by);
}

static void add_block(struct sum_state *s)
{
	s->a += code_little(s->block);
	s->b += code_little(s->block + 4);
	s->c += code_little(s->block + 8);
}

static void mix_block(struct sum_state *s)
{
	static const uint8_t by[] = { 4, 6, 8, 16, 19, 4 };
	uint32_t v[] = { s->a, s->b, s->c };
	for (uint32_t i = 0; i < sizeof by; i++) {
		uint32_t *x = &v[i % 3], *y = &v[(i + 1) % 3], *z = &v[(i + 2) % 3];
		*x = (*x - *z) ^ turned(*z, by[i]);
		*z += *y;
	}
	s->a = v[0];
	s->b = v[1];
	s->c = v[2];
}

static void feed_lookup3(struct sum_state *s, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n && s->counted; i++) {
		size_t k = (s->n + i) % sizeof s->block;
		if (!k && s->n + i) { /* the last block waits for the end */
			add_block(s);
			mix_block(s);
			memset(s->block, 0, sizeof s->block);
		}
		s->block[k] = p[i];
	}
}

static uint32_t end_lookup3(struct sum_state s)
{
	static const uint8_t by[] = { 14, 11, 25, 16, 4, 14, 24 };
	if (s.n)
		add_block(&s);
	uint32_t v[] = { s.c, s.a, s.b };
	for (uint32_t i = 0; i < sizeof by && s.n; i++) {
		uint32_t *x = &v[i % 3], y = v[(i + 2) % 3];
		*x = (*x ^ y) - turned(y, by[i]);
	}
	return v[0];
}

bool sum_again(struct sum_state *s)
{
	if (s->sum != SUM_LOOKUP3 || s->counted)
		return false;
	s->a = s->b = s->c = 0xdeadbeef + (uint32_t)s->n;
	memset(s->block, 0, sizeof s->block);
	s->n = 0;
	return s->counted = true;
}

/* One byte of a sum that is of neither kind; K is its place. */
static void feed_byte(struct sum_state *s, uint8_t byte, uint64_t k)
{
	switch (s->sum) {
	case SUM_FLETCHER16:
		s->a = (s->a + byte) % 255;
		s->b = (s->b + s->a) % 255;
		break;
	case SUM_WORDS32_LE:
		s->a += (uint32_t)byte << (8 * (k & 3));
		break;
	case SUM_WORDS32_BE:
	case SUM_FONT:
		s->a += (uint32_t)byte << (24 - 8 * (k & 3));
		break;
	case SUM_XOR32_LE:
		s->a ^= (uint32_t)byte << (8 * (k & 3));
		break;
	case SUM_FNV32:
		s->a = (s->a ^ byte) * 16777619u;
		break;
	case SUM_INTERNET:
		s->a += (uint32_t)byte << (k & 1 ? 0 : 8);
		s->a = (s->a & 0xffff) + (s->a >> 16);
		break;
	case SUM_PE:
		s->a += (uint32_t)byte << (k & 1 ? 8 : 0);
		s->a = (s->a & 0xffff) + (s->a >> 16);
		break;
	case SUM_XOR8:
		s->a ^= byte;
		break;
	default:
		s->a += byte;
	}
}

void sum_feed(struct sum_state *s, const uint8_t *bytes, size_t n)
{
	work_step(n);
	if (crcs[s->sum].bits)
		feed_crc(s, &crcs[s->sum], bytes, n);
	else if (s->sum == SUM_ADLER32)
		feed_adler(s, bytes, n);
	else if (sum_is_digest(s->sum))
		digest_feed(&s->digest, bytes, n);
	else if (s->sum == SUM_LOOKUP3)
		feed_lookup3(s, bytes, n);
	else
		for (size_t i = 0; i < n; i++)
			feed_byte(s, bytes[i], s->n + i);
	s->n += n;
}

uint32_t sum_end(const struct sum_state *s)
{
	switch (s->sum) {
	case SUM_ADLER32:
		return s->b << 16 | s->a;
	case SUM_FLETCHER16:
		return s->b << 8 | s->a;
	case SUM_ADD16:
		return s->a & 0xffff;
	case SUM_INTERNET:
		return ~s->a & 0xffff;
	case SUM_ADD8:
		return s->a & 0xff;
	case SUM_LOOKUP3:
		return end_lookup3(*s);
	case SUM_NEGATED8:
		return -s->a & 0xff;
	case SUM_FONT:
		return 0xb1b0afba - s->a;
	case SUM_PE:
		return s->a + (uint32_t)s->n;
	default:
		return s->a ^ crcs[s->sum].end;
	}
}

/* Hexadecimal digits of the N bytes at DIGEST, large ones where the ones at OLD are. */
static void put_hex(const uint8_t *digest, uint32_t n, const uint8_t *old, uint8_t *out)
{
	bool large = false; /* before OUT, which may be OLD, is written */
	for (uint32_t i = 0; i < 2 * n; i++)
		large |= old[i] >= 'A' && old[i] <= 'F';
	for (uint32_t i = 0; i < 2 * n; i++)
		out[i] = (uint8_t)(large ? "0123456789ABCDEF"
		                         : "0123456789abcdef")[digest[i / 2] >> (i % 2 ? 0 : 4) &
		                                               15];
}

/* The same in base64. */
static void put_base64(const uint8_t *digest, uint32_t n, uint8_t *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (uint32_t i = 0; i < (n + 2) / 3 * 4; i++) {
		uint32_t at = i * 6 / 8, word = at < n ? (uint32_t)digest[at] << 8 : 0;
		word |= at + 1 < n ? digest[at + 1] : 0;
		out[i] = (uint8_t)(at < n ? digits[word >> (10 - i * 6 % 8) & 63] : '=');
	}
}

void sum_put(const struct sum_state *s, enum code code, const uint8_t *old, uint32_t width,
             uint8_t out[CODE_MAX])
{
	uint8_t own[DIGEST_MAX + 1] = { 0 };
	struct digest digest = s->digest;
	if (!sum_is_digest(s->sum)) {
		code_write(code, old, width, sum_end(s), out);
		return;
	}
	uint32_t n = digest_end(&digest, own);
	if (width == 2 * n)
		put_hex(own, n, old, out);
	else if (width > n)
		put_base64(own, n, out);
	else
		memcpy(out, own, n);
}

bool sum_stands(const struct sum_state *s, enum code code, const uint8_t *p, uint32_t width)
{
	uint8_t now[CODE_MAX];
	uint32_t read = width, own = sum_width(s->sum);
	uint64_t value;
	if (!sum_is_digest(s->sum))
		return code_read(code, p, p + width, &read, &value) && read == width &&
		       value == sum_end(s);
	if (width != own && width != 2 * own && width != (own + 2) / 3 * 4)
		return false;
	sum_put(s, code, p, width, now);
	return !memcmp(now, p, width);
}

uint32_t sum_bytes(enum sum sum, const uint8_t *bytes, size_t n)
{
	struct sum_state s;
	sum_begin(&s, sum);
	do
		sum_feed(&s, bytes, n);
	while (sum_again(&s));
	return sum_end(&s);
}
