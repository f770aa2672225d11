/* What finding coded words and reading them have in common. Internal to coded.c and coded_find.c.
 */
#ifndef WHITTLE_LANG_CODED_IMPL_H
#define WHITTLE_LANG_CODED_IMPL_H

#include <stdbool.h>
#include <stdint.h>

struct coded;

bool coded_is_hex(uint8_t kind);

/* The value of C as a character of KIND, which is not UTF-16; -1: it is none. */
int coded_value(uint8_t kind, uint8_t c);

/* What the characters of WORD mean, without line breaks and padding, at OUT; returns bytes. */
uint32_t coded_characters(const struct coded *word, const uint8_t *bytes, uint8_t *out);

/* UTF-16 as UTF-8 at OUT, which may be NULL; returns bytes, UINT32_MAX when it is none. */
uint32_t coded_utf16(const struct coded *word, const uint8_t *bytes, uint8_t *out);

#endif
