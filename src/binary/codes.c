#include "binary/codes.h"

#include <string.h>

#include "base/work.h"

enum { BROTLI = 3, BROTLI_FEW = 1 << 16 }; /* bytes; of so many the length has four digits */
enum { LEB_MAX = 10, VLQ_MAX = 9, DIGITS_MAX = 19, FLAGS = 3, LACED_MAX = 20 };
enum { READ = 8 }; /* steps of work */

static bool read_bytes(bool big, const uint8_t *p, const uint8_t *end, uint32_t width,
                       uint64_t *value)
{
	if (!width || width > 8 || (uint64_t)(end - p) < width)
		return false;
	*value = 0;
	for (uint32_t i = 0; i < width; i++)
		*value = *value << 8 | p[big ? i : width - 1 - i];
	return true;
}

static bool read_leb(const uint8_t *p, const uint8_t *end, uint32_t *width, uint64_t *value)
{
	*value = 0;
	for (uint32_t i = 0; p + i < end && i < LEB_MAX; i++) {
		*value |= (uint64_t)(p[i] & 0x7f) << (7 * i);
		*width = i + 1;
		if (!(p[i] & 0x80))
			return true;
	}
	return false;
}

/* MORE: the bit that says so where more bytes follow. */
static bool read_vlq(uint8_t more, const uint8_t *p, const uint8_t *end, uint32_t *width,
                     uint64_t *value)
{
	*value = 0;
	for (uint32_t i = 0; p + i < end && i < VLQ_MAX; i++) {
		*value = *value << 7 | (p[i] & 0x7f);
		*width = i + 1;
		if ((p[i] & 0x80) != more)
			return true;
	}
	return false;
}

/* Three bits, the second of which says that the length less one has 20 bits, not 16; one that is
 * set, and zeros up to the next byte. */
static bool read_brotli(const uint8_t *p, const uint8_t *end, uint32_t *width, uint64_t *value)
{
	uint64_t word;
	*width = BROTLI;
	if (!read_bytes(false, p, end, BROTLI, &word) || (word & 5))
		return false;
	bool many = word & 2;
	*value = (word >> 3 & (many ? 0xfffff : 0xffff)) + 1;
	return word >> (many ? 23 : 19) == 1 && many == (*value > BROTLI_FEW);
}

static bool read_der(const uint8_t *p, const uint8_t *end, uint32_t *width, uint64_t *value)
{
	if (p >= end)
		return false;
	*width = 1;
	*value = *p;
	if (*p < 0x80)
		return true;
	*width += *p & 0x7f;
	return *p > 0x80 && *width <= 5 && read_bytes(true, p + 1, end, *width - 1, value);
}

/* Bytes of a number that takes so many bits. */
static uint32_t ebml_width(uint64_t value)
{
	uint32_t width = 1;
	while (width < 8 &&
	       value >= ((uint64_t)1 << 7 * width) - 1) /* that is for what is unknown */
		width++;
	return width;
}

static bool read_ebml(const uint8_t *p, const uint8_t *end, uint32_t *width, uint64_t *value)
{
	if (p >= end || !*p)
		return false;
	*width = (uint32_t)__builtin_clz(*p) - 23;
	if (!read_bytes(true, p, end, *width, value))
		return false;
	*value -= (uint64_t)1 << 7 * *width;
	return *width >= ebml_width(*value);
}

static bool read_laced(const uint8_t *p, const uint8_t *end, uint32_t *width, uint64_t *value)
{
	if (p >= end || *p + 1 > LACED_MAX || end - p <= *p)
		return false;
	*width = *p + 1u;
	*value = 0;
	for (uint32_t i = 1; i < *width; i++)
		*value += p[i];
	return true;
}

static uint8_t base_of(enum code code)
{
	return code == CODE_OCTAL ? 8 : code == CODE_HEX || code == CODE_HEX_WIDE ? 16 : 10;
}

int code_digit(enum code code, uint8_t c)
{
	int value = c >= '0' && c <= '9'   ? c - '0'
	            : c >= 'a' && c <= 'f' ? c - 'a' + 10
	            : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                                   : 16;
	return value < base_of(code) ? value : -1;
}

/* Digits; behind them blanks up to the width of those that have one, or a NUL. Octal ones may have
 * blanks in front. */
static bool read_digits(enum code code, const uint8_t *p, const uint8_t *end, uint32_t *width,
                        uint64_t *value)
{
	uint32_t n = 0, front = 0, max = code_varies(code) ? DIGITS_MAX : *width;
	*value = 0;
	while (code == CODE_OCTAL && n < max && p + n < end && p[n] == ' ')
		n++, front++;
	for (; n < max && n < DIGITS_MAX && p + n < end && code_digit(code, p[n]) >= 0; n++) {
		if (*value >> 59)
			return false;
		*value = *value * base_of(code) + (uint64_t)code_digit(code, p[n]);
	}
	if (n == front)
		return false;
	if (code_varies(code))
		*width = n;
	for (; n < *width; n++)
		if (p + n >= end || (p[n] != ' ' && p[n] != '\0') || code == CODE_ZEROS ||
		    code == CODE_HEX_WIDE)
			return false;
	return true;
}

