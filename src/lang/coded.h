/* Coded words: text in which other bytes are written, as base64 (in one line or several), as hex
 * digits, or, of a whole file, as UTF-16, or made anew of what it says (binary/anew.h); or the text
 * of a string, the content of a record or an open layer, which others find. A word is known by its
 * characters, its length, and what it says: it is text, or long, or stands where something
 * announces it. Whatever is taken for one is written back byte for byte as it was by coded_write.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "text/edit.h"

enum coded_kind {
	CODED_BASE64,
	CODED_BASE64_URL, /* with - and _ */
	CODED_HEX,
	CODED_HEX_UPPER,
	CODED_UTF16_LE, /* what it says is UTF-8 */
	CODED_UTF16_BE,
	CODED_PLAIN,  /* as it is: what stands between quotes */
	CODED_MEMBER, /* likewise: what a record holds that has a format of its own */
	CODED_STORED, /* what a layer that is open holds, in stored blocks (binary/layers.h) */
	CODED_ANEW,   /* a whole file that is open, made anew of what is left (binary/anew.h) */
};

enum { CODED_BREAK_MAX = 40 }; /* bytes between two lines of a word at most */

struct coded {
	uint32_t begin, end;
	uint32_t size;   /* of what it says */
	uint32_t line;   /* characters in a line; 0: it is one line */
	uint8_t kind;    /* enum coded_kind */
	uint8_t form;    /* stored: enum layer_kind; made anew: which of anew_kinds */
	bool padded;     /* base64: with = at the end */
	uint8_t n_break; /* what is between two lines */
	uint8_t line_break[CODED_BREAK_MAX];
};

struct coded_list {
	uint32_t n, cap;
	struct coded *list; /* in document order */
};

/* Is a word of KIND a whole file that is made anew after each edit? */
static inline bool coded_is_made(uint8_t kind)
{
	return kind == CODED_ANEW;
}

/* Does it begin as such a file does? */
bool coded_may_be_made(const uint8_t *bytes, uint32_t size);

/* Adds the words in [begin, end) of BYTES, which is one file. */
void coded_find(const uint8_t *bytes, uint32_t begin, uint32_t end, struct coded_list *out);
void coded_release(struct coded_list *list);

/* What WORD of BYTES says: word->size bytes at OUT. */
void coded_read(const struct coded *word, const uint8_t *bytes, uint8_t *out);

/* SIZE bytes at DATA as WORD writes them, in ARENA. */
uint8_t *coded_write(const struct coded *word, const uint8_t *data, uint32_t size,
                     struct arena *arena, uint32_t *len);

/* EDIT of DATA, which WORD of BYTES says, as an edit of BYTES. */
struct edit coded_edit(const struct coded *word, const uint8_t *bytes, const uint8_t *data,
                       struct edit edit, struct arena *arena);

/* The reverse, where WORD is stored: what EDIT of BYTES is to what it holds. */
struct edit coded_inner(const struct coded *word, const uint8_t *bytes, struct edit edit,
                        struct arena *arena);

/* DATA of SIZE bytes after EDIT, in ARENA. */
uint8_t *coded_edited(const uint8_t *data, uint32_t size, struct edit edit, struct arena *arena,
                      uint32_t *len);
