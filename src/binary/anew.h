/* Files that are read as something simpler, and made anew of each shorter version of it: databases
 * as the SQL that makes them, packed fonts as plain ones, file systems as archives, programs and
 * HDF5's files as lists of what they hold, what bzip2 packed. Their parts depend on one another in
 * ways that no edit of bytes keeps. Such a file is *open* when it is what is made of what it says.
 *
 * These functions are pure: what is made has the same bytes each time, with one version of the
 * library that a kind needs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A kind of such files. */
struct anew {
	/* Do the bytes begin as its files do? */
	bool (*is)(const uint8_t *bytes, uint32_t size);
	/* What they say, and *LEN of it, which the caller frees; NULL: it is none, is damaged, or
	 * whittle was built without the library. */
	uint8_t *(*read)(const uint8_t *bytes, uint32_t size, uint32_t *len);
	/* The file that LEN bytes of this make, as far as they are sound; the caller frees it, and
	 * *SIZE of it. NULL: there is nothing in it. Takes a bounded number of steps. */
	uint8_t *(*make)(const uint8_t *said, uint32_t len, uint32_t *size);
	/* Bytes in front of what is said that may be left out to get the smallest; NULL: none. */
	uint32_t (*settings)(const uint8_t *said, uint32_t len);
};

enum { ANEW_KINDS = 7 };
extern const struct anew anew_kinds[ANEW_KINDS];

/* Of what kind the bytes are; ANEW_KINDS: of none. */
uint8_t anew_kind(const uint8_t *bytes, uint32_t size);

/* What is made of SIZE bytes at BYTES, and *LEN of that, which the caller frees. USUAL: without its
 * settings. NULL: it is none, or is so already. */
uint8_t *anew_open(const uint8_t *bytes, uint32_t size, bool usual, uint32_t *len);

/* Is this what is made of it? */
bool anew_is_open(const uint8_t *bytes, uint32_t size);
