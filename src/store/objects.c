#include "store/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/err.h"
#include "base/fault.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "config.h"
#include "store/git.h"

#ifdef HAVE_ZLIB
#endif

#ifndef HAVE_ZLIB

char *blob_pack_write(const struct blob_pack *pack, struct err *err)
{
	err_set(err, ERR_SYSTEM, "no zlib for a pack in %s", pack->dir);
	return NULL;
}

#else

/* The most significant byte first. */
static void put32(uint8_t *p, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(x >> (24 - 8 * i));
}

/* ---- a file that is hashed as it is written ---- */

struct file {
	int fd;
	struct digest sha;
	uLong crc;
	bool failed; /* with errno */
};

static void put(struct file *f, const void *bytes, size_t n)
{
	digest_feed(&f->sha, bytes, n);
	f->crc = crc32(f->crc, bytes, (uInt)n);
	f->failed = f->failed || io_write_all(f->fd, bytes, n) < 0;
}

/* Ends it with its checksum, which goes to SUM. */
static void put_sum(struct file *f, uint8_t sum[GIT_OID_RAWSZ])
{
	digest_end(&f->sha, sum);
	f->failed = f->failed || io_write_all(f->fd, sum, GIT_OID_RAWSZ) < 0 || fsync(f->fd) < 0;
}

static int begin(struct file *f, const char *path, struct err *err)
{
	*f = (struct file){ .fd = io_open_regular(path, O_WRONLY | O_CREAT | O_TRUNC, 0444, err) };
	digest_begin(&f->sha, DIGEST_SHA1);
	return f->fd;
}

static int end(struct file *f, const char *path, struct err *err)
{
	int rc = f->failed ? err_errno(err, "cannot write %s", path) : 0;
	close(f->fd);
	return rc;
}

/* ---- the blob in it ---- */

enum { PIECE = 1 << 16, ROOM = PIECE + PIECE / 8, STORED = 0xffff, LEVEL = 3 };

/* What deflate makes of a piece; FLUSH: of all so far, to a boundary of bytes. */
static void put_compressed(struct file *f, z_stream *z, const uint8_t *piece, size_t n, int flush)
{
	uint8_t out[ROOM];
	z->next_in = (uint8_t *)piece;
	z->avail_in = (uInt)n;
	do {
		z->next_out = out;
		z->avail_out = sizeof out;
		deflate(z, flush);
		put(f, out, sizeof out - z->avail_out);
	} while (!z->avail_out);
}

/* As it is: the blocks of RFC 1951, 3.2.4. The last one of all may be empty. */
static void put_stored(struct file *f, const uint8_t *bytes, size_t n)
{
	do {
		size_t now = n < STORED ? n : STORED;
		uint8_t lo = (uint8_t)now, hi = (uint8_t)(now >> 8);
		put(f, (const uint8_t[]){ now == n, lo, hi, (uint8_t)~lo, (uint8_t)~hi }, 5);
		put(f, bytes, now);
		bytes += now, n -= now;
	} while (n);
}

