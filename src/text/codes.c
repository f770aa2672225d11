#include "text/codes.h"

#include <stdio.h>
#include <string.h>

enum { LEB_MAX = 10, DIGITS_MAX = 19, FLAGS = 3 };

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

/* Digits of BASE; behind them blanks up to the width of those that have one, or a NUL. */
static bool read_digits(enum code code, const uint8_t *p, const uint8_t *end, uint32_t *width,
                        uint64_t *value)
{
	const uint8_t base = code == CODE_OCTAL ? 8 : 10;
	uint32_t n = 0, max = code == CODE_DECIMAL ? DIGITS_MAX : *width;
	*value = 0;
	for (; n < max && n < DIGITS_MAX && p + n < end && p[n] >= '0' && p[n] < '0' + base; n++)
		*value = *value * base + (uint64_t)(p[n] - '0');
	if (!n)
		return false;
	if (code == CODE_DECIMAL)
		*width = n;
	for (; n < *width; n++)
		if (p + n >= end || (p[n] != ' ' && p[n] != '\0'))
			return false;
	return true;
}

bool code_read(enum code code, const uint8_t *p, const uint8_t *end, uint32_t *width,
               uint64_t *value)
{
	switch (code) {
	case CODE_LITTLE:
	case CODE_BIG:
		return read_bytes(code == CODE_BIG, p, end, *width, value);
	case CODE_INVERTED:
		if (!read_bytes(false, p, end, *width, value))
			return false;
		*value = ~*value & UINT64_MAX >> (64 - 8 * *width);
		return true;
	case CODE_FLAGGED:
		if (!read_bytes(false, p, end, *width, value))
			return false;
		*value >>= FLAGS;
		return true;
	case CODE_LEB:
		return read_leb(p, end, width, value);
	case CODE_DER:
		return read_der(p, end, width, value);
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

static uint32_t write_digits(enum code code, const uint8_t *old, uint32_t width, uint64_t value,
                             uint8_t *out)
{
	char text[32], kept = ' ';
	uint32_t digits = 0;
	while (digits < width && old[digits] >= '0' && old[digits] <= '9')
		digits++;
	if (digits < width)
		kept = (char)old[digits];
	bool zeros = code == CODE_OCTAL || (code == CODE_DECIMAL && width > 1 && *old == '0');
	const char *form = code == CODE_OCTAL ? "%0*llo" : "%0*llu";
	int n = snprintf(text, sizeof text, form, zeros ? (int)digits : 1,
	                 (unsigned long long)value);
	if (n < 1 || (uint32_t)n > CODE_MAX || (code != CODE_DECIMAL && (uint32_t)n > width))
		return 0;
	memcpy(out, text, (size_t)n);
	if (code == CODE_DECIMAL)
		return (uint32_t)n;
	memset(out + n, kept, width - (uint32_t)n);
	return width;
}

uint32_t code_write(enum code code, const uint8_t *old, uint32_t width, uint64_t value,
                    uint8_t out[CODE_MAX])
{
	switch (code) {
	case CODE_LITTLE:
	case CODE_BIG:
		return write_bytes(code == CODE_BIG, width, value, out);
	case CODE_INVERTED:
		if (!write_bytes(false, width, value, out))
			return 0;
		for (uint32_t i = 0; i < width; i++)
			out[i] = (uint8_t)~out[i];
		return width;
	case CODE_FLAGGED:
		if (value >> (64 - FLAGS))
			return 0;
		return write_bytes(false, width, value << FLAGS | (*old & ((1u << FLAGS) - 1)),
		                   out);
	case CODE_LEB:
		return write_leb(old, width, value, out);
	case CODE_DER:
		return write_der(old, width, value, out);
	default:
		return write_digits(code, old, width, value, out);
	}
}
