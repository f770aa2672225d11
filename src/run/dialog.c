#include "run/dialog.h"

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

/* One byte of the line. False: it cannot stand there. */
static bool take_byte(struct dialog *d, char byte)
{
	if (d->repeats && d->repeated < d->len)
		return d->question[d->repeated++] == byte;
	if (d->repeats)
		return byte == '\r';
	d->repeats = byte == ' ' && d->n;
	if (d->repeats)
		return true;
	if (d->n + 1 == sizeof d->line)
		return false;
	d->line[d->n++] = byte;
	return true;
}

enum dialog_state dialog_take(struct dialog *d, const char *bytes, size_t n, int *status)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n' && !take_byte(d, bytes[i]))
			return DIALOG_GARBAGE;
		if (bytes[i] != '\n')
			continue;
		*status = d->repeats && d->repeated < d->len ? -1 : number_of(d->line, d->n);
		return *status < 0 || i + 1 < n ? DIALOG_GARBAGE : DIALOG_ANSWER;
	}
	return DIALOG_MORE;
}

bool dialog_stands(const struct dialog_doubt *doubt)
{
	return doubt->end == DIALOG_ANSWERED && !doubt->due && !doubt->interesting &&
	       !doubt->no_answer;
}
