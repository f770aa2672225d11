/* Fonts in the Web Open Font Format 2.0 (W3C, 2018) as the OpenType fonts that are packed in them
 * (binary/anew.h): a directory, and all tables in one stream of brotli. Glyphs and widths, which
 * are packed in a way of their own there (5.1, 5.4), are made plain, and stay so. Collections,
 * metadata and private data are not said. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "binary/sfnt.h"

bool woff2_is(const uint8_t *bytes, uint32_t size);
uint8_t *woff2_read(const uint8_t *bytes, uint32_t size, uint32_t *len);
uint8_t *woff2_make(const uint8_t *font, uint32_t len, uint32_t *size);

/* The glyphs of a font, made plain: their tables, and of each the left side of its box. */
struct woff2_glyphs {
	struct buf glyf, loca;
	uint32_t n;
	int16_t *lefts;
};

/* False: what is in S is damaged. OUT is the caller's to release in any case. */
bool woff2_glyphs_read(struct sfnt_stream s, struct woff2_glyphs *out);
void woff2_glyphs_release(struct woff2_glyphs *g);
