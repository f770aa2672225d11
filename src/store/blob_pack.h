/* A pack of one blob, for a large one: libgit2 holds a blob that it packs several times, compresses
 * it as well as it can, which takes a second for 20 MB, and cannot be told to be quick.
 *
 * Bytes go by in pieces: compressed quickly, hashed, and written. From the piece on before which
 * all is over (IS_OVER), what is left is stored as it is, which is a matter of the hashes alone.
 * The blob's id is the same. Needs zlib; without it nothing is packed here. */
#pragma once

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>

struct err;

struct blob_pack {
	const char *dir; /* where the pack and its index go, under the names that git gives them */
	const void *bytes;
	size_t len; /* below 2 GB */
	const git_oid *id;
	bool (*is_over)(void *ctx); /* NULL: never */
	void *ctx;
};

/* Its checksum in hex, the caller's; NULL and err when it is not packed. */
char *blob_pack_write(const struct blob_pack *pack, struct err *err);
