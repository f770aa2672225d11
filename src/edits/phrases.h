/* Phrases: text without blanks and quotes that occurs several times, of whatever tokens: a boundary
 * of a message with its dashes, an account with its colons, the name of a signal with its index.
 *
 * All that repeats is found by sorted suffixes (intervals of equal prefixes; Abouelhoda, Kurtz,
 * Ohlebusch, "Replacing suffix trees with enhanced suffix arrays", 2004), of which those are chosen
 * that are most of the text and do not overlap.
 */
#pragma once

#include "base/mem.h"

enum {
	PHRASE_LONGEST = 64,      /* bytes; of what is longer it is the beginning */
	PHRASES_SIZE = 16 * 1024, /* in a longer text none is looked for */
	PHRASE_USES = 400,        /* what is there more often is none */
};

struct phrase {
	uint32_t len, n; /* bytes; how often it is there: 2 or more */
	uint32_t *at;    /* offsets, in rising order, none of which overlap */
};

struct phrases {
	uint32_t n;
	struct phrase *list; /* by the bytes that they are, most first; none overlap */
};

/* At most MOST of the phrases in BYTES of which FITS says yes. In ARENA. */
void phrases_find(struct phrases *phrases, const uint8_t *bytes, uint32_t size, uint32_t most,
                  bool (*fits)(const uint8_t *bytes, const struct phrase *phrase),
                  struct arena *arena);
