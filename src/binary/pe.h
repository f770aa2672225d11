/* Programs and libraries for Windows (PE), opened: pages are so small that addresses are places in
 * the file. Readers find what they found while each section began at a page of 4,096 bytes.
 *
 * Source: Microsoft, "PE Format". */
#pragma once

#include <stdint.h>

/* The SIZE bytes at BYTES with small pages, which the caller frees, and *LEN of them. NULL: it is
 * none, is damaged, or has them already. Of the directories exports and imports stay; addresses in
 * code and data are not adjusted. */
uint8_t *pe_open(const uint8_t *bytes, uint32_t size, uint32_t *len);
