/* "Did you mean": the known word that is closest to a mistyped one. Closeness counts letters that
 * are missing, superfluous, others, or exchanged with their neighbours.
 *
 * Life cycle: near_begin, near_offer for each known word, near_found.
 */
#pragma once

#include <stddef.h>

struct near {
	const char *word; /* not terminated */
	size_t len;
	const char *best; /* one of those offered */
	unsigned distance;
};

struct near near_begin(const char *word, size_t len);
void near_offer(struct near *n, const char *known);

/* The closest one, NULL when none is close enough to have been meant. */
const char *near_found(const struct near *n);

/* The same in words: "; did you mean X?", with PREFIX before X; empty when there is none. In TEXT,
 * of SIZE bytes; returns it. */
const char *near_question(const struct near *n, const char *prefix, char *text, size_t size);
