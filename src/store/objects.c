#include "store/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/fault.h"
#include "store/blob_pack.h"
#include "store/gitlib.h"

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
