/* Programs and libraries (ELF, that what loads them reads) as lists of what they consist of, in
 * lines of text: what is in memory, and what says where. Who made the file laid all of that out,
 * and code says by distances where other things are, so no part of it can just be cut. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Do the SIZE bytes at BYTES begin as a program or library does? */
bool linked_is(const uint8_t *bytes, uint32_t size);

/* What they consist of, which the caller frees, and *LEN of it. Numbers have the digits of C.
 *
 *     fixed
 *     elf CLASS ORDER SYSTEM TYPE MACHINE FLAGS ENTRY ACCESS KIND
 *     hash
 *     gnu-hash
 *     text TAG TEXT                            an entry that is a text, as the name of a library
 *     value TAG VALUE                          one that is a number,
 *     address TAG ADDRESS                      an address,
 *     range TAG ADDRESS SIZE                   or a range
 *     segment TYPE ACCESS ADDRESS SIZE ROOM ALIGN
 *     symbol NAME INFO OTHER SECTION ADDRESS SIZE
 *     relocation ADDRESS TYPE ADDEND [NAME]
 *     bytes ADDRESS ACCESS WORD...             in memory, as digits
 *     zeros ADDRESS ACCESS SIZE
 *
 * ACCESS: bits, as in the file; that of the first line is of the tables. KIND: 4 bytes of an addend
 * are where it counts, or it has its own. Without the first line nothing but addresses that are
 * said here follows what moves. NULL: it is none, or is damaged. What it does not say: sections,
 * versions of symbols. */
uint8_t *linked_read(const uint8_t *bytes, uint32_t size, uint32_t *len);

/* The smallest file of LEN bytes of such lines; the caller frees it, and *SIZE of it. Lines that
 * are none, or about what is not there, are left out. NULL: it does not say what it is, or takes
 * more than a few megabytes. */
uint8_t *linked_make(const uint8_t *said, uint32_t len, uint32_t *size);

/* Bytes in front that keep the distances in memory. */
uint32_t linked_settings(const uint8_t *said, uint32_t len);