/* A stream of zlib's (RFC 1950). */
static void put_stream(struct file *f, const struct blob_pack *p)
{
	const uint8_t *bytes = p->bytes;
	size_t at = 0;
	z_stream z = { 0 };
	uint8_t sum[4];
	put(f, "\x78\x01", 2);
	if (deflateInit2(&z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
		for (; at < p->len && !f->failed && !(p->is_over && p->is_over(p->ctx));) {
			size_t n = p->len - at < PIECE ? p->len - at : PIECE;
			put_compressed(f, &z, bytes + at, n, Z_NO_FLUSH);
			at += n;
		}
		put_compressed(f, &z, NULL, 0, Z_SYNC_FLUSH);
		deflateEnd(&z);
	}
	put_stored(f, bytes + at, p->len - at);
	put32(sum, (uint32_t)adler32(1, bytes, (uInt)p->len));
	put(f, sum, sizeof sum);
}

/* Type and length: four bits, then seven each, and whether more follow. */
static void put_head(struct file *f, size_t len)
{
	uint8_t head[16], n = 0;
	head[n] = (uint8_t)(GIT_OBJECT_BLOB << 4 | (len & 15));
	for (len >>= 4; len; len >>= 7) {
		head[n++] |= 0x80;
		head[n] = len & 0x7f;
	}
	put(f, head, n + 1u);
}

enum { PACK_HEAD = 12, PACK_OBJECTS_AT = 11 };

static int write_pack(const struct blob_pack *p, const char *path, uint8_t sum[GIT_OID_RAWSZ],
                      uint32_t *crc, struct err *err)
{
	static const uint8_t head[PACK_HEAD] = { 'P', 'A', 'C',
		                                 'K', 0,   0,
		                                 0,   2,   [PACK_OBJECTS_AT] = 1 };
	struct file f;
	if (begin(&f, path, err) < 0)
		return -1;
	put(&f, head, sizeof head);
	f.crc = crc32(0, NULL, 0);
	put_head(&f, p->len);
	put_stream(&f, p);
	*crc = (uint32_t)f.crc;
	put_sum(&f, sum);
	return end(&f, path, err);
}

/* Version 2 of the index of packs: how many ids begin with up to each byte, the ids, checksums and
 * offsets. */
static int write_index(const struct blob_pack *p, const char *path, const uint8_t *pack_sum,
                       uint32_t crc, struct err *err)
{
	struct file f;
	uint8_t words[4], sum[GIT_OID_RAWSZ];
	if (begin(&f, path, err) < 0)
		return -1;
	put(&f, "\377tOc\0\0\0\2", 8);
	for (int i = 0; i < 256; i++) {
		put32(words, i >= p->id->id[0]);
		put(&f, words, sizeof words);
	}
	put(&f, p->id->id, GIT_OID_RAWSZ);
	put32(words, crc);
	put(&f, words, sizeof words);
	put32(words, PACK_HEAD);
	put(&f, words, sizeof words);
	put(&f, pack_sum, GIT_OID_RAWSZ);
	put_sum(&f, sum);
	return end(&f, path, err);
}

char *blob_pack_write(const struct blob_pack *p, struct err *err)
{
	git_oid sum;
	uint32_t crc;
	char name[GIT_OID_HEXSZ + 1], *made = mem_printf("%s/whittle.pack", p->dir), *result = NULL;
	MEM_SCOPED char *pack = NULL, *index = NULL;
	if (write_pack(p, made, sum.id, &crc, err) == 0) {
		git_oid_tostr(name, sizeof name, &sum);
		pack = mem_printf("%s/pack-%s.pack", p->dir, name);
		index = mem_printf("%s/pack-%s.idx", p->dir, name);
		if (rename(made, pack) < 0)
			err_errno(err, "cannot write %s", pack);
		else if (write_index(p, index, sum.id, crc, err) == 0)
			result = mem_strdup(name);
	}
	if (!result) {
		unlink(made);
		for (int i = 0; pack && i < 2; i++)
			unlink(i ? index : pack);
	}
	free(made);
	return result;
}

#endif

/* Blobs of so many bytes are packed at once, each by itself and without a search for deltas
 * (objects.h): they would be held in memory several times. Where git is, packs_merge finds deltas
 * between them later.
 */
enum { OBJECTS_LARGE = 2 << 20 };

enum { MEMPACK_PRIORITY = 999 };

static const char keep_text[] = "whittle: snapshots on their way to a ref\n";

struct waiting {
	git_oid id;
	char *name; /* may be NULL */
};

/* A large blob in a pack of its own, made but not yet brought in. */
struct large {
	git_oid id;
	char *pack; /* checksum in hex */
};

struct objects {
	git_repository *repo;
	git_odb *odb;
	git_odb_backend *memory;               /* owned by odb */
	char *scratch, *batch_dir, *large_dir; /* the latter two below scratch */
	struct faults *faults;
	struct hash_set known; /* reachable or waiting; of the first 16 bytes of the id */
	struct waiting *list;
	size_t n, cap, bytes;
	struct large *large;
	size_t n_large, cap_large;
	bool (*is_over)(void *ctx); /* NULL: never */
	void *ctx;
};

int objects_attach(struct objects *o, git_repository *repo, struct err *err)
{
	if (o->n)
		bug("objects_attach while %zu objects wait", o->n);
	git_odb_free(o->odb);
	o->odb = NULL;
	o->memory = NULL;
	o->repo = repo;
	git_odb_backend *memory;
	if (git_repository_odb(&o->odb, repo) < 0 || git_mempack_new(&memory) < 0)
		return gitlib_fail(err, "cannot open the objects of %s", git_repository_path(repo));
	if (git_odb_add_backend(o->odb, memory, MEMPACK_PRIORITY) < 0) {
		memory->free(memory);
		return gitlib_fail(err, "cannot add to the objects of %s",
		                   git_repository_path(repo));
	}
	o->memory = memory;
	return 0;
}

struct objects *objects_new(git_repository *repo, const char *scratch, struct faults *faults,
                            struct err *err)
{
	struct objects *o = mem_zero(1, sizeof *o);
	o->faults = faults;
	o->scratch = mem_strdup(scratch);
	o->batch_dir = mem_printf("%s/batch", scratch);
	o->large_dir = mem_printf("%s/large", scratch);
	io_remove_tree(AT_FDCWD, scratch);
	if (objects_attach(o, repo, err) < 0) {
		objects_free(o);
		return NULL;
	}
	return o;
}

void objects_hurry(struct objects *o, bool (*is_over)(void *ctx), void *ctx)
{
	o->is_over = is_over;
	o->ctx = ctx;
}

static void drop_list(struct objects *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->list[i].name);
	o->n = o->bytes = 0;
	if (o->memory)
		git_mempack_reset(o->memory);
}

