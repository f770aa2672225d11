#include "binary/sfnt.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/codes.h"

enum {
	HEAD = 12,
	ENTRY = 16, /* tag, checksum, place, length */
	WORD = SFNT_WORD,
	ADJUSTED = 8, /* in the table "head": a word that makes the sum of all what it is to be */
};

static const uint32_t SUM_OF_ALL = 0xb1b0afba;

static int by_place(const void *a, const void *b)
{
	const struct sfnt_table *x = a, *y = b;
	int order = MEM_ORDER_TWO(x, y, at, size);
	return order ? order : memcmp(x->tag, y->tag, WORD);
}

static int by_tag(const void *a, const void *b)
{
	const struct sfnt_table *const *x = a, *const *y = b;
	int order = memcmp((*x)->tag, (*y)->tag, WORD);
	return order ? order : (*x > *y) - (*x < *y);
}

bool sfnt_read(const uint8_t *font, uint32_t size, struct sfnt *out)
{
	struct sfnt_stream s = { font, font + size, false };
	const uint8_t *flavor = sfnt_take(&s, WORD);
	uint32_t n = sfnt_number(&s, 2);
	sfnt_take(&s, HEAD - WORD - 2);
	*out = (struct sfnt){ .data = font, .n = n };
	if (s.over || !n || n > SFNT_TABLES_MOST)
		return false;
	memcpy(out->flavor, flavor, WORD);
	out->tables = mem_alloc(n * sizeof *out->tables);
	bool fits = true;
	uint64_t all = 0;
	for (uint32_t i = 0; i < n && fits; i++) {
		const uint8_t *row = sfnt_take(&s, ENTRY);
		struct sfnt_table *t = &out->tables[i];
		if (row) {
			memcpy(t->tag, row, WORD);
			t->row = i;
			t->at = code_big(row + 2 * WORD);
			t->size = code_big(row + 3 * WORD);
		}
		all += row ? t->size : 0;
		fits = row && t->at <= size && t->size <= size - t->at && all <= SFNT_MOST;
	}
	if (fits)
		MEM_SORT(out->tables, n, by_place);
	else
		sfnt_release(out);
	return fits;
}

void sfnt_release(struct sfnt *font)
{
	free(font->tables);
	font->tables = NULL;
}

const struct sfnt_table *sfnt_find(const struct sfnt *font, const char *tag)
{
	for (uint32_t i = 0; i < font->n; i++)
		if (!memcmp(font->tables[i].tag, tag, WORD))
			return &font->tables[i];
	return NULL;
}

static uint32_t sum_of(const uint8_t *p, uint32_t size)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < size; i += WORD)
		sum += code_big(p + i);
	return sum;
}

/* What a directory of N tables begins with. */
static void put_head(uint8_t *to, const uint8_t *flavor, uint32_t n)
{
	uint32_t exponent = 31 - (uint32_t)__builtin_clz(n), range = (uint32_t)ENTRY << exponent;
	memcpy(to, flavor, WORD);
	sfnt_put(to + WORD, 2, n);
	sfnt_put(to + WORD + 2, 2, range);
	sfnt_put(to + WORD + 4, 2, exponent);
	sfnt_put(to + WORD + 6, 2, ENTRY * n - range);
}

/* Copies the table T of FONT to AT of OUT, and fills in its row; returns where its adjustment is,
 * NULL: it has none. */
static uint8_t *put_table(uint8_t *out, uint32_t at, uint8_t *row, const struct sfnt *font,
                          const struct sfnt_table *t)
{
	bool head = !memcmp(t->tag, "head", WORD) && t->size >= ADJUSTED + WORD;
	memcpy(out + at, font->data + t->at, t->size);
	if (head)
		memset(out + at + ADJUSTED, 0, WORD);
	memcpy(row, t->tag, WORD);
	sfnt_put(row + WORD, WORD, sum_of(out + at, sfnt_padded(t->size)));
	sfnt_put(row + 2 * WORD, WORD, at);
	sfnt_put(row + 3 * WORD, WORD, t->size);
	return head ? out + at + ADJUSTED : NULL;
}

uint8_t *sfnt_write(const struct sfnt *font, uint32_t *size)
{
	uint32_t n = font->n, at = HEAD + n * ENTRY;
	MEM_SCOPED const struct sfnt_table **rows = mem_alloc(n * sizeof *rows);
	*size = at;
	for (uint32_t i = 0; i < n; i++) {
		rows[i] = &font->tables[i];
		*size += sfnt_padded(font->tables[i].size);
	}
	MEM_SORT(rows, n, by_tag);
	uint8_t *out = mem_zero(1, *size), *adjusted = NULL;
	put_head(out, font->flavor, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = 0;
		while (rows[row] != &font->tables[i])
			row++;
		uint8_t *here = put_table(out, at, out + HEAD + row * ENTRY, font, rows[row]);
		adjusted = here ? here : adjusted;
		at += sfnt_padded(font->tables[i].size);
	}
	if (adjusted)
		sfnt_put(adjusted, WORD, SUM_OF_ALL - sum_of(out, *size));
	return out;
}

uint8_t *sfnt_sound(const uint8_t *font, uint32_t *size, void (*order)(struct sfnt *),
                    struct sfnt *out)
{
	SCOPED(sfnt_release) struct sfnt given;
	*out = (struct sfnt){ 0 };
	if (!sfnt_read(font, *size, &given))
		return NULL;
	if (order)
		order(&given);
	uint8_t *sound = sfnt_write(&given, size);
	sfnt_read(sound, *size, out);
	return sound;
}
