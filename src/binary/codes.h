/* How numbers are written in files: bytes of either order, LEB128, DER's lengths, digits.
 *
 * A number occupies WIDTH bytes. Of LEB128 and DER the width follows from the value; one that was
 * written with more bytes than it needs keeps its width.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum code {
	CODE_LITTLE, /* bytes, the least significant first; 1 to 8 of them */
	CODE_BIG,    /* the most significant first */
	CODE_LEB, /* seven bits a byte, the least significant first, a bit says that more follow */
	CODE_ZIGZAG, /* the same of twice a number that is not negative, as in Avro and Thrift */
	CODE_DER, /* below 128 one byte; else their number and the bytes, the most significant first
	           */
	CODE_VLQ, /* seven bits a byte, the most significant first, a bit says that more follow */
	CODE_VLQ_END, /* the same, but the bit says that none do */
	CODE_EBML,   /* so many zeros in front of the first one as bytes follow, as in Matroska; one
	                that was wider than it had to be stays so wide */
	CODE_SEVENS, /* four bytes as CODE_BIG, whose highest bits are 0 and none of the number */
	CODE_LOW4,   /* the low four bits of a byte, of which the others stay as they are */
	CODE_LOW5,   /* the low five */
	CODE_DECIMAL,  /* digits; with zeros in front as wide as it was, else as wide as it needs */
	CODE_OCTAL,    /* digits, as wide as it was, what is around them as it was */
	CODE_INVERTED, /* the bits of CODE_LITTLE turned round */
	CODE_BROTLI,   /* the head of a block of bytes as they are, of up to 1 MB, in brotli */
	CODE_FLAGGED,  /* CODE_LITTLE behind three bits, the lowest, which stay as they are */
	CODE_LACED,  /* a byte says how many bytes follow, whose sum it is: each 255, the last of a
	                part less */
	CODE_PADDED, /* decimal digits, blanks after them, as wide as it was */
	CODE_HEX,    /* hexadecimal digits; with zeros in front as wide as it was */
	CODE_HEX_WIDE, /* the same, as wide as it was */
	CODE_ZEROS,    /* decimal digits, as wide as it was */
};

enum { CODE_MAX = 64 }; /* bytes that a number, or a digest in digits, takes at most */

/* The number at P, not beyond END. *WIDTH is the width of those that have a given one, and becomes
 * that of the others. False when none is there. */
bool code_read(enum code code, const uint8_t *p, const uint8_t *end, uint32_t *width,
               uint64_t *value);

/* Writes VALUE in place of the number at OLD, which is WIDTH bytes wide; returns how many bytes it
 * takes, 0 when it cannot be written so. */
uint32_t code_write(enum code code, const uint8_t *old, uint32_t width, uint64_t value,
                    uint8_t out[CODE_MAX]);

/* Does the width follow from the value? */
static inline bool code_varies(enum code code)
{
	return code == CODE_LEB || code == CODE_ZIGZAG || code == CODE_DER || code == CODE_VLQ ||
	       code == CODE_VLQ_END || code == CODE_EBML || code == CODE_DECIMAL ||
	       code == CODE_HEX || code == CODE_LACED;
}

/* Is it written in digits? */
static inline bool code_in_digits(enum code code)
{
	return code == CODE_DECIMAL || code == CODE_OCTAL || code >= CODE_PADDED;
}

/* Words of four bytes; a number of so many, the least significant first. */
static inline uint32_t code_big(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint32_t code_little(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline void code_put(uint8_t *p, uint64_t value, uint32_t width)
{
	for (; width--; value >>= 8)
		*p++ = (uint8_t)value;
}

static inline bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* The value of the digit C of CODE, or -1. */
int code_digit(enum code code, uint8_t c);

/* Where in the word of *LEN bytes at P a number stands behind a sign, and before none or others, as
 * in rows=80, (80) and "n":80, and *LEN of it. 0: nowhere. */
uint32_t code_within(const uint8_t *p, uint32_t *len);
