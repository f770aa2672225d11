/* A growing byte buffer. Zero-initialise; the owner calls buf_release. data is NUL-terminated when
 * not NULL. */
#pragma once

#include "base/mem.h"

struct buf {
	char *data;
	size_t len, cap;
};

void buf_add(struct buf *buf, const void *bytes, size_t len);
void buf_addf(struct buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_add_number(struct buf *buf, unsigned long long n); /* in decimal; faster than buf_addf */
void buf_addch(struct buf *buf, char c);
void buf_release(struct buf *buf);

#define BUF_SCOPED SCOPED(buf_release) /* base/mem.h */
