/* Programs and libraries for macOS (Mach-O), opened: without what fills pages, and with addresses
 * that are places in the file. Readers of sections, symbols and exported names find what they
 * found; what loads it does not. Files for several processors hold such ones, one behind the other.
 *
 * Source: Apple, "OS X ABI Mach-O File Format Reference"; mach-o/loader.h, mach-o/fat.h. */
#pragma once

#include <stdint.h>

/* The SIZE bytes at BYTES so, which the caller frees, and *LEN of them. NULL: it is none of 64 bits
 * and little-endian, is damaged, or is so already. Addresses in code and data are not adjusted. */
uint8_t *macho_open(const uint8_t *bytes, uint32_t size, uint32_t *len);