void objects_drop(struct objects *o)
{
	drop_list(o);
	if (o->n_large)
		io_remove_tree(AT_FDCWD, o->large_dir);
	while (o->n_large)
		free(o->large[--o->n_large].pack);
}

void objects_free(struct objects *o)
{
	if (!o)
		return;
	objects_drop(o);
	free(o->list);
	free(o->large);
	hash_set_release(&o->known);
	git_odb_free(o->odb);
	rmdir(o->scratch);
	free(o->large_dir);
	free(o->batch_dir);
	free(o->scratch);
	free(o);
}

static struct hash key_of(const git_oid *id)
{
	struct hash h;
	memcpy(&h, id->id, sizeof h);
	return h;
}

void objects_known(struct objects *o, const git_oid *id)
{
	hash_set_add(&o->known, key_of(id));
}

void objects_forget_known(struct objects *o)
{
	hash_set_release(&o->known);
	for (size_t i = 0; i < o->n; i++)
		objects_known(o, &o->list[i].id);
	for (size_t i = 0; i < o->n_large; i++)
		objects_known(o, &o->large[i].id);
}

size_t objects_waiting(const struct objects *o)
{
	return o->n + o->n_large;
}

size_t objects_waiting_bytes(const struct objects *o)
{
	return o->bytes;
}

static int fill(git_packbuilder *builder, const struct waiting *list, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (git_packbuilder_insert(builder, &list[i].id, list[i].name) < 0)
			return gitlib_fail(err, "cannot pack an object");
	return 0;
}

static int make_dir(const char *dir, struct err *err)
{
	return mkdir(dir, 0777) < 0 && errno != EEXIST
	               ? err_errno(err, "cannot make directory %s", dir)
	               : 0;
}

/* Makes DIR, below the scratch directory. */
static int make_dirs(struct objects *o, const char *dir, struct err *err)
{
	if (make_dir(o->scratch, err) < 0 || make_dir(dir, err) < 0)
		return -1;
	return fault_strikes(o->faults, "pack-write")
	               ? err_errno(err, "cannot write a pack in %s", dir)
	               : 0;
}

/* Makes a pack of N objects in DIR; its checksum goes to *pack, the caller's. */
static int build(struct objects *o, const char *dir, const struct waiting *list, size_t n,
                 char **pack, struct err *err)
{
	git_packbuilder *builder = NULL;
	int rc = -1;
	if (make_dirs(o, dir, err) < 0)
		return -1;
	if (git_packbuilder_new(&builder, o->repo) < 0)
		gitlib_fail(err, "cannot pack snapshots");
	else if (fill(builder, list, n, err) == 0) {
		rc = git_packbuilder_write(builder, dir, 0, NULL, NULL);
		if (rc < 0)
			gitlib_fail(err, "cannot write a pack in %s", dir);
		else
			*pack = mem_strdup(git_packbuilder_name(builder));
	}
	git_packbuilder_free(builder);
	return rc;
}

