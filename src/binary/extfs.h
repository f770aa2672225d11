/* Images of ext2, ext3 and ext4 as archives of their files (tar), by libext2fs (binary/anew.h):
 * blocks, inodes, bitmaps and sums of all depend on one another. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Was whittle built with libext2fs? Its version; NULL: no. */
const char *extfs_library(void);

/* Do the SIZE bytes at BYTES begin as an image does? */
bool extfs_is(const uint8_t *bytes, uint32_t size);

/* The archive of the files in the SIZE bytes at BYTES, in the order of their inodes, which the
 * caller frees, and *LEN of it; in front of them a header of type g for each setting that the
 * smallest image has not, with a name that says it: block_size=, inode_size=, feature= and the
 * number of its bit in the three words of features. NULL: it is none, is damaged, holds more than
 * 64 MB or some thousand files, or whittle was built without libext2fs. What it does not say: mode
 * and owner of the root, sockets, extended attributes, flags, which names are links to one file,
 * the journal, the label. */
uint8_t *extfs_read(const uint8_t *bytes, uint32_t size, uint32_t *len);

/* The smallest image of the files in LEN bytes of such an archive; the caller frees it, and *SIZE
 * of it. A file whose directory is not there is in what is left of its path, and one whose name is
 * taken is left out. In front of its super block is how much it says. Takes a bounded number of
 * steps. */
uint8_t *extfs_make(const uint8_t *tar, uint32_t len, uint32_t *size);

/* Bytes in front of the files that set how large blocks are, and what the image may hold. */
uint32_t extfs_settings(const uint8_t *tar, uint32_t len);
