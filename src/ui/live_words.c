#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/show.h"
#include "ui/live_parts.h"

const char *live_number(uint64_t n, char text[LIVE_WORD])
{
	char digits[LIVE_WORD];
	size_t len = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n), to = 0;
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			text[to++] = ',';
		text[to++] = digits[i];
	}
	text[to] = '\0';
	return text;
}

const char *live_short(uint64_t n, char text[LIVE_WORD])
{
	static const char units[] = " kMG";
	double value = (double)n;
	size_t unit = 0;
	if (n < 100000)
		return live_number(n, text);
	for (; value >= 1000 && units[unit + 1]; unit++)
		value /= 1000;
	snprintf(text, LIVE_WORD, "%.3g%c", value, units[unit]);
	return text;
}

const char *live_time(uint64_t ns, char text[LIVE_WORD])
{
	uint64_t s = ns / 1000000000u;
	if (s < 3600)
		snprintf(text, LIVE_WORD, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
	else
		snprintf(text, LIVE_WORD, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600,
		         s / 60 % 60, s % 60);
	return text;
}

void live_add_words(struct grid *g, struct grid_at *at, enum grid_style style, const char *text)
{
	const char *more = g->ascii ? " ..." : " \xe2\x80\xa6";
	size_t room = at->end > at->col ? at->end - at->col : 0, len = strlen(text);
	MEM_SCOPED char *shown = mem_strdup(text);
	while (len && show_columns(shown) + (text[len] ? show_columns(more) : 0) > room) {
		while (len && text[len - 1] != ' ')
			len--;
		while (len && strchr(" ,;:(", text[len - 1]))
			len--;
		shown[len] = '\0';
	}
	if (len)
		grid_styled(g, at, style, "%s%s", shown, text[len] ? more : "");
}

void live_add(struct grid *g, struct grid_at *at, enum grid_style style, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	MEM_SCOPED char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	SCOPED(grid_release) struct grid trial = { .ascii = g->ascii };
	struct grid_at here = { .end = at->end > at->col ? at->end - at->col : 0 };
	grid_clear(&trial, 1, here.end);
	if (grid_write(&trial, &here, text, strlen(text)) == strlen(text))
		grid_styled(g, at, style, "%s", text);
}
