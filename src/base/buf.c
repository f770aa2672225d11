#include "base/buf.h"

#include <stdio.h>

#include "base/err.h"

static void buf_reserve(struct buf *buf, size_t more)
{
	if (buf->cap - buf->len > more)
		return;
	size_t cap = buf->cap ? buf->cap : 64;
	while (cap - buf->len <= more)
		cap *= 2;
	buf->data = mem_resize(buf->data, cap, 1);
	buf->cap = cap;
}

void buf_add(struct buf *buf, const void *bytes, size_t len)
{
	buf_reserve(buf, len);
	if (len)
		memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void buf_addch(struct buf *buf, char c)
{
	buf_add(buf, &c, 1);
}

void buf_add_number(struct buf *buf, unsigned long long n)
{
	enum { DIGITS = 20 };
	char digits[DIGITS], *first = digits + DIGITS;
	do
		*--first = (char)('0' + n % 10);
	while (n /= 10);
	buf_add(buf, first, (size_t)(digits + DIGITS - first));
}

void buf_addf(struct buf *buf, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		bug("format \"%s\" failed", fmt);
	buf_reserve(buf, (size_t)n);
	va_start(ap, fmt);
	vsnprintf(buf->data + buf->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	buf->len += (size_t)n;
}

void buf_release(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){ 0 };
}
