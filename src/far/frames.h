/* What whittle and a worker say to each other (whittle-workers(7)), as frames: a line of words, and
 * after it, when the last word is a colon and a number, as many bytes and a line end.
 *
 * Pure: frames_feed takes in what was read, in pieces of any size, frames_next gives the frames
 * that are whole. What comes in is not trusted: lines and bodies are bounded, and what exceeds the
 * bounds is refused for good. Memory follows what has come, not what was announced.
 *
 * Zero-initialise, set the bounds; frames_release.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	FRAMES_LINE = 512, /* bytes of a line with its end */
	FRAMES_NAME = 64,  /* bytes of a worker's name with its NUL */
	FRAMES_WORDS = 10, /* the rest of a line is dropped: later versions may say more */
};

struct frames {
	uint64_t most_body; /* bytes of a body */
	struct buf buf;
	size_t at;      /* what lies in front is used up */
	size_t dropped; /* bytes of lines that were none */
	bool bad;
};

struct frame {
	unsigned n; /* at least 1 */
	const char *words[FRAMES_WORDS];
	const uint8_t *body; /* len bytes; NULL: there is none */
	size_t len;
};

void frames_feed(struct frames *f, const void *bytes, size_t len);

enum frames_got { FRAMES_NONE, FRAMES_ONE, FRAMES_BAD };

/* The next frame; what it points to stays until the next call. FRAMES_BAD: this is none (a line too
 * long, an empty one, one with control characters, a body too long), and so for ever. */
enum frames_got frames_next(struct frames *f, struct frame *out);

/* Drops lines up to the one that begins with PREFIX. FRAMES_ONE: it is next, FRAMES_NONE: it may
 * come, FRAMES_BAD: FRAMES_PREAMBLE bytes were none. */
enum { FRAMES_PREAMBLE = 1 << 16 };
enum frames_got frames_seek(struct frames *f, const char *prefix);

/* Whether there is part of a frame. */
bool frames_half(const struct frames *f);

void frames_release(struct frames *f);

/* Reads the decimal number WORD, at most MOST. False: it is none. */
bool frames_number(const char *word, uint64_t most, uint64_t *out);