/* Puts a large blob into a pack of its own. When that fails, for want of
 * space, say, the blob waits in memory with the others. */
static bool pack_large(struct objects *o, const git_oid *id, const void *bytes, size_t len)
{
	const struct blob_pack blob = { .dir = o->large_dir,
		                        .bytes = bytes,
		                        .len = len,
		                        .id = id,
		                        .is_over = o->is_over,
		                        .ctx = o->ctx };
	char *pack = make_dirs(o, o->large_dir, NULL) < 0 ? NULL : blob_pack_write(&blob, NULL);
	if (!pack)
		return false;
	MEM_PUSH(o->large, o->n_large, o->cap_large, (struct large){ *id, pack });
	return true;
}

static int wait_in_memory(struct objects *o, git_object_t type, const void *bytes, size_t len,
                          const char *name, const git_oid *id, struct err *err)
{
	/* Past git_odb_write, which leaves out what the repository has, reachable or not. */
	if (o->memory->write(o->memory, id, bytes, len, type) < 0)
		return gitlib_fail(err, "cannot keep an object in memory");
	MEM_PUSH(o->list, o->n, o->cap,
	         (struct waiting){ .id = *id, .name = name ? mem_strdup(name) : NULL });
	o->bytes += len;
	return 0;
}

int objects_add(struct objects *o, git_object_t type, const void *bytes, size_t len,
                const char *name, git_oid *id, struct err *err)
{
	if (git_odb_hash(id, bytes, len, type) < 0)
		return gitlib_fail(err, "cannot hash an object");
	if (hash_set_has(&o->known, key_of(id)))
		return 0;
	bool large =
		type == GIT_OBJECT_BLOB && len >= OBJECTS_LARGE && pack_large(o, id, bytes, len);
	if (!large && wait_in_memory(o, type, bytes, len, name, id, err) < 0)
		return -1;
	objects_known(o, id);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct tree_file *)a)->path, ((const struct tree_file *)b)->path);
}

void objects_sort(struct tree_file *files, size_t n)
{
	/* Byte order of whole paths is git's order of trees: a directory sorts as if its name ended
	 * in '/'. */
	qsort(files, n, sizeof *files, by_path);
}

static int add_subtree(struct objects *o, const struct tree_file *files, size_t n, size_t skip,
                       git_oid *id, struct err *err)
{
	BUF_SCOPED struct buf tree = { 0 };
	int rc = 0;
	for (size_t i = 0; i < n && rc == 0;) {
		const char *part = files[i].path + skip;
		size_t len = strcspn(part, "/"), same = 1;
		git_oid entry = files[i].id;
		bool is_dir = part[len] == '/';
		if (is_dir) {
			while (i + same < n && !strncmp(files[i + same].path + skip, part, len + 1))
				same++;
			rc = add_subtree(o, files + i, same, skip + len + 1, &entry, err);
		}
		buf_addf(&tree, "%o %.*s", is_dir ? GIT_FILEMODE_TREE : files[i].mode, (int)len,
		         part);
		buf_addch(&tree, '\0');
		buf_add(&tree, entry.id, GIT_OID_RAWSZ);
		i += same;
	}
	if (rc == 0) {
		/* The directory's own name, so that versions of one directory are compared with
		 * each other. */
		MEM_SCOPED char *name =
			mem_printf("%.*s", n ? (int)skip : 0, n ? files[0].path : "");
		rc = objects_add(o, GIT_OBJECT_TREE, tree.data ? tree.data : "", tree.len, name, id,
		                 err);
	}
	return rc;
}

int objects_add_tree(struct objects *o, const struct tree_file *files, size_t n, git_oid *id,
                     struct err *err)
{
	return add_subtree(o, files, n, 0, id, err);
}

char *objects_pack_dir(git_repository *repo)
{
	git_buf path = { 0 };
	char *dir = NULL;
	if (git_repository_item_path(&path, repo, GIT_REPOSITORY_ITEM_OBJECTS) == 0)
		dir = mem_printf("%s%spack", path.ptr,
		                 path.size && path.ptr[path.size - 1] == '/' ? "" : "/");
	git_buf_dispose(&path);
	return dir;
}

