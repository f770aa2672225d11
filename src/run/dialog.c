#include "run/dialog.h"

#include <string.h>

enum { STATUS_MAX = 255 };

/* The number on the line; -1: it is none. */
static int number_of(const char *line, size_t n)
{
	int number = 0;
	if (n && line[n - 1] == '\r')
		n--;
	for (size_t i = 0; i < n; i++) {
		if (line[i] < '0' || line[i] > '9')
			return -1;
		number = 10 * number + (line[i] - '0');
		if (number > STATUS_MAX)
			return -1;
	}
	return n ? number : -1;
}

enum dialog_state dialog_take(struct dialog *d, const char *bytes, size_t n, int *status)
{
	const char *end = memchr(bytes, '\n', n);
	size_t len = end ? (size_t)(end - bytes) : n;
	if (d->n + len >= sizeof d->line || (end && len + 1 != n))
		return DIALOG_GARBAGE;
	memcpy(d->line + d->n, bytes, len);
	d->n += len;
	if (!end)
		return DIALOG_MORE;
	*status = number_of(d->line, d->n);
	return *status < 0 ? DIALOG_GARBAGE : DIALOG_ANSWER;
}

bool dialog_stands(const struct dialog_doubt *doubt)
{
	return doubt->end == DIALOG_ANSWERED && !doubt->due && !doubt->interesting &&
	       !doubt->no_answer;
}