static uint8_t low_bits(enum code code)
{
	return code == CODE_LOW4 ? 0x0f : 0x1f;
}

/* Of WIDTH bytes, seven bits each, the highest first. */
static bool read_sevens(const uint8_t *p, const uint8_t *end, uint32_t width, uint64_t *value)
{
	if (!read_bytes(true, p, end, width, value) || *value & 0x80808080)
		return false;
	*value = (*value & 0x7f) | (*value & 0x7f00) >> 1 | (*value & 0x7f0000) >> 2 |
	         (*value & 0x7f000000) >> 3;
	return true;
}

bool code_read(enum code code, const uint8_t *p, const uint8_t *end, uint32_t *width,
               uint64_t *value)
{
	work_step(READ);
	switch (code) {
	case CODE_LITTLE:
	case CODE_BIG:
	case CODE_INVERTED:
	case CODE_FLAGGED:
		if (!read_bytes(code == CODE_BIG, p, end, *width, value))
			return false;
		if (code == CODE_INVERTED)
			*value ^= UINT64_MAX >> (64 - 8 * *width);
		*value >>= code == CODE_FLAGGED ? FLAGS : 0;
		return true;
	case CODE_BROTLI:
		return read_brotli(p, end, width, value);
	case CODE_LEB:
	case CODE_ZIGZAG:
		if (!read_leb(p, end, width, value) || (code == CODE_ZIGZAG && *value & 1))
			return false;
		*value >>= code == CODE_ZIGZAG;
		return true;
	case CODE_DER:
		return read_der(p, end, width, value);
	case CODE_VLQ:
	case CODE_VLQ_END:
		return read_vlq(code == CODE_VLQ ? 0x80 : 0, p, end, width, value);
	case CODE_EBML:
		return read_ebml(p, end, width, value);
	case CODE_LACED:
		return read_laced(p, end, width, value);
	case CODE_LOW4:
	case CODE_LOW5:
		*value = p < end ? *p & low_bits(code) : 0;
		*width = 1;
		return p < end;
	case CODE_SEVENS:
		return read_sevens(p, end, *width, value);
	default:
		return read_digits(code, p, end, width, value);
	}
}

static uint32_t write_bytes(bool big, uint32_t width, uint64_t value, uint8_t *out)
{
	if (width < 8 && value >> (8 * width))
		return 0;
	for (uint32_t i = 0; i < width; i++, value >>= 8)
		out[big ? width - 1 - i : i] = (uint8_t)value;
	return width;
}

static uint32_t write_leb(const uint8_t *old, uint32_t width, uint64_t value, uint8_t *out)
{
	bool wide = width > 1 && !old[width - 1]; /* wider than it had to be */
	uint32_t n = 0;
	do {
		out[n++] = (uint8_t)((value & 0x7f) | 0x80);
		value >>= 7;
	} while ((value || (wide && n < width)) && n < LEB_MAX);
	out[n - 1] &= 0x7f;
	return value ? 0 : n;
}

static uint32_t write_ebml(const uint8_t *old, uint32_t width, uint64_t value, uint8_t *out)
{
	uint64_t before = 0;
	uint32_t own = width, needed = ebml_width(value);
	if (!read_ebml(old, old + width, &own, &before) || value >> 56)
		return 0;
	needed = width > ebml_width(before) && width > needed ? width : needed;
	return write_bytes(true, needed, value | (uint64_t)1 << 7 * needed, out);
}

static uint32_t write_vlq(uint8_t more, const uint8_t *old, uint32_t width, uint64_t value,
                          uint8_t *out)
{
	bool wide = width > 1 && !(*old & 0x7f); /* wider than it had to be */
	uint32_t n = 1;
	while (n < VLQ_MAX && (value >> (7 * n) || (wide && n < width)))
		n++;
	if (value >> (7 * n))
		return 0;
	for (uint32_t i = n; i-- > 0; value >>= 7)
		out[i] = (uint8_t)((value & 0x7f) | (i + 1 < n ? more : more ^ 0x80));
	return n;
}

static uint32_t bytes_needed(uint64_t value)
{
	uint32_t n = 1;
	while (n < 8 && value >> (8 * n))
		n++;
	return n;
}

static uint32_t write_der(const uint8_t *old, uint32_t width, uint64_t value, uint8_t *out)
{
	uint32_t n = bytes_needed(value);
	bool wide = width > 2 ? !old[1] : width == 2 && old[1] < 0x80;
	if (wide && n < width)
		n = width - 1;
	else if (value < 0x80) {
		*out = (uint8_t)value;
		return 1;
	}
	*out = (uint8_t)(0x80 | n);
	return n > 4 ? 0 : 1 + write_bytes(true, n, value, out + 1);
}