void objects_unkeep(git_repository *repo, const char *pack)
{
	BUF_SCOPED struct buf text = { 0 };
	MEM_SCOPED char *dir = objects_pack_dir(repo);
	MEM_SCOPED char *keep = mem_printf("%s/pack-%s.keep", dir, pack);
	if (access(keep, R_OK) == 0 && io_read_kept(keep, &text, NULL) == 0 &&
	    !strcmp(text.data, keep_text))
		unlink(keep);
}

static int make_keep(struct objects *o, const char *path, struct err *err)
{
	if (fault_strikes(o->faults, "pack-keep"))
		return err_errno(err, "cannot write %s", path);
	IO_SCOPED int fd = io_open_regular(path, O_WRONLY | O_CREAT, 0600, err);
	int rc = fd < 0 ? -1 : 0;
	if (fd >= 0 && io_write_all(fd, keep_text, sizeof keep_text - 1) < 0)
		rc = err_errno(err, "cannot write %s", path);
	return rc;
}

static int move_file(struct objects *o, const char *made_in, const char *dir, const char *pack,
                     const char *suffix, struct err *err)
{
	MEM_SCOPED char *from = mem_printf("%s/pack-%s.%s", made_in, pack, suffix);
	MEM_SCOPED char *to = mem_printf("%s/pack-%s.%s", dir, pack, suffix);
	int rc = 0;
	if (fault_strikes(o->faults, "pack-rename") || rename(from, to) < 0)
		rc = err_errno(err, "cannot move a pack to %s", to);
	return rc;
}

static int sync_dir(struct objects *o, const char *dir, struct err *err)
{
	IO_SCOPED int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;
	if (fd < 0 || fault_strikes(o->faults, "pack-fsync") || fsync(fd) < 0)
		rc = err_errno(err, "cannot write %s to the disk", dir);
	return rc;
}

/* Brings the pack in: .keep first, .idx last, because git sees a pack by its .idx. */
static int install(struct objects *o, const char *made_in, const char *pack, struct err *err)
{
	MEM_SCOPED char *dir = objects_pack_dir(o->repo);
	MEM_SCOPED char *keep = mem_printf("%s/pack-%s.keep", dir, pack);
	int rc = make_keep(o, keep, err);
	if (rc == 0 &&
	    (move_file(o, made_in, dir, pack, "pack", err) < 0 ||
	     move_file(o, made_in, dir, pack, "idx", err) < 0 || sync_dir(o, dir, err) < 0)) {
		unlink(keep);
		rc = -1;
	}
	return rc;
}

/* Brings in the packs of large blobs. One that is in is no longer on the list, so a failure is made
 * up for later. */
static int install_large(struct objects *o, objects_before_fn *before, void *ctx, struct err *err)
{
	int rc = 0;
	while (o->n_large && rc == 0) {
		struct large *l = &o->large[o->n_large - 1];
		rc = before(ctx, l->pack, err);
		if (rc == 0)
			rc = install(o, o->large_dir, l->pack, err);
		if (rc == 0)
			free(o->large[--o->n_large].pack);
	}
	return rc;
}

static int write_batch(struct objects *o, objects_before_fn *before, void *ctx, struct err *err)
{
	MEM_SCOPED char *pack = NULL;
	int rc = build(o, o->batch_dir, o->list, o->n, &pack, err);
	if (rc == 0)
		rc = before(ctx, pack, err);
	if (rc == 0)
		rc = install(o, o->batch_dir, pack, err);
	if (rc == 0) {
		drop_list(o);
		git_odb_refresh(o->odb);
	}
	/* Also the remains of a failure: the disk may be full because of them. */
	io_remove_tree(AT_FDCWD, o->batch_dir);
	return rc;
}

int objects_write(struct objects *o, objects_before_fn *before, void *ctx, struct err *err)
{
	if (install_large(o, before, ctx, err) < 0 ||
	    (o->n && write_batch(o, before, ctx, err) < 0))
		return -1;
	io_remove_tree(AT_FDCWD, o->scratch);
	return 0;
}
