/* Fonts as files of tables (OpenType, "The OpenType Font File"), of which packed fonts are made and
 * which they are read as. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SFNT_WORD = 4, SFNT_TABLES_MOST = 4096, SFNT_MOST = 1 << 26 /* bytes of a font */ };

struct sfnt_table {
	uint8_t tag[SFNT_WORD];
	uint32_t at, size; /* in the data of the font */
	uint32_t row;      /* of the directory that it was read from */
};

struct sfnt {
	uint8_t flavor[SFNT_WORD];
	const uint8_t *data; /* borrowed */
	uint32_t n;
	struct sfnt_table *tables; /* in the order in which they stand; owned */
};

/* The tables of the SIZE bytes at FONT. False: it is none, and nothing is to be released. */
bool sfnt_read(const uint8_t *font, uint32_t size, struct sfnt *out);

/* The font of these tables, in their order, with checksums; the caller frees it. */
uint8_t *sfnt_write(const struct sfnt *font, uint32_t *size);

/* The font of *SIZE bytes with sound checksums and without gaps; its tables are in OUT, and the
 * caller frees it, *SIZE bytes. ORDER, which may be NULL, puts them in order. NULL: it is none. */
uint8_t *sfnt_sound(const uint8_t *font, uint32_t *size, void (*order)(struct sfnt *),
                    struct sfnt *out);

/* The font of SIZE bytes with a row for each character, and the map of most of them only; the
 * caller frees it, *LEN bytes. NULL: it is none, or no row is of several characters. */
uint8_t *sfnt_open(const uint8_t *font, uint32_t size, uint32_t *len);

/* The table with this tag, NULL: there is none. */
const struct sfnt_table *sfnt_find(const struct sfnt *font, const char *tag);

void sfnt_release(struct sfnt *font);

static inline uint32_t sfnt_padded(uint32_t n)
{
	return (n + SFNT_WORD - 1) & ~(uint32_t)(SFNT_WORD - 1);
}

/* Numbers, the most significant byte first. */
static inline void sfnt_put(uint8_t *to, uint32_t width, uint32_t value)
{
	for (uint32_t i = 0; i < width; i++)
		to[i] = (uint8_t)(value >> (8 * (width - 1 - i)));
}

/* Bytes that are gone through. What would be taken behind their end is zero, and said. */
struct sfnt_stream {
	const uint8_t *at, *end;
	bool over; /* more was taken than there is */
};

/* The next N bytes; NULL: there are not so many. */
static inline const uint8_t *sfnt_take(struct sfnt_stream *s, uint32_t n)
{
	const uint8_t *at = s->at;
	s->over |= (uint64_t)(s->end - at) < n;
	if (s->over)
		return NULL;
	s->at += n;
	return at;
}

/* The next number, of WIDTH bytes. */
static inline uint32_t sfnt_number(struct sfnt_stream *s, uint32_t width)
{
	const uint8_t *p = sfnt_take(s, width);
	uint32_t value = 0;
	for (uint32_t i = 0; p && i < width; i++)
		value = value << 8 | p[i];
	return value;
}