/* The digits of VALUE at OUT, at least LEAST of them with FILL in front; how many there are. */
static uint32_t put_digits(enum code code, uint64_t value, uint32_t least, char fill, bool upper,
                           uint8_t out[64])
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	uint32_t n = 0;
	for (uint64_t rest = value; rest || !n; rest /= base_of(code))
		out[n++] = (uint8_t)digits[rest % base_of(code)];
	while (n < least)
		out[n++] = (uint8_t)fill;
	for (uint32_t i = 0; i < n / 2; i++) {
		uint8_t c = out[i];
		out[i] = out[n - 1 - i];
		out[n - 1 - i] = c;
	}
	return n;
}

static bool has_upper(const uint8_t *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (p[i] >= 'A' && p[i] <= 'F')
			return true;
	return false;
}

static uint32_t write_digits(enum code code, const uint8_t *old, uint32_t width, uint64_t value,
                             uint8_t *out)
{
	uint8_t text[64];
	uint32_t front = 0, digits;
	while (code == CODE_OCTAL && front < width && old[front] == ' ')
		front++;
	for (digits = front; digits < width && code_digit(code, old[digits]) >= 0;)
		digits++;
	bool zeros = code_varies(code) ? width > 1 && *old == '0' : code != CODE_PADDED;
	uint32_t n = put_digits(code, value, zeros ? digits : 1, front ? ' ' : '0',
	                        has_upper(old, width), text);
	if (n > CODE_MAX || (!code_varies(code) && n > width))
		return 0;
	memcpy(out, text, n);
	if (code_varies(code))
		return n;
	memset(out + n, digits < width ? old[digits] : ' ', width - n);
	if (n == digits)
		memcpy(out + n, old + n, width - n);
	return width;
}

/* What is in front keeps its parts. */
static uint32_t write_laced(const uint8_t *old, uint32_t width, uint64_t value, uint8_t *out)
{
	uint32_t n = 1;
	while (n < width && old[n] <= value && (value || n == 1 || old[n - 1] == UINT8_MAX)) {
		out[n] = old[n];
		value -= old[n++];
	}
	if (n == width && n > 1 && value && old[n - 1] < UINT8_MAX)
		value += old[--n];
	bool open = n > 1 && out[n - 1] == UINT8_MAX;
	while ((value || open) && n < LACED_MAX) {
		out[n] = value < UINT8_MAX ? (uint8_t)value : UINT8_MAX;
		open = out[n] == UINT8_MAX;
		value -= out[n++];
	}
	*out = (uint8_t)(n - 1);
	return value || open ? 0 : n;
}

uint32_t code_write(enum code code, const uint8_t *old, uint32_t width, uint64_t value,
                    uint8_t out[CODE_MAX])
{
	switch (code) {
	case CODE_LITTLE:
	case CODE_BIG:
		return write_bytes(code == CODE_BIG, width, value, out);
	case CODE_INVERTED:
		return write_bytes(false, width, value ^ UINT64_MAX >> (64 - 8 * width), out);
	case CODE_FLAGGED:
		if (value >> (64 - FLAGS))
			return 0;
		return write_bytes(false, width, value << FLAGS | (*old & ((1u << FLAGS) - 1)),
		                   out);
	case CODE_BROTLI:
		if (!value || value > 1 << 20)
			return 0;
		return write_bytes(false, BROTLI,
		                   (value - 1) << 3 | (value > BROTLI_FEW ? 2 | 1 << 23 : 1 << 19),
		                   out);
	case CODE_LEB:
	case CODE_ZIGZAG:
		return write_leb(old, width, value << (code == CODE_ZIGZAG), out);
	case CODE_DER:
		return write_der(old, width, value, out);
	case CODE_VLQ:
	case CODE_VLQ_END:
		return write_vlq(code == CODE_VLQ ? 0x80 : 0, old, width, value, out);
	case CODE_EBML:
		return write_ebml(old, width, value, out);
	case CODE_LACED:
		return write_laced(old, width, value, out);
	case CODE_LOW4:
	case CODE_LOW5:
		if (value > low_bits(code))
			return 0;
		*out = (uint8_t)((*old & ~low_bits(code)) | value);
		return 1;
	case CODE_SEVENS:
		for (uint32_t i = width; i-- > 0; value >>= 7)
			out[i] = value & 0x7f;
		return value ? 0 : width;
	default:
		return write_digits(code, old, width, value, out);
	}
}

uint32_t code_within(const uint8_t *p, uint32_t *len)
{
	uint32_t end = *len, at;
	while (end && p[end - 1] && strchr(")]}>,;:\"'", p[end - 1]))
		end--;
	for (at = end; at && is_digit(p[at - 1]);)
		at--;
	if (!at || at == end || !p[at - 1] || !strchr(at > 1 ? "=:\"'" : "([", p[at - 1]))
		return 0;
	*len = end - at;
	return at;
}
