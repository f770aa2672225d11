/* The trees and commits of a reduction. */
#include <sys/stat.h>

#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/git.h"
#include "store/store.h"
#include "store/writer.h"
#include "text/testcase.h"

git_filemode_t store_file_mode(mode_t mode)
{
	return S_ISLNK(mode)    ? GIT_FILEMODE_LINK
	       : mode & S_IXUSR ? GIT_FILEMODE_BLOB_EXECUTABLE
	                        : GIT_FILEMODE_BLOB;
}

static struct known_file describe(const struct testcase *tc, const struct testcase_file *f)
{
	struct known_file k = { .path = hash_bytes(f->path, strlen(f->path), 0).lo };
	k.content = tc->is_tree ? f->hash : hash_bytes(f->data, testcase_file_size(f), 0);
	return k;
}

/* The blob of FILE in the last snapshot, when it was the same there; else NULL. Files go and never
 * come, so that the two lists are gone through side by side: *at is where to resume. */
static const git_oid *blob_before(const struct store *s, const struct known_file *file,
                                  uint32_t *at)
{
	uint32_t i = *at;
	while (i < s->last.n && s->last.list[i].path != file->path)
		i++;
	if (i == s->last.n)
		return NULL;
	*at = i + 1;
	return hash_equal(s->last.list[i].content, file->content) ? &s->last.list[i].id : NULL;
}

/* Adds the blobs; empty directories, which git cannot hold, go to EMPTY. The number of files in
 * OUT, or -1 and err. */
static int64_t add_files(struct store *s, const struct testcase *tc, struct tree_file *out,
                         struct buf *empty, struct err *err)
{
	struct known_file *now = mem_alloc((tc->n_files + (size_t)1) * sizeof *now);
	uint32_t n = 0, at = 0;
	int rc = 0;
	for (uint32_t i = 0; i < tc->n_files && rc == 0; i++) {
		const struct testcase_file *f = &tc->files[i];
		if (S_ISDIR(f->mode)) {
			buf_add(empty, f->path, strlen(f->path) + 1);
			continue;
		}
		now[n] = describe(tc, f);
		char *path = mem_printf("%s%s", s->r.location.prefix, f->path);
		const git_oid *before = blob_before(s, &now[n], &at);
		if (before)
			now[n].id = *before;
		else
			rc = objects_add(s->objects, GIT_OBJECT_BLOB, f->data,
			                 testcase_file_size(f), path, &now[n].id, err);
		/* A large tree is not to be held twice: what waits is written before the commit
		 * that needs it is made. */
		if (rc == 0 && objects_waiting_bytes(s->objects) >= STORE_BATCH_BYTES)
			rc = objects_write(s->objects, packs_note, &s->r.location, err);
		out[n] = (struct tree_file){ .path = path,
			                     .mode = store_file_mode(f->mode),
			                     .id = now[n].id };
		n++;
	}
	free(s->last.list);
	s->last.list = now;
	s->last.n = rc == 0 ? n : 0;
	return rc == 0 ? (int64_t)n : -1;
}

/* Adds a file of ours. */
static int add_own(struct store *s, const char *path, const struct buf *bytes,
                   struct tree_file *out, struct err *err)
{
	*out = (struct tree_file){ .path = path, .mode = GIT_FILEMODE_BLOB };
	return objects_add(s->objects, GIT_OBJECT_BLOB, bytes->data, bytes->len, path, &out->id,
	                   err);
}

int store_add_tree(struct store *s, const struct testcase *tc, const struct buf *verdicts,
                   git_oid *tree, struct err *err)
{
	MEM_SCOPED struct tree_file *files =
		mem_zero(tc->n_files + s->carried.n + 2, sizeof *files);
	BUF_SCOPED struct buf empty = { 0 };
	int64_t n_files = add_files(s, tc, files, &empty, err);
	size_t n = n_files < 0 ? 0 : (size_t)n_files;
	int rc = n_files < 0 ? -1 : 0;
	memcpy(files + n, s->carried.list, s->carried.n * sizeof *files);
	n += s->carried.n;
	if (rc == 0 && verdicts)
		rc = add_own(s, STORE_VERDICTS, verdicts, &files[n++], err);
	if (rc == 0 && empty.len)
		rc = add_own(s, STORE_EMPTY, &empty, &files[n++], err);
	MEM_SCOPED struct tree_file *sorted = mem_dup(files, n * sizeof *files);
	objects_sort(sorted, n);
	if (rc == 0)
		rc = objects_add_tree(s->objects, sorted, n, tree, err);
	for (int64_t i = 0; i < n_files; i++)
		free((char *)files[i].path);
	return rc;
}

int store_add_commit(struct store *s, const struct step *step, const git_oid *tree,
                     const git_oid *parent, const char *message, git_oid *id, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	step_commit(&text, step, tree, parent, message);
	return objects_add(s->objects, GIT_OBJECT_COMMIT, text.data, text.len, NULL, id, err);
}

static int list_entry(const char *root, const git_tree_entry *entry, void *ctx)
{
	struct tree_list *l = ctx;
	char *path = mem_printf("%s%s", root, git_tree_entry_name(entry));
	if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB || !strcmp(path, STORE_VERDICTS)) {
		free(path);
		return 0;
	}
	MEM_PUSH(l->files, l->n, l->cap,
	         (struct tree_file){ path, git_tree_entry_filemode(entry),
	                             *git_tree_entry_id(entry) });
	return 0;
}

int tree_list(struct tree_list *list, git_repository *repo, const git_oid *id, struct err *err)
{
	*list = (struct tree_list){ 0 };
	if (gitlib_walk(repo, id, list_entry, list) < 0) {
		tree_list_release(list);
		return gitlib_fail(err, "a snapshot cannot be read");
	}
	objects_sort(list->files, list->n);
	return 0;
}

void tree_list_release(struct tree_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free((char *)list->files[i].path);
	free(list->files);
	*list = (struct tree_list){ 0 };
}

static int know_entry(UNUSED const char *root, const git_tree_entry *entry, void *objects)
{
	objects_known(objects, git_tree_entry_id(entry));
	return 0;
}

int store_know(struct store *s, const git_oid *id, struct err *err)
{
	if (gitlib_walk(s->r.location.repo, id, know_entry, s->objects) < 0)
		return gitlib_fail(err, "snapshot %u cannot be read", store_step(s));
	return 0;
}

struct step store_step_of(const struct store *s, enum step_kind kind,
                          const struct store_snapshot *snap)
{
	struct step step = { .kind = kind,
		             .number = (unsigned)s->made.pos,
		             .original = s->made.original,
		             .before = s->made.bytes,
		             .bytes = testcase_shown_size(snap->tc),
		             .questions = snap->questions,
		             .content = step_content(snap->tc) };
	const char *pass = snap->pass ? snap->pass : "";
	snprintf(step.pass, sizeof step.pass, "%s", pass);
	for (char *p = step.pass; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = ' ';
	return step;
}
