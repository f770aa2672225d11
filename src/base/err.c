#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;
	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof err->msg, fmt, ap);
	va_end(ap);
	err->code = code;
	return -1;
}

int err_errno(struct err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;
	if (!err)
		return -1;
	va_start(ap, fmt);
	int n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof err->msg)
		snprintf(err->msg + n, sizeof err->msg - (size_t)n, ": %s", strerror(saved));
	err->code = ERR_SYSTEM;
	return -1;
}

int err_context(struct err *err, const char *fmt, ...)
{
	char old[sizeof err->msg];
	va_list ap;
	if (!err)
		return -1;
	memcpy(old, err->msg, sizeof old);
	va_start(ap, fmt);
	int n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof err->msg)
		return -1;
	size_t room = sizeof err->msg - (size_t)n;
	int wanted = snprintf(err->msg + n, room, ": %s", old);
	if (wanted >= 0 && (size_t)wanted >= room && room > 4)
		memcpy(err->msg + sizeof err->msg - 4, "...", 4);
	return -1;
}

int err_as(struct err *err, enum err_code code)
{
	if (err)
		err->code = code;
	return -1;
}

void bug(const char *fmt, ...)
{
	va_list ap;
	fputs("whittle: internal error: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
