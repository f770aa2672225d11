#include "base/near.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 32 }; /* letters; longer words are not compared */

struct near near_begin(const char *word, size_t len)
{
	return (struct near){ .word = word, .len = len };
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Edits from A to B, where exchanging neighbours is one (optimal string alignment). */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned rows[3][MOST + 1], *before = rows[0], *above = rows[1], *row = rows[2];
	for (unsigned j = 0; j <= m; j++)
		above[j] = j;
	for (unsigned i = 1; i <= n; i++) {
		row[0] = i;
		for (unsigned j = 1; j <= m; j++) {
			unsigned other = above[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = least(least(above[j], row[j - 1]) + 1, other);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		unsigned *oldest = before;
		before = above;
		above = row;
		row = oldest;
	}
	return above[m];
}

void near_offer(struct near *n, const char *known)
{
	size_t len = strlen(known);
	if (n->len > MOST || len > MOST)
		return;
	unsigned d = distance(n->word, n->len, known, len);
	if (!n->best || d < n->distance) {
		n->best = known;
		n->distance = d;
	}
}

const char *near_found(const struct near *n)
{
	size_t allowed = n->len < 3 ? 0 : 1 + n->len / 5;
	return n->best && n->distance <= allowed ? n->best : NULL;
}

const char *near_question(const struct near *n, const char *prefix, char *text, size_t size)
{
	const char *best = near_found(n);
	*text = '\0';
	if (best)
		snprintf(text, size, "; did you mean %s%s?", prefix, best);
	return text;
}
