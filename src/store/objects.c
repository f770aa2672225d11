#include "store/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/fault.h"
#include "store/gitlib.h"
#include "store/verdict.h"

enum { MEMPACK_PRIORITY = 999 };

static const char keep_text[] = "whittle: snapshots on their way to a ref\n";

struct waiting {
	git_oid id;
	char *name; /* may be NULL */
};

struct objects {
	git_repository *repo;
	git_odb *odb;
	git_odb_backend *memory; /* owned by odb */
	char *scratch;
	struct faults *faults;
	struct hash_set known; /* reachable or waiting; of the first 16 bytes of the id */
	struct waiting *list;
	size_t n, cap, bytes;
};

int objects_attach(struct objects *o, git_repository *repo, struct err *err)
{
	if (o->n)
		bug("objects_attach while %zu objects wait", o->n);
	git_odb_free(o->odb);
	o->odb = NULL;
	o->memory = NULL;
	o->repo = repo;
	if (git_repository_odb(&o->odb, repo) < 0 || git_mempack_new(&o->memory) < 0)
		return gitlib_fail(err, "cannot open the objects of %s", git_repository_path(repo));
	if (git_odb_add_backend(o->odb, o->memory, MEMPACK_PRIORITY) < 0) {
		o->memory->free(o->memory);
		o->memory = NULL;
		return gitlib_fail(err, "cannot add to the objects of %s", git_repository_path(repo));
	}
	return 0;
}

struct objects *objects_new(git_repository *repo, const char *scratch, struct faults *faults, struct err *err)
{
	struct objects *o = mem_zero(1, sizeof *o);
	o->faults = faults;
	o->scratch = mem_strdup(scratch);
	io_remove_tree(AT_FDCWD, scratch);
	if (objects_attach(o, repo, err) < 0) {
		objects_free(o);
		return NULL;
	}
	return o;
}

void objects_drop(struct objects *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->list[i].name);
	o->n = o->bytes = 0;
	if (o->memory)
		git_mempack_reset(o->memory);
}

void objects_free(struct objects *o)
{
	if (!o)
		return;
	objects_drop(o);
	free(o->list);
	hash_set_release(&o->known);
	git_odb_free(o->odb);
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
}

size_t objects_waiting(const struct objects *o)
{
	return o->n;
}

size_t objects_waiting_bytes(const struct objects *o)
{
	return o->bytes;
}

int objects_add(struct objects *o, git_object_t type, const void *bytes, size_t len, const char *name, git_oid *id,
                struct err *err)
{
	if (git_odb_hash(id, bytes, len, type) < 0)
		return gitlib_fail(err, "cannot hash an object");
	if (hash_set_has(&o->known, key_of(id)))
		return 0;
	/* Past git_odb_write, which leaves out what the repository has, reachable or not. */
	if (o->memory->write(o->memory, id, bytes, len, type) < 0)
		return gitlib_fail(err, "cannot keep an object in memory");
	objects_known(o, id);
	MEM_GROW(o->list, o->n, o->cap);
	o->list[o->n++] = (struct waiting){ .id = *id, .name = name ? mem_strdup(name) : NULL };
	o->bytes += len;
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct tree_file *)a)->path, ((const struct tree_file *)b)->path);
}

void objects_sort(struct tree_file *files, size_t n)
{
	/* Byte order of whole paths is git's order of trees: a directory sorts as if its name ended in '/'. */
	qsort(files, n, sizeof *files, by_path);
}

static int add_subtree(struct objects *o, const struct tree_file *files, size_t n, size_t skip, git_oid *id,
                       struct err *err)
{
	struct buf tree = { 0 };
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
		buf_addf(&tree, "%o %.*s", is_dir ? GIT_FILEMODE_TREE : files[i].mode, (int)len, part);
		buf_addch(&tree, '\0');
		buf_add(&tree, entry.id, GIT_OID_RAWSZ);
		i += same;
	}
	if (rc == 0) {
		/* The directory's own name, so that versions of one directory are compared with each other. */
		char *name = mem_printf("%.*s", n ? (int)skip : 0, n ? files[0].path : "");
		rc = objects_add(o, GIT_OBJECT_TREE, tree.data ? tree.data : "", tree.len, name, id, err);
		free(name);
	}
	buf_release(&tree);
	return rc;
}

int objects_add_tree(struct objects *o, const struct tree_file *files, size_t n, git_oid *id, struct err *err)
{
	return add_subtree(o, files, n, 0, id, err);
}

