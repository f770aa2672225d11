/* Which lines of two texts are the same. Internal to live_change_draw.c. */
#ifndef WHITTLE_UI_LIVE_LINES_H
#define WHITTLE_UI_LIVE_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { LIVE_LINES_MAX = 256 };

struct live_part {
	const uint8_t *at;
	uint32_t len;
};

/* What is before the change in a line, what is changed, what is after it. */
struct live_line {
	struct live_part parts[3];
};

struct live_lines {
	struct live_line list[LIVE_LINES_MAX];
	unsigned n;
	bool same[LIVE_LINES_MAX]; /* set by live_lines_compare */
};

/* Marks in both the lines of a longest common subsequence. */
void live_lines_compare(struct live_lines *a, struct live_lines *b);

#endif
