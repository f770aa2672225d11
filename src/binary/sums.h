/* Checksums that formats carry, as one small state that is fed bytes. Each is known by how it is
 * computed, not by who uses it; the checks that a real one is somewhere are its numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "binary/codes.h"

enum sum {
	SUM_CRC32,      /* reflected 0x04c11db7, inverted at both ends: zlib's, PNG's */
	SUM_CRC32C,     /* reflected 0x1edc6f41, inverted at both ends */
	SUM_CRC32_MSB,  /* 0x04c11db7 from the top, inverted at both ends: bzip2's */
	SUM_CRC32_MSB0, /* the same from 0, not inverted: Ogg's */
	SUM_CRC32_MPEG, /* the same from all ones, not inverted at the end */
	SUM_ADLER32,    /* zlib's */
	SUM_ADD32,      /* bytes added */
	SUM_WORDS32_LE, /* words of four bytes added */
	SUM_WORDS32_BE,
	SUM_FNV32,    /* FNV-1a */
	SUM_XOR32_LE, /* words of four bytes */
	SUM_SHA1,
	SUM_CRC16,        /* reflected 0x8005 from 0 */
	SUM_CRC16_MODBUS, /* the same from all ones */
	SUM_CRC16_CCITT,  /* 0x1021 from all ones */
	SUM_CRC16_XMODEM, /* the same from 0 */
	SUM_CRC16_X25,    /* reflected 0x1021, inverted at both ends */
	SUM_ADD16,        /* bytes added */
	SUM_FLETCHER16,
	SUM_INTERNET, /* words of two bytes, the carry added, inverted */
	SUM_ADD8,     /* bytes added */
	SUM_NEGATED8, /* what makes their sum 0 */
	SUM_XOR8,
	SUM_CRC8,            /* 0x07 from 0 */
	SUM_N,               /* those above are looked for where no format is known */
	SUM_LOOKUP3 = SUM_N, /* Jenkins's hash of 2006, from 0: HDF5's; fed twice */
	SUM_FONT,            /* what with words of four bytes added is 0xb1b0afba: OpenType's */
	SUM_PE, /* words of two bytes from the low one, the carry added, and how many bytes */
	SUM_SHA256,
	SUM_MD5,
	SUM_ALL,
};

struct sum_state {
	enum sum sum;
	uint32_t a, b, c; /* as the sum needs them */
	uint64_t n;       /* bytes fed */
	struct digest digest;
	bool tabled; /* of a CRC: */
	uint32_t table[256];
	bool counted; /* of lookup3: */
	uint8_t block[12];
};

void sum_begin(struct sum_state *s, enum sum sum);
void sum_feed(struct sum_state *s, const uint8_t *bytes, size_t n);
/* Must all be fed once more? True after the first time where the sum begins with how much it is. */
bool sum_again(struct sum_state *s);
uint32_t sum_end(const struct sum_state *s);
uint32_t sum_bytes(enum sum sum, const uint8_t *bytes, size_t n);

/* Writes it in place of the WIDTH bytes at OLD as CODE does; digests as they are, or, where
 * twice as many bytes stand there, in hexadecimal digits. */
void sum_put(const struct sum_state *s, enum code code, const uint8_t *old, uint32_t width,
             uint8_t out[CODE_MAX]);

/* Does it stand so in the WIDTH bytes at P? */
bool sum_stands(const struct sum_state *s, enum code code, const uint8_t *p, uint32_t width);

/* Bytes that a sum takes: 1, 2, 4, or those of a digest. */
uint32_t sum_width(enum sum sum);
static inline bool sum_is_digest(enum sum sum)
{
	return sum == SUM_SHA1 || sum == SUM_SHA256 || sum == SUM_MD5;
}
