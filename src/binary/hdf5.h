/* Files of HDF5 as lists of what they hold, in lines of text (binary/anew.h). Objects say by
 * address where their parts are, in trees, heaps and tables whose sizes the file's head says, so
 * no part of them can just be cut. libhdf5 is no help: files that it refuses are what users bring.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Do the SIZE bytes at BYTES begin as such a file does? */
bool hdf5_is(const uint8_t *bytes, uint32_t size);

/* What it holds, which the caller frees, and *LEN of it.
 *
 *     old
 *     wide
 *     room
 *     hdf5 VERSION
 *     group PATH
 *     named PATH                   a type
 *     dataset PATH
 *     attribute NAME               of the object in front
 *     type DIGITS                  of what was last named: bytes, as the format has them
 *     space [SIZE...]              "none": there are no values
 *     packed [FILTER...]           in a chunk, by deflate (1), shuffled (2), with a sum (3)
 *     data VALUE...
 *     soft PATH TARGET
 *     hard PATH TARGET             one more name of an object
 *
 * PATH: with %XX for what is no letter, digit or mark of few; groups around it need no line. VALUE:
 * bytes as digits, in it "TEXT" and [VALUE,...] for what is in heaps, <PATH> for an object. With
 * the first line in the older format, with the second in addresses of 8 bytes, with the third in
 * heaps as large as libhdf5 makes them. NULL: it is none, or is damaged. What it does not say:
 * chunks in the older format, their sizes, other filters, sizes that can grow, fill values, times,
 * orders. What cannot be read is left out. */
uint8_t *hdf5_read(const uint8_t *bytes, uint32_t size, uint32_t *len);

/* The smallest file of LEN bytes of such lines; the caller frees it, and *SIZE of it. Sizes follow
 * the number of values, lines that are none are left out. NULL: it does not say what it is. */
uint8_t *hdf5_make(const uint8_t *said, uint32_t len, uint32_t *size);

/* Bytes in front that keep how the original is written. */
uint32_t hdf5_settings(const uint8_t *said, uint32_t len);
