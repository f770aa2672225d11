#include "ui/live_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static uint32_t length(const struct live_line *l)
{
	return l->parts[0].len + l->parts[1].len + l->parts[2].len;
}

/* The same bytes, whatever parts they are in. */
static bool equal(const struct live_line *a, const struct live_line *b)
{
	uint32_t left = length(a), i = 0, k = 0; /* how much of the current parts was compared */
	const struct live_part *p = a->parts, *q = b->parts;
	if (left != length(b))
		return false;
	while (left) {
		uint32_t n = p->len - i < q->len - k ? p->len - i : q->len - k;
		if (n && memcmp(p->at + i, q->at + k, n) != 0)
			return false;
		left -= n;
		i += n;
		k += n;
		if (i == p->len) {
			p++;
			i = 0;
		}
		if (k == q->len) {
			q++;
			k = 0;
		}
	}
	return true;
}

void live_lines_compare(struct live_lines *a, struct live_lines *b)
{
	/* Lengths of the longest ones from line I of A and line K of B on. */
	unsigned width = b->n + 1, i = 0, k = 0;
	MEM_SCOPED uint16_t *longest = mem_zero((size_t)(a->n + 1) * width, sizeof *longest);
	for (i = a->n; i-- > 0;)
		for (k = b->n; k-- > 0;) {
			uint16_t below = longest[(i + 1) * width + k],
				 right = longest[i * width + k + 1];
			uint16_t both = (uint16_t)(longest[(i + 1) * width + k + 1] + 1);
			longest[i * width + k] = equal(&a->list[i], &b->list[k]) ? both
			                         : below > right                 ? below
			                                                         : right;
		}
	memset(a->same, 0, sizeof a->same);
	memset(b->same, 0, sizeof b->same);
	for (i = k = 0; i < a->n && k < b->n;)
		if (equal(&a->list[i], &b->list[k]))
			a->same[i++] = b->same[k++] = true;
		else if (longest[(i + 1) * width + k] >= longest[i * width + k + 1])
			i++;
		else
			k++;
}