char *objects_pack_dir(git_repository *repo)
{
	git_buf path = { 0 };
	char *dir = NULL;
	if (git_repository_item_path(&path, repo, GIT_REPOSITORY_ITEM_OBJECTS) == 0)
		dir = mem_printf("%s%spack", path.ptr, path.size && path.ptr[path.size - 1] == '/' ? "" : "/");
	git_buf_dispose(&path);
	return dir;
}

void objects_unkeep(git_repository *repo, const char *pack)
{
	struct buf text = { 0 };
	struct err ignored;
	char *dir = objects_pack_dir(repo);
	char *keep = mem_printf("%s/pack-%s.keep", dir, pack);
	if (access(keep, R_OK) == 0 && io_read_file(keep, &text, &ignored) == 0 && !strcmp(text.data, keep_text))
		unlink(keep);
	buf_release(&text);
	free(keep);
	free(dir);
}

static int make_keep(struct objects *o, const char *path, struct err *err)
{
	int fd = fault_strikes(o->faults, "pack-keep") ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || io_write_all(fd, keep_text, sizeof keep_text - 1) < 0) {
		err_errno(err, "cannot write %s", path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	close(fd);
	return 0;
}

static int move_file(struct objects *o, const char *dir, const char *pack, const char *suffix, struct err *err)
{
	char *from = mem_printf("%s/pack-%s.%s", o->scratch, pack, suffix);
	char *to = mem_printf("%s/pack-%s.%s", dir, pack, suffix);
	int rc = 0;
	if (fault_strikes(o->faults, "pack-rename") || rename(from, to) < 0)
		rc = err_errno(err, "cannot move a pack to %s", to);
	free(to);
	free(from);
	return rc;
}

static int sync_dir(struct objects *o, const char *dir, struct err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;
	if (fd < 0 || fault_strikes(o->faults, "pack-fsync") || fsync(fd) < 0)
		rc = err_errno(err, "cannot write %s to the disk", dir);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Brings the pack in: .keep first, .idx last, because git sees a pack by its .idx. */
static int install(struct objects *o, const char *pack, struct err *err)
{
	char *dir = objects_pack_dir(o->repo);
	char *keep = mem_printf("%s/pack-%s.keep", dir, pack);
	int rc = make_keep(o, keep, err);
	if (rc == 0 && (move_file(o, dir, pack, "pack", err) < 0 || move_file(o, dir, pack, "idx", err) < 0 ||
	                sync_dir(o, dir, err) < 0)) {
		unlink(keep);
		rc = -1;
	}
	free(keep);
	free(dir);
	return rc;
}

static int fill(struct objects *o, git_packbuilder *builder, struct err *err)
{
	for (size_t i = 0; i < o->n; i++)
		if (git_packbuilder_insert(builder, &o->list[i].id, o->list[i].name) < 0)
			return gitlib_fail(err, "cannot pack an object");
	return 0;
}

static int build(struct objects *o, char **pack, struct err *err)
{
	git_packbuilder *builder = NULL;
	int rc = -1;
	if (mkdir(o->scratch, 0777) < 0 && errno != EEXIST)
		return err_errno(err, "cannot make directory %s", o->scratch);
	if (fault_strikes(o->faults, "pack-write"))
		return err_errno(err, "cannot write a pack in %s", o->scratch);
	if (git_packbuilder_new(&builder, o->repo) < 0)
		gitlib_fail(err, "cannot pack snapshots");
	else if (fill(o, builder, err) == 0) {
		rc = git_packbuilder_write(builder, o->scratch, 0, NULL, NULL);
		if (rc < 0)
			gitlib_fail(err, "cannot write a pack in %s", o->scratch);
		else
			*pack = mem_strdup(git_packbuilder_name(builder));
	}
	git_packbuilder_free(builder);
	return rc;
}

int objects_write(struct objects *o, int (*before)(void *ctx, const char *pack, struct err *err), void *ctx,
                  struct err *err)
{
	char *pack = NULL;
	if (!o->n)
		return 0;
	int rc = build(o, &pack, err);
	if (rc == 0)
		rc = before(ctx, pack, err);
	if (rc == 0)
		rc = install(o, pack, err);
	if (rc == 0) {
		objects_drop(o);
		git_odb_refresh(o->odb);
	}
	free(pack);
	/* Also the remains of a failure: the disk may be full because of them. */
	io_remove_tree(AT_FDCWD, o->scratch);
	return rc;
}
