/* Objects on their way into the repository.
 *
 * Blobs, trees and commits are made in memory (libgit2's mempack) and written as one pack: a loose
 * object each would cost 20 ms and 50 KB a snapshot (state-of-the-art.md 5.6). Objects that the
 * repository merely happens to have are written again: they may be unreferenced and go at the next
 * `git gc --prune=now`. Only those known to be reachable from our ref, or already waiting here, are
 * left out.
 *
 * A pack becomes part of the repository as git does it itself: written under objects/whittle-NAME,
 * its .keep made, then .pack and .idx renamed into objects/pack. The .keep goes once the ref points
 * into it, so that no gc, whenever it runs, takes the pack for superfluous.
 */
#pragma once

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>

struct err;
struct faults;
struct objects;

/* A pack of one blob, for a large one: libgit2 holds a blob that it packs several times, compresses
 * it as well as it can, which takes a second for 20 MB, and cannot be told to be quick.
 *
 * Bytes go by in pieces: compressed quickly, hashed, and written. From the piece on before which
 * all is over (IS_OVER), what is left is stored as it is, which is a matter of the hashes alone.
 * The blob's id is the same. Needs zlib; without it nothing is packed here. */

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

/* One file of a tree. */
struct tree_file {
	const char *path; /* relative, '/' between parts */
	git_filemode_t mode;
	git_oid id;
};

/* REPO and FAULTS outlive it. SCRATCH is the directory for packs in the making (absolute; copied);
 * it must be on the file system of the object directory. Remains in it, of a process that was
 * killed, are removed. */
struct objects *objects_new(git_repository *repo, const char *scratch, struct faults *faults,
                            struct err *err);

/* Once IS_OVER says so, packing is to be quick, and what it makes may be larger. */
void objects_hurry(struct objects *objects, bool (*is_over)(void *ctx), void *ctx);

/* Goes on with REPO opened anew; nothing may be waiting. */
int objects_attach(struct objects *objects, git_repository *repo, struct err *err);

/* Forgets what was not written. NULL is fine. */
void objects_free(struct objects *objects);

/* Adds an object and gives its id; NAME (may be NULL) groups versions of one file for the delta
 * search. */
int objects_add(struct objects *objects, git_object_t type, const void *bytes, size_t len,
                const char *name, git_oid *id, struct err *err);

/* Adds the tree of N files, sorted by path bytes (objects_sort), with all its subtrees. */
int objects_add_tree(struct objects *objects, const struct tree_file *files, size_t n, git_oid *id,
                     struct err *err);
void objects_sort(struct tree_file *files, size_t n);

/* ID is reachable from our ref: adding it again is nothing. */
void objects_known(struct objects *objects, const git_oid *id);

/* Nothing is known to be reachable any more. */
void objects_forget_known(struct objects *objects);

size_t objects_waiting(const struct objects *objects); /* number of objects */
size_t objects_waiting_bytes(
	const struct objects *objects); /* the size of those in memory, unpacked */

/* Forgets what waits. */
void objects_drop(struct objects *objects);

/* Called with a pack's checksum in hex before it can be seen, to note it down. */
typedef int objects_before_fn(void *ctx, const char *pack, struct err *err);

/* Writes what waits, if anything, as one pack, and one for each large blob, which are protected by
 * a .keep until objects_unkeep. On failure what was not written still waits. */
int objects_write(struct objects *objects, objects_before_fn *before, void *ctx, struct err *err);

/* Removes the .keep of PACK, if it is one of ours. */
void objects_unkeep(git_repository *repo, const char *pack);

/* The directory of packs, absolute, without '/' after it; the caller frees it. */
char *objects_pack_dir(git_repository *repo);
