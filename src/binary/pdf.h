/* PDF files, opened: objects that are packed together stand alone, streams are as they say, and the
 * table of places is one of text. Readers take the file as they took the packed one.
 *
 * Source: ISO 32000-1:2008, 7.3.8 (streams), 7.5.4 (cross-reference tables), 7.5.7 (object
 * streams).
 */
#pragma once

#include <stdint.h>

struct records;

/* The SIZE bytes at BYTES opened, which the caller frees, and *LEN of them. NULL: it is no PDF, is
 * encrypted, or nothing in it is packed by deflate alone. Built without zlib always NULL. */
uint8_t *pdf_open(const uint8_t *bytes, uint32_t size, uint32_t *len);

/* Its rows in the one table of places as records, each with its object; what names an object goes
 * with it. NULL: it is no PDF, or has no such table, or several. */
struct records *pdf_records(const uint8_t *bytes, uint32_t size);
