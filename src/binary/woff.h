/* Fonts in the Web Open Font Format 1.0 (W3C, 2012) as the OpenType fonts that are packed in them
 * (binary/anew.h): a table each, by zlib where that makes it shorter. What the format has besides,
 * its metadata and private data, is not said. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

bool woff_is(const uint8_t *bytes, uint32_t size);
uint8_t *woff_read(const uint8_t *bytes, uint32_t size, uint32_t *len);
uint8_t *woff_make(const uint8_t *font, uint32_t len, uint32_t *size);
